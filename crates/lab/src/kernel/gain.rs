//! The information gain, computed and not guessed.

use faer::{Mat, Side};
use reticent_curate::kernel::{FeatureMap, Kernel, Points, Singular};

/// A kernel's largest eigenvalues under the uniform law on the cube, by features over scattered points.
#[derive(Debug, Clone)]
pub struct Spectrum(Vec<f64>);

/// Points that stand for the cube, and among which features are chosen.
const POINTS: usize = 4096;
/// A feature that explains less adds nothing to a sum of logarithms.
const TOLERANCE: f64 = 1e-9;

/// The usual feature map of a kernel: chosen by it and by the rank alone.
pub(super) fn features(kernel: &Kernel, rank: usize) -> FeatureMap {
    FeatureMap::pivoted(kernel, &Points::halton(0..POINTS, kernel.inputs()), rank, TOLERANCE)
}

impl Spectrum {
    /// The eigenvalues of a kernel, as many as `rank` features have.
    pub fn of(kernel: &Kernel, rank: usize) -> Result<Spectrum, Singular> {
        let map = features(kernel, rank);
        let rows = map.rows(&Points::halton(0..POINTS, kernel.inputs()));
        let gram: Mat<f64> = rows.transpose() * &rows * faer::Scale(1.0 / POINTS as f64);
        let values = gram.self_adjoint_eigenvalues(Side::Lower).map_err(|_| Singular)?;
        Ok(Spectrum(values.into_iter().map(|value| value.max(0.0)).collect()))
    }

    /// `gamma_T` = 1/2 sum of ln(1 + T `lambda_j` / tau): what the rewards of T people at uniform points
    /// tell. The supremum over points that the paper takes (section 2.1) is of the same order.
    pub fn gain(&self, people: f64, tau: f64) -> f64 {
        0.5 * self.0.iter().map(|value| libm::log1p(people * value / tau)).sum::<f64>()
    }
}
