//! Curator CTB of Ren et al. (2020), Curator 3: a reward in [0, 1] becomes one private bit.

use super::{Finite, Mechanism, RandomisedResponse};
use crate::mechanism::Weight;
use crate::{Epsilon, Generator, Guarantee, UnitGrid};

/// Convert-to-Bernoulli: the answer is 1 with probability (r e^epsilon + 1 - r) / (1 + e^epsilon).
///
/// Drawn as the paper's law factors: the reward is rounded to a bit that is 1 with probability r (exact on
/// the grid), and that bit goes through [`RandomisedResponse`]. Takes the same time for each reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BernoulliResponse {
    channel: RandomisedResponse,
}

impl BernoulliResponse {
    /// The curator at loss `epsilon`.
    pub fn new(epsilon: Epsilon) -> BernoulliResponse {
        BernoulliResponse { channel: RandomisedResponse::new(epsilon) }
    }

    /// The loss that the channel is calibrated to.
    #[inline]
    pub fn epsilon(&self) -> Epsilon {
        self.channel.epsilon()
    }

    /// The answer's mean for a reward with mean `mu`: Lemma 5.
    pub fn response_mean(&self, mu: f64) -> f64 {
        let keep = self.channel.keep_probability();
        (1.0 - keep) + mu * (2.0 * keep - 1.0)
    }
}

impl Mechanism for BernoulliResponse {
    type Input = UnitGrid;
    type Output = bool;

    fn guarantee(&self) -> Guarantee {
        Guarantee::local(
            self.channel.epsilon(),
            "one reward of one person",
            "any two rewards",
            "crates/privacy/src/mechanism/bernoulli_response/guarantee.md",
        )
    }

    #[inline]
    fn release_with<G: Generator>(&self, reward: UnitGrid, rng: &mut G) -> bool {
        // A uniform integer of the grid's width is below `steps` with probability steps / STEPS, exactly.
        let rounded = rng.next_u32() >> (u32::BITS - UnitGrid::BITS) < reward.steps();
        self.channel.release_with(rounded, rng)
    }
}

impl Finite for BernoulliResponse {
    /// Of false, then of true: the two bits' laws, mixed by the reward.
    fn law(&self, reward: &UnitGrid) -> Vec<Weight> {
        let (one, zero) = (self.channel.law(&true), self.channel.law(&false));
        let (steps, rest) = (reward.steps(), UnitGrid::STEPS - reward.steps());
        let mix =
            |(if_one, if_zero): (Weight, Weight)| Weight::exact(if_one.low * steps + if_zero.low * rest);
        one.into_iter().zip(zero).map(mix).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use crate::testing::{LEVEL, exact_binomial_p, seed};

    fn ones(curator: &BernoulliResponse, reward: UnitGrid, draws: u64) -> u64 {
        let mut rng = seed().stream(u64::from(reward.steps()), Stream::Noise);
        (0..draws).filter(|_| curator.release_with(reward, &mut rng)).count() as u64
    }

    #[test]
    fn the_answer_has_the_law_of_curator_3() {
        const DRAWS: u64 = 1_000_000;
        for epsilon in [0.2, 1.0, 5.0] {
            let curator = BernoulliResponse::new(Epsilon::new(epsilon).unwrap());
            for r in [0.0, 0.3, 1.0] {
                let e = libm::exp(epsilon);
                let p = (r * e + 1.0 - r) / (1.0 + e);
                let hits = ones(&curator, UnitGrid::clip(r).unwrap(), DRAWS);
                assert!(exact_binomial_p(hits, DRAWS, p) > LEVEL, "epsilon {epsilon}, reward {r}");
                assert!((curator.response_mean(r) - p).abs() < 1e-14);
                // Power: a reward off by a sixteenth must be seen where the channel passes enough of it.
                if epsilon >= 1.0 {
                    let off = UnitGrid::clip(if r < 0.5 { r + 0.0625 } else { r - 0.0625 }).unwrap();
                    assert!(exact_binomial_p(ones(&curator, off, DRAWS), DRAWS, p) < LEVEL);
                }
            }
        }
    }
}
