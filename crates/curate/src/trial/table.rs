//! What the curator publishes: one table for each epoch, and nothing else.
//!
//! A person is in one cell of one table, where they add 1 in all to four counts: to `missing`, or to the
//! Bernstein weights (1-y)^2, 2y(1-y), y^2 of their outcome y in [0, 1]. The weights tell the mean and the
//! variance of a cell, and however a person's row is replaced, the counts of all tables together move by 2 at
//! most. `guarantee.md` has the proof.

use std::num::NonZeroU64;

use reticent_privacy::exact::DiscreteLaplace;
use reticent_privacy::{Epsilon, Generator};
use serde::{Deserialize, Serialize};

use super::spec::{STEPS, Steps};

/// What a person adds, in units of 1 / [`STEPS`], to the four counts of their cell.
pub(super) type Weights = [u32; COUNTS];

/// Counts of a cell: at the low end, in the middle, at the high end, missing.
pub const COUNTS: usize = 4;
/// Where outcomes at the middle count.
pub(super) const MIDDLE: usize = 1;

/// The Bernstein weights of an outcome. They are rounded so that they sum to [`STEPS`] exactly.
pub(super) fn weights(outcome: Option<Steps>) -> Weights {
    let Some(Steps(y)) = outcome else { return [0, 0, 0, STEPS] };
    let square = |y: u32| (u64::from(y) * u64::from(y) / u64::from(STEPS)) as u32;
    let (high, low) = (square(y), square(STEPS - y));
    [low, STEPS - low - high, high, 0]
}

/// Exact sums of one epoch. It never leaves the curator; its `Debug` tells nothing.
pub(super) struct Sums {
    counts: Vec<[i64; COUNTS]>,
}

impl std::fmt::Debug for Sums {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sums(..)")
    }
}

impl Sums {
    pub(super) fn new(cells: usize) -> Sums {
        Sums { counts: vec![[0; COUNTS]; cells] }
    }

    pub(super) fn add(&mut self, cell: usize, weights: Weights) {
        for (count, weight) in self.counts[cell].iter_mut().zip(weights) {
            *count += i64::from(weight);
        }
    }

    /// The sums with noise: the only way out. A binary outcome never touches the middle count, which is left
    /// out of the release.
    pub(super) fn release<G: Generator>(self, epsilon: Option<Epsilon>, binary: bool, rng: &mut G) -> Table {
        let noise = epsilon.map(noise);
        let mut counts = self.counts;
        if let Some(noise) = noise {
            for cell in &mut counts {
                for (place, count) in cell.iter_mut().enumerate() {
                    if !(binary && place == MIDDLE) {
                        let noisy = i128::from(*count) + noise.sample(rng);
                        *count = noisy.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                    }
                }
            }
        }
        Table { counts }
    }
}

/// However one person is replaced, counts move by so many steps in all: out of one cell, into another.
const SENSITIVITY: u64 = 2 * STEPS as u64;

fn noise(epsilon: Epsilon) -> DiscreteLaplace {
    let numerator = NonZeroU64::new(SENSITIVITY * 1_000_000_000).unwrap_or(NonZeroU64::MAX);
    DiscreteLaplace::new(numerator, epsilon.nano_nonzero())
}

/// A published table: counts with their noise, in steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    counts: Vec<[i64; COUNTS]>,
}

/// One cell of a table, in people.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cell {
    /// Weights at the low end, the middle and the high end of the outcome.
    pub counts: [f64; 3],
    /// People without an outcome.
    pub missing: f64,
}

impl Table {
    /// How many cells it has.
    pub fn cells(&self) -> usize {
        self.counts.len()
    }

    /// A cell, in people.
    pub fn cell(&self, cell: usize) -> Cell {
        let [low, middle, high, missing] = self.counts[cell].map(|steps| steps as f64 / f64::from(STEPS));
        Cell { counts: [low, middle, high], missing }
    }
}

impl Cell {
    /// People with an outcome, as far as the noise lets us know.
    pub fn people(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Both together.
    pub(super) fn plus(&self, other: Cell) -> Cell {
        let mut sum = *self;
        for (count, more) in sum.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        Cell { missing: self.missing + other.missing, ..sum }
    }
}

/// Where the three counts stand on the scaled outcome.
pub(super) const PLACES: [f64; 3] = [0.0, 0.5, 1.0];

/// The variance of the noise in one count, in people.
pub(super) fn noise_variance(epsilon: Option<Epsilon>) -> f64 {
    noise_of(2.0, epsilon)
}

/// The variance of noise that hides a change of `sensitivity`.
pub(super) fn noise_of(sensitivity: f64, epsilon: Option<Epsilon>) -> f64 {
    epsilon.map_or(0.0, |epsilon| {
        // 2 theta / (1 - theta)^2 of the two-sided geometric law; its limit at fine steps is 2 scale^2, to
        // within 1e-12 here.
        let scale = sensitivity / epsilon.value();
        2.0 * scale * scale
    })
}
