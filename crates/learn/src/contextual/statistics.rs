//! All that is kept of the reports: two sums per arm, whatever the number of people.
//!
//! A task's people who are in one coarse cell and got one arm form a set of cells S. Their good minus bad rewards, summed, have mean
//! `n sum_{x in S} m(x) f(x)` and variance n / w. As a function of f the log-likelihood is, up to a constant,
//! `sum_x m(x) f(x) moment(x) - 1/2 sum_{x,y} m(x) f(x) gram(x, y) m(y) f(y)`, where moment adds w times the sum and gram adds w n on S x S.
//! The masses m stay outside, so that they can be learned later.

use serde::{Deserialize, Serialize};

/// The sums of one function's observations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sums {
    gram: Vec<f64>,
    moment: Vec<f64>,
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
        Sums { gram: vec![0.0; cells * cells], moment: vec![0.0; cells] }
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

    pub(super) fn gram_row(&self, cell: usize) -> &[f64] {
        let cells = self.moment.len();
        &self.gram[cell * cells..(cell + 1) * cells]
    }

    pub(super) fn moment(&self) -> &[f64] {
        &self.moment
    }

    fn scale(&mut self, factor: f64) {
        self.gram.iter_mut().chain(&mut self.moment).for_each(|value| *value *= factor);
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
            && self.moment.iter().all(|x| x.abs() <= LARGEST)
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
