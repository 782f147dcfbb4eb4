//! The exponential mechanism (McSherry and Talwar 2007).

use std::num::NonZeroU64;

use super::Unit;
use crate::exact::{bernoulli_exp, uniform_below};
use crate::mechanism::Mechanism;
use crate::{Epsilon, Generator, Guarantee, Scores};

/// Candidate i with probability proportional to exp(epsilon score / (2 sensitivity)), exactly.
///
/// Kept for comparison: [`PermuteAndFlip`](super::PermuteAndFlip) chooses better at the same loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExponentialMechanism {
    epsilon: Epsilon,
}

impl ExponentialMechanism {
    /// The mechanism at loss `epsilon`.
    pub fn new(epsilon: Epsilon) -> ExponentialMechanism {
        ExponentialMechanism { epsilon }
    }

    pub(super) fn epsilon(self) -> Epsilon {
        self.epsilon
    }
}

impl Mechanism for ExponentialMechanism {
    type Input = Scores;
    /// The chosen candidate's number.
    type Output = usize;

    fn guarantee(&self) -> Guarantee {
        super::guarantee(self.epsilon)
    }

    /// By rejection: a uniform candidate is taken with probability exp(-gap). The best always is, so a round
    /// succeeds with probability at least 1/n.
    fn release_with<G: Generator>(&self, scores: Scores, rng: &mut G) -> usize {
        let (unit, gaps) = (Unit::new(self.epsilon, &scores), scores.gaps());
        let candidates = NonZeroU64::new(gaps.len() as u64).unwrap_or(NonZeroU64::MIN);
        loop {
            let candidate = uniform_below(candidates, rng) as usize;
            if bernoulli_exp(unit.of(gaps[candidate]), unit.denominator, rng) {
                return candidate;
            }
        }
    }
}
