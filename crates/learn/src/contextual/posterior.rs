//! The Gaussian posterior of a function on the cells, in the coordinates of a basis.

use reticent_privacy::SimRng;

use super::kernel::Basis;
use super::linear::{Lower, add_scaled, dot};
use super::statistics::Sums;

/// Observations in a basis: precision (lower triangle), precision times mean, and the part of the log-likelihood that no coordinate enters.
#[derive(Debug, Clone)]
pub(super) struct System {
    rank: usize,
    precision: Vec<f64>,
    moment: Vec<f64>,
    constant: f64,
}

/// A posterior over a basis's coordinates, whose prior is standard normal.
#[derive(Debug, Clone)]
pub(super) struct Posterior {
    factor: Lower,
    /// The mean, multiplied by the transposed factor.
    whitened: Vec<f64>,
    mean: Vec<f64>,
    constant: f64,
}

impl System {
    /// No observation.
    pub(super) fn empty(rank: usize) -> System {
        System { rank, precision: vec![0.0; rank * rank], moment: vec![0.0; rank], constant: 0.0 }
    }

    /// The observations `sums` of level + function, in cells with these masses.
    pub(super) fn new(basis: &Basis, masses: &[f64], sums: &Sums, level: f64) -> System {
        let (rank, cells) = (basis.rank, masses.len());
        let mut system = System::empty(rank);
        let mut weighted = basis.values.clone();
        for (row, &mass) in weighted.chunks_exact_mut(rank).zip(masses) {
            row.iter_mut().for_each(|value| *value *= mass);
        }
        let mut image = vec![0.0; rank];
        for cell in 0..cells {
            image.fill(0.0);
            let mut gram_masses = 0.0;
            for (other, &gram) in sums.gram_row(cell).iter().enumerate() {
                if gram != 0.0 {
                    add_scaled(&mut image, gram, &weighted[other * rank..(other + 1) * rank]);
                    gram_masses += gram * masses[other];
                }
            }
            let row = &weighted[cell * rank..(cell + 1) * rank];
            for (i, &value) in row.iter().enumerate() {
                add_scaled(&mut system.precision[i * rank..=i * rank + i], value, &image[..=i]);
            }
            let moment = sums.moment()[cell];
            add_scaled(&mut system.moment, moment - level * gram_masses, row);
            system.constant += level * masses[cell] * (moment - 0.5 * level * gram_masses);
        }
        system
    }

    /// Adds `weight` times the observations of `other`.
    pub(super) fn add(&mut self, weight: f64, other: &System) {
        add_scaled(&mut self.precision, weight, &other.precision);
        add_scaled(&mut self.moment, weight, &other.moment);
        self.constant += weight * other.constant;
    }

    /// The part of the log-likelihood that no coordinate enters.
    pub(super) fn constant(&self) -> f64 {
        self.constant
    }

    /// How much is known, in all coordinates together.
    pub(super) fn information(&self) -> f64 {
        (0..self.rank).map(|i| self.precision[i * self.rank + i]).sum()
    }

    pub(super) fn posterior(&self) -> Posterior {
        let mut precision = self.precision.clone();
        for i in 0..self.rank {
            precision[i * self.rank + i] += 1.0;
        }
        let factor = Lower::factor(self.rank, precision);
        let mut whitened = self.moment.clone();
        factor.solve(&mut whitened);
        let mut mean = whitened.clone();
        factor.solve_transposed(&mut mean);
        Posterior { factor, whitened, mean, constant: self.constant }
    }
}

impl Posterior {
    /// The logarithm of the observations' density under the prior, up to a constant of the observations alone.
    pub(super) fn evidence(&self) -> f64 {
        0.5 * dot(&self.whitened, &self.whitened) - 0.5 * self.factor.log_det() + self.constant
    }

    /// The mean on the cells, around `level`.
    pub(super) fn mean(&self, basis: &Basis, level: f64) -> Vec<f64> {
        function(basis, &self.mean, level)
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

    /// One function drawn from the posterior, around `level`.
    pub(super) fn sample(&self, basis: &Basis, level: f64, rng: &mut SimRng) -> Vec<f64> {
        let mut coordinates: Vec<f64> = self.whitened.iter().map(|w| w + rng.normal()).collect();
        self.factor.solve_transposed(&mut coordinates);
        function(basis, &coordinates, level)
    }
}

fn function(basis: &Basis, coordinates: &[f64], level: f64) -> Vec<f64> {
    basis.values.chunks_exact(basis.rank).map(|row| level + dot(row, coordinates)).collect()
}
