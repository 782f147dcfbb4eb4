//! Mechanisms: a checked input, an exact draw, a guarantee as data, and a proof beside the code.

mod bernoulli_response;
mod grid_gaussian;
mod grid_laplace;
mod laplace;
mod randomised_response;
mod selection;
mod vector_gaussian;
mod weight;

pub use bernoulli_response::BernoulliResponse;
pub use grid_gaussian::GridGaussian;
pub use grid_laplace::GridLaplace;
pub use laplace::LaplaceResponse;
pub use randomised_response::RandomisedResponse;
pub use selection::{ExponentialMechanism, PermuteAndFlip, ReportNoisyMax};
pub use vector_gaussian::VectorGaussian;
pub use weight::Weight;

use crate::{EntropyError, Generator, Guarantee, NoiseRng};

/// A randomised map from a private value to what may leave the device or the curator.
pub trait Mechanism {
    /// A value that is already clipped and on its grid.
    type Input;
    /// What leaves.
    type Output;

    /// What the output promises about the input.
    fn guarantee(&self) -> Guarantee;

    /// One draw from a generator that the caller keeps; a device that answers often holds one [`NoiseRng`].
    fn release_with<G: Generator>(&self, input: Self::Input, rng: &mut G) -> Self::Output;

    /// One draw from a fresh generator of its own, keyed by the operating system.
    fn release(&self, input: Self::Input) -> Result<Self::Output, EntropyError> {
        Ok(self.release_with(input, &mut NoiseRng::from_os()?))
    }
}

/// A noisy sum in the range of `i64`. The noise goes into the sum uncut: cut noise would tell the value where
/// it is cut.
#[inline]
fn cut(sum: i128) -> i64 {
    sum.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// A mechanism with few outputs, which can list their probabilities for an exact audit.
pub trait Finite: Mechanism {
    /// The probability of each output, always in the same order and the same unit.
    fn law(&self, input: &Self::Input) -> Vec<Weight>;
}
