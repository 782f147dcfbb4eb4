//! The paper's random lengths.

use std::num::NonZeroU64;

use reticent_privacy::exact::DiscreteLaplace;
use reticent_privacy::{Epsilon, Generator};

/// Lap+ of appendix A.4: the nearest integer to m plus discrete Laplace noise of scale 2/epsilon, given that
/// the sum is not negative.
///
/// Our reading: the printed normaliser `e^(eps/2) + 1 - e^(eps[m]/2)` has a sign too few; probabilities sum
/// to one with `e^(eps/2) + 1 - e^(-eps[m]/2)`. The normaliser moves with m, which is why this is not
/// eps/2-private: `guarantee.md`, point 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LapPlus {
    epsilon: Epsilon,
    noise: DiscreteLaplace,
}

const TWO_NANO: NonZeroU64 = NonZeroU64::new(2_000_000_000).expect("a positive constant");

impl LapPlus {
    /// Lap+ at this loss.
    pub fn new(epsilon: Epsilon) -> LapPlus {
        LapPlus { epsilon, noise: DiscreteLaplace::new(TWO_NANO, epsilon.nano_nonzero()) }
    }

    /// One draw, exactly, by rejection: at least half of all draws are kept.
    pub fn sample<G: Generator>(&self, m: f64, rng: &mut G) -> u64 {
        let centre = i128::from(nearest(m));
        loop {
            if let Ok(length) = u64::try_from(centre.saturating_add(self.noise.sample(rng))) {
                return length;
            }
        }
    }

    /// The probability of a length.
    pub fn probability(&self, m: f64, length: u64) -> f64 {
        let (half, centre) = (self.epsilon.value() / 2.0, nearest(m));
        let distance = length.abs_diff(centre) as f64;
        let normaliser = libm::exp(half) + 1.0 - libm::exp(-half * centre as f64);
        libm::exp(-half * distance) * libm::expm1(half) / normaliser
    }
}

/// The paper's `[m]`. Our reading: the nearest integer.
pub(super) fn nearest(m: f64) -> u64 {
    libm::round(m) as u64
}
