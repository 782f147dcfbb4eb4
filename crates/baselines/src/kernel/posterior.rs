//! The exact posterior of a Gaussian process, for as many records as a dense matrix has room for.

use faer::Mat;

use reticent_curate::kernel::algebra::{self, Singular};
use reticent_curate::kernel::blocks::BLOCK;
use reticent_curate::kernel::{Kernel, Points, Records};

/// Posterior mean and variance of eqs. (2) and (3) of paper 002, by the Cholesky factor of tau I + K in
/// double precision. Not private.
///
/// Takes 8 n^2 bytes and n^3 / 3 operations for n records: up to some ten thousand of them.
pub struct DensePosterior {
    kernel: Kernel,
    points: Points,
    /// L with L L' = tau I + K.
    factor: Mat<f64>,
    /// (tau I + K)^-1 y.
    weights: Mat<f64>,
}

impl DensePosterior {
    /// The posterior after `records`, whose rewards have noise of variance `tau`.
    pub fn new(kernel: &Kernel, tau: f64, records: &Records) -> Result<DensePosterior, Singular> {
        // Also refuses what is not a number.
        if !(0.0..f64::INFINITY).contains(&tau) {
            return Err(Singular);
        }
        let points = records.points().clone();
        let mut covariance = kernel.between(&points, &points);
        for i in 0..points.len() {
            covariance[(i, i)] += tau;
        }
        let factor = algebra::cholesky(covariance.as_ref())?;
        let mut weights = Mat::from_fn(records.len(), 1, |i, _| records.rewards()[i]);
        algebra::solve_lower(factor.as_ref(), weights.as_mut());
        algebra::solve_upper(factor.as_ref(), weights.as_mut());
        Ok(DensePosterior { kernel: kernel.clone(), points, factor, weights })
    }

    /// Mean and variance of the reward function at each point.
    pub fn mean_and_variance(&self, points: &Points) -> Vec<(f64, f64)> {
        let mut out = Vec::with_capacity(points.len());
        for start in (0..points.len()).step_by(BLOCK) {
            let some = points.range(start..points.len().min(start + BLOCK));
            let mut kernels = self.kernel.between(&self.points, &some);
            let means = algebra::times(kernels.as_ref().transpose(), self.weights.as_ref());
            algebra::solve_lower(self.factor.as_ref(), kernels.as_mut());
            out.extend(
                (0..some.len()).map(|i| (means[(i, 0)], (1.0 - kernels.col(i).squared_norm_l2()).max(0.0))),
            );
        }
        out
    }
}
