//! The posterior under one prior.

use faer::{Mat, MatRef};

use super::posterior::Situation;
use super::priors::Prior;
use super::sketch::OFFSET;
use crate::kernel::algebra::{self, Singular};
use crate::kernel::spectrum::Spectrum;

/// The posterior under one prior.
pub(super) struct Model {
    variances: Vec<f64>,
    /// The variance of what faster waves carry.
    pub(super) left: f64,
    /// The factor of the covariance of the sum.
    lower: Mat<f64>,
    pub(super) mean: Mat<f64>,
    pub(super) likelihood: f64,
    /// How many released numbers, and the square of what is released in units of what is expected.
    numbers: (f64, f64),
}

impl Model {
    pub(super) fn new(situation: &Situation<'_>, prior: &Prior) -> Result<Model, Singular> {
        let Situation { sketch, seen, waves, people, second, faster, unsure, noise, .. } = situation;
        let (rank, all) = (second.nrows(), second.ncols());
        let Prior { kernel, smoothness, structure, variance, .. } = prior;
        let spectrum = Spectrum::new(waves, waves.len(), sketch.setting(), kernel, *smoothness, *structure);
        let mut variances: Vec<f64> = spectrum.variances.iter().map(|share| variance * share).collect();
        variances[0] += OFFSET;
        let others = variances.split_off(all);
        let left = variance * spectrum.left + others.iter().sum::<f64>();
        let chance = people * (noise + left);
        let mut covariance = Mat::from_fn(rank, rank, |i, j| {
            chance * second[(i, j)] + unsure[(i, j)] + if i == j { seen.sum_noise[i] } else { 0.0 }
        });
        for (moments, variances) in [(second, &variances), (faster, &others)] {
            let rooted =
                Mat::from_fn(moments.ncols(), rank, |i, j| people * variances[i].sqrt() * moments[(j, i)]);
            algebra::add_gram(covariance.as_mut(), rooted.as_ref());
        }
        let lower = algebra::cholesky(covariance.as_ref())?;
        let mut solved = Mat::from_fn(rank, 1, |i, _| seen.sum[i]);
        algebra::solve_lower(lower.as_ref(), solved.as_mut());
        let quadratic: f64 = solved.col(0).iter().map(|entry| entry * entry).sum();
        let determinant: f64 = lower.diagonal().column_vector().iter().map(|entry| libm::log(*entry)).sum();
        algebra::solve_upper(lower.as_ref(), solved.as_mut());
        let mut mean = algebra::times(second.transpose(), solved.as_ref());
        mean.col_mut(0).iter_mut().zip(&variances).for_each(|(entry, variance)| *entry *= variance * people);
        let likelihood = -0.5 * quadratic - determinant;
        Ok(Model { variances, left, lower, mean, likelihood, numbers: (rank as f64, quadratic) })
    }

    /// By how many deviations of a chi-square the released numbers are farther from nothing than expected.
    pub(super) fn misfit(&self) -> f64 {
        let (rank, quadratic) = self.numbers;
        (quadratic - rank) / (2.0 * rank).sqrt()
    }

    /// What would be lost of the mean by smoothing if it were the truth, for its covariance.
    pub(super) fn lost(&self, covariance: &Mat<f64>) -> Mat<f64> {
        let one = |i: usize| self.mean[(i, 0)] / self.variances[i].max(f64::MIN_POSITIVE);
        algebra::times(covariance.as_ref(), Mat::from_fn(self.variances.len(), 1, |i, _| one(i)).as_ref())
    }

    /// P - P M' C^-1 M P.
    pub(super) fn covariance(&self, situation: &Situation<'_>) -> Mat<f64> {
        let (rank, all) = (self.lower.nrows(), self.variances.len());
        let second: MatRef<'_, f64> = situation.second.as_ref();
        let mut solved =
            Mat::from_fn(rank, all, |i, j| situation.people * second[(i, j)] * self.variances[j]);
        algebra::solve_lower(self.lower.as_ref(), solved.as_mut());
        let mut explained = Mat::zeros(all, all);
        algebra::add_gram(explained.as_mut(), solved.as_ref());
        algebra::mirror(explained.as_mut());
        Mat::from_fn(all, all, |i, j| if i == j { self.variances[i] } else { 0.0 } - explained[(i, j)])
    }
}
