//! Curator CTL of Ren et al. (2020), Curator 1, on a grid: a reward in [0, 1] plus Laplace noise.

use std::num::NonZeroU64;

use super::{Mechanism, cut};
use crate::exact::DiscreteLaplace;
use crate::{Epsilon, Generator, Guarantee, UnitGrid};

/// Convert-to-Laplace: the reward in grid steps plus discrete Laplace noise of scale STEPS / epsilon steps.
///
/// The paper's real-valued noise leaks in floating point (Mironov 2012); on the grid, integer noise does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaplaceResponse {
    epsilon: Epsilon,
    noise: DiscreteLaplace,
}

/// Grid steps in [0, 1] times the nano-epsilon in one epsilon: the scale's numerator, below 2^60.
const NANO_STEPS: NonZeroU64 =
    NonZeroU64::new(UnitGrid::STEPS as u64 * 1_000_000_000).expect("a product of positive constants");

impl LaplaceResponse {
    /// The curator at loss `epsilon`.
    pub fn new(epsilon: Epsilon) -> LaplaceResponse {
        LaplaceResponse { epsilon, noise: DiscreteLaplace::new(NANO_STEPS, epsilon.nano_nonzero()) }
    }
}

impl LaplaceResponse {
    /// The loss that the noise is calibrated to.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }
}

impl Mechanism for LaplaceResponse {
    type Input = UnitGrid;
    type Output = i64;

    fn guarantee(&self) -> Guarantee {
        Guarantee::local(
            self.epsilon,
            "one reward of one person",
            "any two rewards",
            "crates/privacy/src/mechanism/laplace/guarantee.md",
        )
    }

    /// The noisy reward in grid steps. The sum is cut to the range of `i64`, not the noise.
    #[inline]
    fn release_with<G: Generator>(&self, reward: UnitGrid, rng: &mut G) -> i64 {
        cut(self.noise.sample(rng) + i128::from(reward.steps()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use crate::testing::{LEVEL, chi_square_p, seed};

    /// Counts in octiles of Laplace(b) around `centre`, all in grid steps.
    fn octile_counts(curator: &LaplaceResponse, reward: f64, centre: f64, b: f64) -> Vec<u64> {
        let mut rng = seed().stream(0, Stream::Noise);
        let input = UnitGrid::clip(reward).unwrap();
        let mut counts = vec![0; 8];
        for _ in 0..200_000 {
            let z = (curator.release_with(input, &mut rng) as f64 - centre) / b;
            let cdf = if z < 0.0 { libm::exp(z) / 2.0 } else { 1.0 - libm::exp(-z) / 2.0 };
            counts[((cdf * 8.0) as usize).min(7)] += 1;
        }
        counts
    }

    #[test]
    fn the_answer_has_the_law_of_curator_1() {
        let steps = f64::from(UnitGrid::STEPS);
        for (epsilon, reward) in [(0.2, 0.0), (1.0, 0.3), (2.0, 1.0), (1e-6, 0.5)] {
            let curator = LaplaceResponse::new(Epsilon::new(epsilon).unwrap());
            let counts = octile_counts(&curator, reward, reward * steps, steps / epsilon);
            assert!(chi_square_p(&counts, &[0.125; 8]) > LEVEL, "epsilon {epsilon}");
            // Power: a scale that is off by a twentieth must be seen.
            let wrong = octile_counts(&curator, reward, reward * steps, 1.05 * steps / epsilon);
            assert!(chi_square_p(&wrong, &[0.125; 8]) < LEVEL, "epsilon {epsilon}");
        }
    }
}
