//! Coins with a rational bias, and with bias exp(-x) for rational x.

use std::num::NonZeroU64;

use super::uniform_below;
use crate::Generator;

/// True with probability exactly `numerator / denominator` (at least 1 counts as 1).
#[inline]
pub fn bernoulli<G: Generator>(numerator: u64, denominator: NonZeroU64, rng: &mut G) -> bool {
    uniform_below(denominator, rng) < numerator
}

/// True with probability exactly exp(-`numerator` / `denominator`).
///
/// Canonne, Kamath and Steinke (2020), Algorithm 1.
#[inline]
pub fn bernoulli_exp<G: Generator>(numerator: u64, denominator: NonZeroU64, rng: &mut G) -> bool {
    // exp(-x) = exp(-1)^floor(x) * exp(-frac(x)); the loop ends at the first failure, so it is short for any x.
    for _ in 0..numerator / denominator {
        if !bernoulli_exp_below_one(1, NonZeroU64::MIN, rng) {
            return false;
        }
    }
    bernoulli_exp_below_one(numerator % denominator, denominator, rng)
}

/// The case `x <= 1`: von Neumann's series. The run of successes of Bernoulli(x/1), Bernoulli(x/2), ... has odd length
/// plus one with probability 1 - x + x^2/2! - ... = exp(-x).
#[inline]
fn bernoulli_exp_below_one<G: Generator>(numerator: u64, denominator: NonZeroU64, rng: &mut G) -> bool {
    let mut k = NonZeroU64::MIN;
    // Bernoulli(x/k) as Bernoulli(x) and Bernoulli(1/k), so that k * denominator need not fit in 64 bits.
    while bernoulli(numerator, denominator, rng) && uniform_below(k, rng) == 0 {
        k = k.saturating_add(1);
    }
    k.get() % 2 == 1
}
