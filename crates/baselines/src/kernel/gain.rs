//! gamma_T, the maximal information gain (paper 002, section 2.1), computed.

use faer::Mat;

use reticent_curate::kernel::algebra::{self, Singular};
use reticent_curate::kernel::{FeatureMap, Points};

/// Bounds on gamma_T = sup over T points of 1/2 log det(I + K/tau).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    /// The gain of T points spread evenly, in the space of features: these are a choice, and features explain
    /// no more than the kernel has, so gamma_T is at least this.
    pub even: f64,
    /// The gain of a nearly best continuous design on public candidates: about the most that any T points
    /// have, for a T that is not small.
    pub best: f64,
}

/// Steps of the multiplicative algorithm for the best design; the gain is within a thousandth by then.
const STEPS: usize = 60;

impl Gain {
    /// Computes both for T points, `sum` being the sum of phi phi' over T points that are spread evenly.
    pub fn new(
        map: &FeatureMap,
        sum: &Mat<f64>,
        candidates: &Points,
        points: f64,
        tau: f64,
    ) -> Result<Gain, Singular> {
        let (even, _) = of(sum, 1.0, tau)?;
        let features = map.rows(candidates);
        let mut weights = vec![1.0 / candidates.len() as f64; candidates.len()];
        let mut best = even;
        for _ in 0..STEPS {
            let weighted =
                Mat::from_fn(features.nrows(), features.ncols(), |i, j| features[(i, j)] * weights[i].sqrt());
            let mut moment = Mat::zeros(map.rank(), map.rank());
            algebra::add_gram(moment.as_mut(), weighted.as_ref());
            algebra::mirror(moment.as_mut());
            let (gain, lower) = of(&moment, points, tau)?;
            best = best.max(gain);
            // Weights grow where the variance is above its mean (Titterington 1976): each step raises the determinant.
            let mut solved = features.transpose().to_owned();
            algebra::solve_lower(lower.as_ref(), solved.as_mut());
            for (weight, column) in weights.iter_mut().zip(solved.col_iter()) {
                *weight *= column.iter().map(|entry| entry * entry).sum::<f64>();
            }
            let total: f64 = weights.iter().sum();
            for weight in &mut weights {
                *weight /= total;
            }
        }
        Ok(Gain { even, best })
    }
}

/// 1/2 log det(I + T M/tau), and the factor of I + T M/tau.
fn of(moment: &Mat<f64>, points: f64, tau: f64) -> Result<(f64, Mat<f64>), Singular> {
    let rank = moment.nrows();
    let matrix =
        Mat::from_fn(rank, rank, |i, j| points / tau * moment[(i, j)] + if i == j { 1.0 } else { 0.0 });
    let lower = algebra::cholesky(matrix.as_ref())?;
    Ok((lower.diagonal().column_vector().iter().map(|entry| libm::log(*entry)).sum(), lower))
}
