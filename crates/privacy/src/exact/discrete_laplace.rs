//! The two-sided geometric distribution: Laplace noise on the integers.

use std::num::NonZeroU64;

use super::{bernoulli_exp, uniform_below};
use crate::Generator;

/// Integers with P(x) proportional to exp(-|x| / scale), for a rational scale, exactly.
///
/// Canonne, Kamath and Steinke (2020), Algorithm 2. Values beyond the range of `i64` are cut to its ends, which is
/// post-processing and costs no privacy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscreteLaplace {
    scale_numerator: NonZeroU64,
    scale_denominator: NonZeroU64,
}

impl DiscreteLaplace {
    /// Noise of scale `numerator / denominator`.
    pub fn new(numerator: NonZeroU64, denominator: NonZeroU64) -> DiscreteLaplace {
        let common = gcd(numerator, denominator.get());
        // The greatest common divisor of positive integers divides both: neither quotient is zero.
        let lowest = |term: NonZeroU64| NonZeroU64::new(term.get() / common).unwrap_or(NonZeroU64::MIN);
        DiscreteLaplace { scale_numerator: lowest(numerator), scale_denominator: lowest(denominator) }
    }

    /// One draw.
    #[inline]
    pub fn sample<G: Generator>(&self, rng: &mut G) -> i64 {
        let (t, s) = (self.scale_numerator, u128::from(self.scale_denominator.get()));
        loop {
            // x = u + t v has P(x) proportional to exp(-x/t): u by rejection, v geometric.
            let u = uniform_below(t, rng);
            if !bernoulli_exp(u, t, rng) {
                continue;
            }
            let mut v = 0_u128;
            while bernoulli_exp(1, NonZeroU64::MIN, rng) {
                v += 1;
            }
            let magnitude = (u128::from(u) + u128::from(t.get()) * v) / s;
            let negative = rng.next_u32() & 1 == 1;
            // Zero would come with both signs: keep one of them.
            if negative && magnitude == 0 {
                continue;
            }
            let magnitude = i64::try_from(magnitude).unwrap_or(i64::MAX);
            return if negative { -magnitude } else { magnitude };
        }
    }
}

fn gcd(a: NonZeroU64, b: u64) -> NonZeroU64 {
    NonZeroU64::new(b).map_or(a, |b| gcd(b, a.get() % b))
}
