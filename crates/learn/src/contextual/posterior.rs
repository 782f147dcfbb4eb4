//! The Gaussian posterior of a function on the cells, in the coordinates of a basis.

use reticent_privacy::SimRng;

use super::kernel::{Basis, LANES};
use super::statistics::Sums;
use crate::linear::{Lower, add_scaled, dot};

/// Observations in a basis: precision (lower triangle), and precision times mean and the log-likelihood
/// without coordinates, both as functions of the level around which the function varies.
#[derive(Debug, Clone)]
pub(super) struct System {
    rank: usize,
    precision: Vec<f64>,
    moment: Vec<f64>,
    /// What one unit of level takes from the moment.
    level_moment: Vec<f64>,
    /// The log-likelihood of a level and nothing else: the first times it, minus half the second times its square.
    level_terms: [f64; 2],
}

/// A posterior over a basis's coordinates, whose prior is standard normal.
#[derive(Debug, Clone)]
pub(super) struct Posterior {
    factor: Lower,
    /// The mean, multiplied by the transposed factor.
    whitened: Vec<f64>,
    mean: Vec<f64>,
    level: f64,
    flat: f64,
}

/// Cells, and functions, handled together.
const BLOCK: usize = 4;
const TILE: usize = 4;
const _: () = assert!(LANES.is_multiple_of(TILE), "a basis is made of whole tiles");

impl System {
    /// No observation.
    pub(super) fn empty(rank: usize) -> System {
        System {
            rank,
            precision: vec![0.0; rank * rank],
            moment: vec![0.0; rank],
            level_moment: vec![0.0; rank],
            level_terms: [0.0; 2],
        }
    }

    /// The observations `sums` of level + function, in cells with these masses.
    pub(super) fn new(basis: &Basis, masses: &[f64], sums: &Sums) -> System {
        let (rank, cells) = (basis.rank, masses.len());
        let mut system = System::empty(rank);
        let mut weighted = basis.values.clone();
        for (row, &mass) in weighted.chunks_exact_mut(rank).zip(masses) {
            for value in row {
                *value *= mass;
            }
        }
        let moments = sums.moments(masses);
        let mut images = vec![0.0; BLOCK * rank];
        let mut others = Vec::with_capacity(cells);
        for first in (0..cells).step_by(BLOCK) {
            // A grid with fewer cells than a block repeats its last.
            let block: [usize; BLOCK] = std::array::from_fn(|i| (first + i).min(cells - 1));
            let gram = block.map(|cell| sums.gram_row(cell));
            others.clear();
            others.extend((0..cells).filter(|&other| gram.iter().any(|row| row[other] != 0.0)));
            multiply(gram, &others, &weighted, rank, &mut images);
            for (image, cell) in images.chunks_exact(rank).zip(first..(first + BLOCK).min(cells)) {
                let row = &weighted[cell * rank..(cell + 1) * rank];
                for (i, &value) in row.iter().enumerate() {
                    add_scaled(&mut system.precision[i * rank..=i * rank + i], value, &image[..=i]);
                }
                let gram_masses = dot(sums.gram_row(cell), masses);
                let moment = moments[cell];
                add_scaled(&mut system.moment, moment, row);
                add_scaled(&mut system.level_moment, gram_masses, row);
                system.level_terms[0] += masses[cell] * moment;
                system.level_terms[1] += masses[cell] * gram_masses;
            }
        }
        system
    }

    /// Adds `weight` times the observations of `other`.
    pub(super) fn add(&mut self, weight: f64, other: &System) {
        add_scaled(&mut self.precision, weight, &other.precision);
        add_scaled(&mut self.moment, weight, &other.moment);
        add_scaled(&mut self.level_moment, weight, &other.level_moment);
        add_scaled(&mut self.level_terms, weight, &other.level_terms);
    }

    /// The same observations in functions that are so many times as large.
    pub(super) fn scaled(mut self, factor: f64) -> System {
        if factor != 1.0 {
            self.precision.iter_mut().for_each(|value| *value *= factor * factor);
            self.moment.iter_mut().chain(&mut self.level_moment).for_each(|value| *value *= factor);
        }
        self
    }

    /// The log-likelihood of a level, when the function is flat.
    pub(super) fn flat(&self, level: f64) -> f64 {
        let [linear, square] = self.level_terms;
        level * (linear - 0.5 * level * square)
    }

    /// How much is known, in all coordinates together.
    pub(super) fn information(&self) -> f64 {
        (0..self.rank).map(|i| self.precision[i * self.rank + i]).sum()
    }

    /// The posterior of the function around `level`.
    pub(super) fn posterior(&self, level: f64) -> Posterior {
        let mut precision = self.precision.clone();
        for i in 0..self.rank {
            precision[i * self.rank + i] += 1.0;
        }
        let factor = Lower::factor(self.rank, precision);
        let mut whitened = self.moment.clone();
        add_scaled(&mut whitened, -level, &self.level_moment);
        factor.solve(&mut whitened);
        let mut mean = whitened.clone();
        factor.solve_transposed(&mut mean);
        Posterior { factor, whitened, mean, level, flat: self.flat(level) }
    }
}

impl Posterior {
    /// The logarithm of the observations' density under the prior, up to a constant of the observations alone.
    pub(super) fn evidence(&self) -> f64 {
        0.5 * dot(&self.whitened, &self.whitened) - 0.5 * self.factor.log_det() + self.flat
    }

    /// The mean on the cells.
    pub(super) fn mean(&self, basis: &Basis) -> Vec<f64> {
        function(basis, &self.mean, self.level)
    }

    /// The standard deviation on the cells.
    pub(super) fn deviation(&self, basis: &Basis) -> Vec<f64> {
        let mut row = vec![0.0; basis.rank];
        basis
            .values
            .chunks_exact(basis.rank)
            .map(|values| {
                row.copy_from_slice(values);
                self.factor.solve(&mut row);
                dot(&row, &row).sqrt()
            })
            .collect()
    }

    /// One function drawn from the posterior.
    pub(super) fn sample(&self, basis: &Basis, rng: &mut SimRng) -> Vec<f64> {
        let mut coordinates: Vec<f64> = self.whitened.iter().map(|w| w + rng.normal()).collect();
        self.factor.solve_transposed(&mut coordinates);
        function(basis, &coordinates, self.level)
    }
}

/// Rows of the gram matrix, which are zero but for `others`, times the functions. Four by four sums stay in registers.
fn multiply(gram: [&[f64]; BLOCK], others: &[usize], functions: &[f64], rank: usize, images: &mut [f64]) {
    for column in (0..rank).step_by(TILE) {
        let mut sums = [[0.0; TILE]; BLOCK];
        for &other in others {
            let row = &functions[other * rank + column..][..TILE];
            for (sums, gram) in sums.iter_mut().zip(gram) {
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += gram[other] * value;
                }
            }
        }
        for (image, sums) in images.chunks_exact_mut(rank).zip(sums) {
            image[column..column + TILE].copy_from_slice(&sums);
        }
    }
}

fn function(basis: &Basis, coordinates: &[f64], level: f64) -> Vec<f64> {
    basis.values.chunks_exact(basis.rank).map(|row| level + dot(row, coordinates)).collect()
}
