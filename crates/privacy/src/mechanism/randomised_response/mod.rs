//! Warner's randomised response on one bit: the best epsilon-DP channel for a bit.

use super::{Finite, Mechanism};
use crate::exact::TwoLevel;
use crate::mechanism::Weight;
use crate::{Epsilon, Generator, Guarantee};

/// Keeps a bit with probability `keep / 2^64`, flips it otherwise; one 64-bit word decides, exactly.
///
/// The probability is a rational number, not a rounded e^epsilon / (1 + e^epsilon): it is the largest multiple of 2^-64
/// whose odds are proved, in integer arithmetic, not to exceed e^epsilon. Takes the same time for either bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomisedResponse {
    epsilon: Epsilon,
    channel: TwoLevel,
}

impl RandomisedResponse {
    /// The channel for one bit at loss `epsilon`.
    pub fn new(epsilon: Epsilon) -> RandomisedResponse {
        RandomisedResponse { epsilon, channel: TwoLevel::new(epsilon, 1, 1) }
    }

    /// The loss that the channel is calibrated to.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// The probability of the true bit, to the nearest float.
    pub fn keep_probability(&self) -> f64 {
        self.channel.inside_probability()
    }

    /// The exact probability of the true bit, in units of 2^-64.
    pub fn keep_of_two_to_64(&self) -> u64 {
        self.channel.keep_of_two_to_64()
    }
}

impl Mechanism for RandomisedResponse {
    type Input = bool;
    type Output = bool;

    fn guarantee(&self) -> Guarantee {
        Guarantee::local(
            self.epsilon,
            "one bit of one person",
            "any two bits",
            "crates/privacy/src/mechanism/randomised_response/guarantee.md",
        )
    }

    #[inline]
    fn release_with<G: Generator>(&self, bit: bool, rng: &mut G) -> bool {
        bit ^ !self.channel.draw_inside(rng)
    }
}

impl Finite for RandomisedResponse {
    /// Of false, then of true.
    fn law(&self, bit: &bool) -> Vec<Weight> {
        let (keep, flip) = self.channel.weights();
        let law = [Weight::exact(keep), Weight::exact(flip)];
        // The other bit's law is the mirror image.
        if *bit { law.into_iter().rev().collect() } else { law.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use crate::testing::{LEVEL, exact_binomial_p, seed};

    fn kept(channel: &RandomisedResponse, bit: bool, draws: u64) -> u64 {
        let mut rng = seed().stream(u64::from(bit), Stream::Noise);
        (0..draws).filter(|_| channel.release_with(bit, &mut rng) == bit).count() as u64
    }

    #[test]
    fn both_bits_are_kept_with_the_stated_probability() {
        const DRAWS: u64 = 1_000_000;
        for epsilon in [0.1, 1.0, 4.0] {
            let channel = RandomisedResponse::new(Epsilon::new(epsilon).unwrap());
            let p = 1.0 / (1.0 + libm::exp(-epsilon));
            assert!((channel.keep_probability() - p).abs() < 1e-15);
            for bit in [false, true] {
                assert!(exact_binomial_p(kept(&channel, bit, DRAWS), DRAWS, p) > LEVEL);
                // Power: a keep probability that is off by one in 128 must be seen.
                assert!(exact_binomial_p(kept(&channel, bit, DRAWS), DRAWS, p - 1.0 / 128.0) < LEVEL);
            }
        }
    }
}
