//! Permute-and-flip (McKenna and Sheldon 2020).

use std::num::NonZeroU64;

use super::Unit;
use crate::exact::{bernoulli_exp, uniform_below};
use crate::mechanism::Mechanism;
use crate::{Epsilon, Generator, Guarantee, Scores};

/// Visits the candidates in random order and takes the first whose coin, of bias exp(-epsilon gap / (2
/// sensitivity)), shows heads. Never worse than the exponential mechanism in expectation, and up to twice as
/// good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PermuteAndFlip {
    epsilon: Epsilon,
}

impl PermuteAndFlip {
    /// The mechanism at loss `epsilon`.
    pub fn new(epsilon: Epsilon) -> PermuteAndFlip {
        PermuteAndFlip { epsilon }
    }

    pub(super) fn epsilon(self) -> Epsilon {
        self.epsilon
    }
}

impl Mechanism for PermuteAndFlip {
    type Input = Scores;
    /// The chosen candidate's number.
    type Output = usize;

    fn guarantee(&self) -> Guarantee {
        super::guarantee(self.epsilon)
    }

    fn release_with<G: Generator>(&self, scores: Scores, rng: &mut G) -> usize {
        let (unit, gaps) = (Unit::new(self.epsilon, &scores), scores.gaps());
        let mut order: Vec<usize> = (0..gaps.len()).collect();
        // The permutation is made as far as it is needed (Fisher-Yates). The best candidate's coin always shows heads.
        for visited in 0..gaps.len() {
            let left = NonZeroU64::new((gaps.len() - visited) as u64).unwrap_or(NonZeroU64::MIN);
            order.swap(visited, visited + uniform_below(left, rng) as usize);
            if bernoulli_exp(unit.of(gaps[order[visited]]), unit.denominator, rng) {
                return order[visited];
            }
        }
        gaps.iter().position(|&gap| gap == 0).unwrap_or(0)
    }
}
