//! All that is kept of the reports: two sums per arm, whatever the number of people.
//!
//! A task's people who are in one coarse cell and got one arm form a set of cells S. Their good minus bad
//! rewards, summed, have mean `n sum_{x in S} m(x) f(x)` and variance n / w. As a function of f the
//! log-likelihood is, up to a constant, `sum_x m(x) f(x) moment(x) - 1/2 sum_{x,y} m(x) f(x) gram(x, y) m(y)
//! f(y)`, where moment adds w times the sum and gram adds w n on S x S. The masses m stay outside, so that
//! they can be learned later, also where a total was made less noisy by taking out how many people there
//! were.

use serde::{Deserialize, Serialize};

use crate::linear::{add_scaled, dot};

/// The sums of one function's observations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sums {
    gram: Vec<f64>,
    moment: Vec<f64>,
    /// What is to be added to the moment, times the masses: empty for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    returned: Vec<f64>,
    /// What was said about cells by themselves, each a precision and precision times mean: empty for nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    alone: Vec<[f64; 2]>,
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
/// Far above what sums of a billion terms lose.
const ROUNDING: f64 = 1.0 + 1e-6;

impl Sums {
    pub(super) fn new(cells: usize) -> Sums {
        let (gram, moment) = (vec![0.0; cells * cells], vec![0.0; cells]);
        Sums { gram, moment, returned: Vec::new(), alone: Vec::new() }
    }

    /// Adds what `people` people say about the cells of `set`, of whose people `shares` are in the total (all,
    /// if it is empty): a total with variance `people / weight`.
    pub(super) fn add(&mut self, set: &[u32], shares: &[f64], weight: f64, people: f64, total: f64) {
        let cells = self.moment.len();
        for (i, &x) in set.iter().enumerate() {
            let share = share(shares, i);
            self.moment[x as usize] += weight * total * share;
            let row = &mut self.gram[x as usize * cells..(x as usize + 1) * cells];
            add_products(row, set, shares, weight * people * share);
        }
    }

    /// The same for a total from which `part` of each person of the set was taken: how many there were is
    /// given back when their masses are known.
    pub(super) fn add_without(
        &mut self,
        set: &[u32],
        shares: &[f64],
        weight: f64,
        people: f64,
        total: f64,
        part: f64,
    ) {
        self.add(set, shares, weight, people, total);
        let cells = self.moment.len();
        self.returned.resize(cells * cells, 0.0);
        for (i, &x) in set.iter().enumerate() {
            let row = &mut self.returned[x as usize * cells..(x as usize + 1) * cells];
            add_products(row, set, shares, weight * people * part * share(shares, i));
        }
    }

    /// Adds what people say about one cell and nothing else: the mean of the function there, with this precision. How
    /// many people there are was counted with it, so that no masses stay outside.
    pub(super) fn add_alone(&mut self, cell: u32, precision: f64, mean: f64) {
        self.alone.resize(self.moment.len(), [0.0; 2]);
        let [sum, moment] = &mut self.alone[cell as usize];
        *sum += precision;
        *moment += precision * mean;
    }

    /// The same in sums: precision, and precision times mean.
    pub(super) fn add_alone_sums(&mut self, cell: u32, precision: f64, moment: f64) {
        self.add_group_alone(cell as usize, precision, moment);
    }

    /// The same of a cell with this mass, as a total of its people.
    pub(super) fn add_single(&mut self, cell: usize, precision: f64, moment: f64, mass: f64) {
        let cells = self.moment.len();
        self.gram[cell * cells + cell] += precision / (mass * mass);
        self.moment[cell] += moment / mass;
    }

    /// What was said about cells by themselves, which is forgotten.
    pub(super) fn take_alone(&mut self) -> Vec<[f64; 2]> {
        std::mem::take(&mut self.alone)
    }

    /// The gram matrix and what is given back, row by row; the second is empty for none.
    pub(super) fn matrices(&self) -> [&[f64]; 2] {
        [&self.gram, &self.returned]
    }

    /// The moment without what is given back.
    pub(super) fn moment_row(&self) -> &[f64] {
        &self.moment
    }

    /// All but what was said about cells by themselves.
    pub(super) fn set(&mut self, gram: Vec<f64>, moment: Vec<f64>, returned: Vec<f64>) {
        (self.gram, self.moment, self.returned) = (gram, moment, returned);
    }

    /// Adds other sums of the same cells.
    fn add_sums(&mut self, other: &Sums) {
        let add = |to: &mut Vec<f64>, from: &[f64]| {
            to.resize(from.len().max(to.len()), 0.0);
            if !from.is_empty() {
                add_scaled(to, 1.0, from);
            }
        };
        add(&mut self.gram, &other.gram);
        add(&mut self.moment, &other.moment);
        add(&mut self.returned, &other.returned);
        for (cell, [precision, moment]) in other.alone.iter().enumerate() {
            self.add_group_alone(cell, *precision, *moment);
        }
    }

    /// Adds a row of sums of groups, which count `mass` times.
    pub(super) fn add_group(&mut self, group: usize, mass: f64, row: &[f64], moment: f64) {
        add_scaled(&mut self.gram[group * row.len()..][..row.len()], mass, row);
        self.moment[group] += mass * moment;
    }

    /// Adds what was said about a cell by itself to its group.
    pub(super) fn add_group_alone(&mut self, group: usize, precision: f64, moment: f64) {
        self.alone.resize(self.moment.len(), [0.0; 2]);
        self.alone[group][0] += precision;
        self.alone[group][1] += moment;
    }

    /// For each cell what was said about it by itself, precision and precision times mean; empty for nothing.
    pub(super) fn alone(&self) -> &[[f64; 2]] {
        &self.alone
    }

    /// How many cells, or groups of them, there are.
    pub(super) fn cells(&self) -> usize {
        self.moment.len()
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
            .chain(self.alone.as_flattened_mut())
            .for_each(|value| *value *= factor);
    }

    fn is_possible(&self, cells: usize) -> bool {
        // Cauchy and Schwarz, with room for rounding: what breaks this has no posterior.
        let is_gram = |at: usize| {
            let (x, y) = (at / cells, at % cells);
            let (value, own) = (self.gram[at], self.gram[x * cells + x] * self.gram[y * cells + y]);
            (0.0..=LARGEST).contains(&value)
                && value * value <= own * ROUNDING
                && value == self.gram[y * cells + x]
        };
        let is_alone = |[precision, moment]: &[f64; 2]| {
            (0.0..=LARGEST).contains(precision)
                && moment.abs() <= LARGEST
                && (*precision > 0.0 || *moment == 0.0)
        };
        self.moment.len() == cells
            && self.gram.len() == cells * cells
            && (self.returned.is_empty() || self.returned.len() == cells * cells)
            && self.moment.iter().chain(&self.returned).all(|x| x.abs() <= LARGEST)
            && (0..cells * cells).all(is_gram)
            && (self.alone.is_empty() || self.alone.len() == cells)
            && self.alone.iter().all(is_alone)
    }
}

/// The share of the i-th cell's people.
fn share(shares: &[f64], i: usize) -> f64 {
    shares.get(i).copied().unwrap_or(1.0)
}

/// Adds `weight` times each cell's share to a row.
fn add_products(row: &mut [f64], set: &[u32], shares: &[f64], weight: f64) {
    if shares.is_empty() {
        for &y in set {
            row[y as usize] += weight;
        }
    } else {
        for (&y, share) in set.iter().zip(shares) {
            row[y as usize] += weight * share;
        }
    }
}

impl Statistics {
    pub(super) fn new(cells: usize, arms: u32) -> Statistics {
        Statistics { arms: vec![Sums::new(cells); arms as usize], place: Sums::new(cells), people: 0.0 }
    }

    /// Adds other statistics of the same cells.
    pub(super) fn add(&mut self, other: &Statistics) {
        for (to, from) in self.arms.iter_mut().zip(&other.arms) {
            to.add_sums(from);
        }
        self.place.add_sums(&other.place);
        self.people += other.people;
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
