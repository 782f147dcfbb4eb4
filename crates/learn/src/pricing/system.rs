//! Linear observations of a basis's coefficients, and their Gaussian posterior.

use crate::linear::{Lower, add_scaled, dot};

/// Observations so far: precision (lower triangle) and precision times mean.
#[derive(Debug, Clone)]
pub(super) struct System {
    rank: usize,
    precision: Vec<f64>,
    moment: Vec<f64>,
}

/// The posterior of coefficients that are standard normal a priori.
#[derive(Debug, Clone)]
pub(super) struct Posterior {
    factor: Lower,
    mean: Vec<f64>,
    evidence: f64,
}

impl System {
    pub(super) fn new(rank: usize) -> System {
        System { rank, precision: vec![0.0; rank * rank], moment: vec![0.0; rank] }
    }

    /// Adds the observations that each of `rows` times the coefficients is a value, with a variance. Four at a time, so
    /// that the precision is gone through a quarter as often.
    pub(super) fn observe(&mut self, rows: &[f64], observed: &[(f64, f64)]) {
        let rank = self.rank;
        for (row, &(value, variance)) in rows.chunks_exact(rank).zip(observed) {
            add_scaled(&mut self.moment, value / variance, row);
        }
        let (fours, rest) = observed.as_chunks::<4>();
        for (rows, observed) in rows.chunks_exact(4 * rank).zip(fours) {
            let each: [&[f64]; 4] = std::array::from_fn(|row| &rows[row * rank..(row + 1) * rank]);
            for i in 0..rank {
                let weights: [f64; 4] = std::array::from_fn(|row| each[row][i] / observed[row].1);
                let sums = &mut self.precision[i * rank..=i * rank + i];
                let [a, b, c, d] = each.map(|row| &row[..=i]);
                for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                    *sum += (weights[0] * a + weights[1] * b) + (weights[2] * c + weights[3] * d);
                }
            }
        }
        let last = 4 * fours.len() * rank;
        for (row, &(_, variance)) in rows[last..].chunks_exact(rank).zip(rest) {
            for (i, &weight) in row.iter().enumerate() {
                add_scaled(&mut self.precision[i * rank..=i * rank + i], weight / variance, &row[..=i]);
            }
        }
    }

    pub(super) fn posterior(mut self) -> Posterior {
        for i in 0..self.rank {
            self.precision[i * self.rank + i] += 1.0;
        }
        let factor = Lower::factor(self.rank, self.precision);
        let mut mean = self.moment;
        factor.solve(&mut mean);
        let evidence = 0.5 * dot(&mean, &mean) - 0.5 * factor.log_det();
        factor.solve_transposed(&mut mean);
        Posterior { factor, mean, evidence }
    }
}

impl Posterior {
    /// The logarithm of the observations' density under the prior, up to a constant of the observations alone.
    pub(super) fn evidence(&self) -> f64 {
        self.evidence
    }

    /// The mean of `row` times the coefficients.
    pub(super) fn mean(&self, row: &[f64]) -> f64 {
        dot(row, &self.mean)
    }

    /// Turns a row into one whose product with a standard normal vector has the row's posterior law around
    /// its mean; its length is the deviation.
    pub(super) fn whiten(&self, row: &mut [f64]) {
        self.factor.solve(row);
    }

    /// For each coefficient, what [`whiten`](Self::whiten) makes of it alone: as many numbers as there are.
    pub(super) fn whitened(&self) -> Vec<f64> {
        let rank = self.mean.len();
        let mut all = vec![0.0; rank * rank];
        for (at, row) in all.chunks_exact_mut(rank).enumerate() {
            row[at] = 1.0;
            self.whiten(row);
        }
        all
    }

    /// Coefficients drawn around their mean, from standard normal vectors one after another: for each coefficient
    /// one of each draw.
    pub(super) fn drawn(&self, normals: &[f64]) -> Vec<f64> {
        let rank = self.mean.len();
        let count = normals.len() / rank;
        let mut all = vec![0.0; normals.len()];
        for (draw, normal) in normals.chunks_exact(rank).enumerate() {
            let mut coefficients = normal.to_vec();
            self.factor.solve_transposed(&mut coefficients);
            for (at, value) in coefficients.into_iter().enumerate() {
                all[at * count + draw] = value;
            }
        }
        all
    }

    /// The mean of each coefficient.
    pub(super) fn means(&self) -> &[f64] {
        &self.mean
    }

    /// The standard deviation of `row` times the coefficients.
    pub(super) fn deviation(&self, row: &[f64]) -> f64 {
        let mut row = row.to_vec();
        self.whiten(&mut row);
        dot(&row, &row).sqrt()
    }
}
