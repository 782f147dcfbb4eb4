//! Length scales from data that may be looked at: a public sample, or the numbers that a pilot released.

use faer::Mat;

use super::algebra::{self, Singular};
use super::release::ReadError;
use super::{Kernel, KernelSpec, Points, Records, Release};

/// Lengths to try for each input, as shares of its range.
const LENGTHS: [f64; 9] = [0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8, 1.3, 2.0];
/// Rounds over all inputs.
const ROUNDS: usize = 2;
/// The most points of a sample that are used: the cost grows with their cube.
const MOST_POINTS: usize = 400;

/// The setting with the length scales that make a public sample most likely. The sample must not be of the
/// people in the log, or must be theirs to publish: nothing protects it.
pub fn lengths_of_public(setting: &KernelSpec, sample: &Records) -> Result<KernelSpec, Singular> {
    let step = sample.len().div_ceil(MOST_POINTS).max(1);
    let chosen: Vec<usize> = (0..sample.len()).step_by(step).collect();
    let points = sample.points().select(&chosen);
    let rewards = Mat::from_fn(chosen.len(), 1, |i, _| sample.rewards()[chosen[i]]);
    search(setting, |kernel| likelihood_of_sample(kernel, &points, &rewards))
}

impl Release {
    /// The setting with the length scales that make the released numbers most likely: post-processing, so it
    /// costs nothing. Meant for a pilot on some of the people, after which the others are released under the
    /// new lengths: each person is in one release.
    pub fn with_likely_lengths(&self, threads: usize) -> Result<KernelSpec, ReadError> {
        let Some(sketch) = self.sketch() else { return Err(ReadError::Older { got: self.version() }) };
        let lengths: Vec<f64> = self.likely_kernel(&sketch, threads)?.lengths().collect();
        // Lengths that are no lengths for a plan leave it as it is.
        Ok(self.setting().with_lengths(&lengths).unwrap_or_else(|_| self.setting().clone()))
    }
}

/// How far a length strays from the plan's before it needs evidence, in logarithms: a length that is twice
/// the plan's must make the data e times more likely.
const TRUST: f64 = 0.5;

/// The plan's lengths are a prior: with little to see, a maximum of the likelihood alone follows the noise.
fn strayed(from: &Kernel, to: &Kernel) -> f64 {
    let one = |(a, b): (f64, f64)| libm::log(b / a) / TRUST;
    from.lengths().zip(to.lengths()).map(one).map(|x| x * x / 2.0).sum()
}

/// One input after the other takes the length that is most likely with the others as they are.
fn search(
    setting: &KernelSpec,
    likelihood: impl Fn(&Kernel) -> Result<f64, Singular>,
) -> Result<KernelSpec, Singular> {
    let mut best = setting.clone();
    let mut most = likelihood(best.kernel())?;
    for _ in 0..ROUNDS {
        for input in 0..setting.inputs() {
            for length in LENGTHS {
                let mut lengths: Vec<f64> = best.kernel().lengths().collect();
                lengths[input] = length;
                let Ok(other) = best.with_lengths(&lengths) else { continue };
                let likelihood = likelihood(other.kernel())? - strayed(setting.kernel(), other.kernel());
                if likelihood > most {
                    (best, most) = (other, likelihood);
                }
            }
        }
    }
    Ok(best)
}

/// log p(rewards) under rewards ~ N(0, s^2 (K + nu I)), at the best s^2 and the best nu of a grid.
fn likelihood_of_sample(kernel: &Kernel, points: &Points, rewards: &Mat<f64>) -> Result<f64, Singular> {
    let (values, vectors) = algebra::eigen(kernel.between(points, points).as_ref())?;
    let turned = algebra::times(vectors.transpose(), rewards.as_ref());
    let count = values.len() as f64;
    let one = |nu: f64| {
        let pairs = values.iter().zip(turned.col(0).iter());
        let square: f64 = pairs.map(|(value, y)| y * y / (value + nu)).sum();
        let determinant: f64 = values.iter().map(|value| libm::log(value + nu)).sum();
        // The best s^2 is square / count. Rewards that are all zero have none.
        -0.5 * (count * libm::log((square / count).max(1e-12)) + determinant)
    };
    Ok([0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0].map(one).into_iter().fold(f64::NEG_INFINITY, f64::max))
}
