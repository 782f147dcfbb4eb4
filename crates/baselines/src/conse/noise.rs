//! Laplace noise for a mean.

use std::num::NonZeroU64;

use reticent_privacy::exact::DiscreteLaplace;
use reticent_privacy::{Epsilon, Generator};

/// Steps of the grid in 1. Our reading: the paper's Laplace noise is continuous; this is its exact twin on a fine grid.
const STEPS: u64 = 1 << 30;
const NANO: u64 = 1_000_000_000;

/// `value + Lap(2 / (epsilon size))` on the grid. The printed scale assumes `size` pulls of each arm, which
/// nobody ensures: `guarantee.md`, point 5.
pub(super) fn with_noise<G: Generator>(value: f64, epsilon: Epsilon, size: u64, rng: &mut G) -> f64 {
    // Below 2^64 each: 2 * 2^30 * 10^9, and 1024 * 10^9 times the ten million people of the largest design.
    let numerator = NonZeroU64::new(2 * STEPS * NANO).unwrap_or(NonZeroU64::MAX);
    let denominator = epsilon.nano_nonzero().saturating_mul(NonZeroU64::new(size).unwrap_or(NonZeroU64::MIN));
    let noise = DiscreteLaplace::new(numerator, denominator).sample(rng);
    let steps = libm::round(value * STEPS as f64) as i128;
    steps.saturating_add(noise) as f64 / STEPS as f64
}
