//! Points of the unit cube, stored input by input so that kernels run along them.

use serde::{Deserialize, Serialize};

/// A list of points. Belongs to people unless it was made from public things, so `Debug` shows its size alone.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<f64>>", into = "Vec<Vec<f64>>")]
pub struct Points {
    inputs: Vec<Vec<f64>>,
}

impl std::fmt::Debug for Points {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Points").field("points", &self.len()).field("inputs", &self.dimensions()).finish()
    }
}

/// Inputs of different numbers of points, or not numbers of the unit interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("points must have the same number of coordinates, each between 0 and 1")]
pub struct NotPoints;

impl TryFrom<Vec<Vec<f64>>> for Points {
    type Error = NotPoints;

    /// From one list for each input.
    fn try_from(inputs: Vec<Vec<f64>>) -> Result<Points, NotPoints> {
        let len = inputs.first().map_or(0, Vec::len);
        let fine = |input: &Vec<f64>| input.len() == len && input.iter().all(|x| (0.0..=1.0).contains(x));
        if inputs.iter().all(fine) { Ok(Points { inputs }) } else { Err(NotPoints) }
    }
}

impl From<Points> for Vec<Vec<f64>> {
    fn from(points: Points) -> Vec<Vec<f64>> {
        points.inputs
    }
}

impl Points {
    /// No points yet, of `dimensions` inputs.
    pub fn new(dimensions: usize) -> Points {
        Points { inputs: vec![Vec::new(); dimensions] }
    }

    /// The points of a low-discrepancy sequence (Halton 1960) with these places in it: public, and the same
    /// for everyone.
    pub fn halton(places: std::ops::Range<usize>, dimensions: usize) -> Points {
        let inputs = PRIMES.iter().cycle().take(dimensions).enumerate();
        Points { inputs: inputs.map(|(input, &base)| halton(places.clone(), base, input)).collect() }
    }

    /// Every combination of `side` evenly spaced values, ends included.
    pub fn grid(side: usize, inputs: usize) -> Points {
        let mut points = Points::new(inputs);
        let last = (side.max(2) - 1) as f64;
        for number in 0..side.pow(inputs as u32) {
            let mut rest = number;
            let digits = (0..inputs).map(|_| {
                let digit = rest % side;
                rest /= side;
                digit as f64 / last
            });
            points.push(&digits.collect::<Vec<f64>>());
        }
        points
    }

    /// Public actions to choose from: 101 of one input, 33 by 33 of two, and as many scattered ones of more.
    pub fn candidates(actions: usize) -> Points {
        match actions {
            1 => Points::grid(101, 1),
            2 => Points::grid(33, 2),
            _ => Points::halton(0..1089, actions),
        }
    }

    /// Changes one input of all points.
    pub(crate) fn map(&mut self, input: usize, change: impl Fn(f64) -> f64) {
        self.inputs[input].iter_mut().for_each(|x| *x = change(*x));
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.inputs.first().map_or(0, Vec::len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many inputs a point has.
    pub fn dimensions(&self) -> usize {
        self.inputs.len()
    }

    /// One input of all points.
    pub fn input(&self, input: usize) -> &[f64] {
        &self.inputs[input]
    }

    /// Adds a point, each coordinate clipped to the unit interval. A coordinate that is not a number becomes
    /// 0, and one that is missing too: a person with a strange record must not be visible by it.
    pub fn push(&mut self, point: &[f64]) {
        for (place, input) in self.inputs.iter_mut().enumerate() {
            let x = point.get(place).copied().unwrap_or(0.0);
            input.push(if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) });
        }
    }

    /// One point.
    pub fn point(&self, number: usize) -> Vec<f64> {
        self.inputs.iter().map(|input| input[number]).collect()
    }

    /// Some of the points, in the order given.
    #[must_use]
    pub fn select(&self, numbers: &[usize]) -> Points {
        Points {
            inputs: self.inputs.iter().map(|input| numbers.iter().map(|&n| input[n]).collect()).collect(),
        }
    }

    /// A run of consecutive points.
    #[must_use]
    pub fn range(&self, numbers: std::ops::Range<usize>) -> Points {
        Points { inputs: self.inputs.iter().map(|input| input[numbers.clone()].to_vec()).collect() }
    }

    /// The first inputs of all points.
    #[must_use]
    pub fn first(&self, inputs: usize) -> Points {
        Points { inputs: self.inputs[..inputs].to_vec() }
    }

    /// Points whose inputs are those of `self` followed by those of `other`, one to one.
    #[must_use]
    pub fn beside(&self, other: &Points) -> Points {
        let len = self.len().min(other.len());
        let inputs = self.inputs.iter().chain(&other.inputs);
        Points { inputs: inputs.map(|input| input[..len].to_vec()).collect() }
    }

    /// The points of `self`, then those of `other`.
    #[must_use]
    pub fn then(mut self, other: &Points) -> Points {
        for (input, more) in self.inputs.iter_mut().zip(&other.inputs) {
            input.extend_from_slice(more);
        }
        self
    }
}

const PRIMES: [usize; 24] =
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89];

/// The digits of each place in the base, mirrored at the point. From the fifth input on, the digits are
/// multiplied by a constant first, which breaks the lines that large bases make together (Braaten and Weller
/// 1979).
fn halton(places: std::ops::Range<usize>, base: usize, input: usize) -> Vec<f64> {
    let multiplier = if input < 4 { 1 } else { ((base as f64 * 0.618) as usize).max(1) };
    let one = |place: usize| {
        let (mut rest, mut share, mut x) = (place + 1, 1.0, 0.0);
        while rest > 0 {
            share /= base as f64;
            x += share * (rest % base * multiplier % base) as f64;
            rest /= base;
        }
        x
    };
    places.map(one).collect()
}
