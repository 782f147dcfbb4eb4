//! All that is kept of the reports: two sums per arm, whatever the number of people.
//!
//! A task's people who are in one coarse cell and got one arm form a set of cells S. Their good minus bad
//! rewards, summed, have mean `n sum_{x in S} m(x) f(x)` and variance n / w. As a function of f the
//! log-likelihood is, up to a constant, `sum_x m(x) f(x) moment(x) - 1/2 sum_{x,y} m(x) f(x) gram(x, y) m(y)
//! f(y)`, where moment adds w times the sum and gram adds w n on S x S. The masses m stay outside, so that
//! they can be learned later, also where a total was made less noisy by taking out how many people there
//! were.

use serde::{Deserialize, Serialize};

use crate::linear::dot;

/// The sums of one function's observations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sums {
    gram: Vec<f64>,
    moment: Vec<f64>,
    /// What is to be added to the moment, times the masses: empty for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    returned: Vec<f64>,
}

/// The sums of one population: each arm's effect, and where people are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Statistics {
    pub(super) arms: Vec<Sums>,
    pub(super) place: Sums,
    /// Reports in it, after forgetting.
    pub(super) people: f64,
}

/// No sum of reports gets there, and sums of squares of such numbers are still numbers.
const LARGEST: f64 = 1e30;

impl Sums {
    pub(super) fn new(cells: usize) -> Sums {
        Sums { gram: vec![0.0; cells * cells], moment: vec![0.0; cells], returned: Vec::new() }
    }

    /// Adds what `people` people say about the cells of `set`: a total with variance `people / weight`.
    pub(super) fn add(&mut self, set: &[u32], weight: f64, people: f64, total: f64) {
        let cells = self.moment.len();
        for &x in set {
            self.moment[x as usize] += weight * total;
            let row = &mut self.gram[x as usize * cells..(x as usize + 1) * cells];
            for &y in set {
                row[y as usize] += weight * people;
            }
        }
    }

    /// The same for a total from which `part` of each person of the set was taken: how many there were is
    /// given back when their masses are known.
    pub(super) fn add_without(&mut self, set: &[u32], weight: f64, people: f64, total: f64, part: f64) {
        self.add(set, weight, people, total);
        let cells = self.moment.len();
        self.returned.resize(cells * cells, 0.0);
        for &x in set {
            let row = &mut self.returned[x as usize * cells..(x as usize + 1) * cells];
            for &y in set {
                row[y as usize] += weight * people * part;
            }
        }
    }

    pub(super) fn gram_row(&self, cell: usize) -> &[f64] {
        let cells = self.moment.len();
        &self.gram[cell * cells..(cell + 1) * cells]
    }

    /// The moments if people are spread like this.
    pub(super) fn moments(&self, masses: &[f64]) -> Vec<f64> {
        let mut moments = self.moment.clone();
        for (moment, row) in moments.iter_mut().zip(self.returned.chunks_exact(masses.len())) {
            *moment += dot(row, masses);
        }
        moments
    }

    fn scale(&mut self, factor: f64) {
        self.gram
            .iter_mut()
            .chain(&mut self.moment)
            .chain(&mut self.returned)
            .for_each(|value| *value *= factor);
    }

    fn is_possible(&self, cells: usize) -> bool {
        // Two cells are never together in more sets than either is alone: what breaks this has no posterior.
        let is_gram = |at: usize| {
            let (x, y) = (at / cells, at % cells);
            let value = self.gram[at];
            (0.0..=LARGEST).contains(&value)
                && value <= self.gram[x * cells + x]
                && value == self.gram[y * cells + x]
        };
        self.moment.len() == cells
            && self.gram.len() == cells * cells
            && (self.returned.is_empty() || self.returned.len() == cells * cells)
            && self.moment.iter().chain(&self.returned).all(|x| x.abs() <= LARGEST)
            && (0..cells * cells).all(is_gram)
    }
}

impl Statistics {
    pub(super) fn new(cells: usize, arms: u32) -> Statistics {
        Statistics { arms: vec![Sums::new(cells); arms as usize], place: Sums::new(cells), people: 0.0 }
    }

    /// Forgets a share of everything.
    pub(super) fn keep(&mut self, share: f64) {
        self.arms.iter_mut().chain([&mut self.place]).for_each(|sums| sums.scale(share));
        self.people *= share;
    }

    pub(super) fn is_possible(&self, cells: usize, arms: u32) -> bool {
        self.arms.len() == arms as usize
            && self.arms.iter().chain([&self.place]).all(|sums| sums.is_possible(cells))
            && self.people.is_finite()
            && self.people >= 0.0
    }
}
