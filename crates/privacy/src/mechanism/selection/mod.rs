//! Choosing one of several public candidates by private scores.

mod exponential;
mod law;
mod noisy_max;
mod permute_and_flip;

pub use exponential::ExponentialMechanism;
pub use noisy_max::ReportNoisyMax;
pub use permute_and_flip::PermuteAndFlip;

use std::num::NonZeroU128;

use crate::{Epsilon, Guarantee, Loss, Scores};

/// What the three promise: the same.
fn guarantee(epsilon: Epsilon) -> Guarantee {
    Guarantee::central(
        Loss::Pure { epsilon },
        "one record",
        "data sets in which one record changes no score by more than the sensitivity",
        "crates/privacy/src/mechanism/selection/guarantee.md",
    )
}

/// A candidate's gap in units of privacy, gap epsilon / (2 sensitivity): exp of its negative is the candidate's weight.
#[derive(Debug, Clone, Copy)]
struct Unit {
    nano: u64,
    denominator: NonZeroU128,
}

impl Unit {
    fn new(epsilon: Epsilon, scores: &Scores) -> Unit {
        let denominator = 2 * 1_000_000_000 * u128::from(scores.sensitivity());
        Unit { nano: epsilon.nano(), denominator: NonZeroU128::new(denominator).unwrap_or(NonZeroU128::MIN) }
    }

    /// The exponent's numerator: below 2^64 times 2^40.
    fn of(self, gap: u64) -> u128 {
        u128::from(gap) * u128::from(self.nano)
    }
}

#[cfg(test)]
mod tests;
