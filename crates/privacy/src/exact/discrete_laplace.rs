//! The two-sided geometric distribution: Laplace noise on the integers.

use std::num::NonZeroU64;

use num_bigint::BigUint;

use super::exponential::Exponential;
use crate::Generator;

/// Integers with P(x) proportional to exp(-|x| / scale), for a rational scale, exactly.
///
/// The magnitude is an exponential number times the scale, rounded down. A draw may be far larger than the
/// value it hides: add first and cut to a smaller range afterwards. Cutting the noise itself would tell the
/// value at the cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscreteLaplace {
    numerator: NonZeroU64,
    denominator: NonZeroU64,
    /// The scale in units of 2^-64, rounded down.
    fixed: u128,
}

impl DiscreteLaplace {
    /// Noise of scale `numerator / denominator`.
    pub fn new(numerator: NonZeroU64, denominator: NonZeroU64) -> DiscreteLaplace {
        let fixed = (u128::from(numerator.get()) << 64) / u128::from(denominator.get());
        DiscreteLaplace { numerator, denominator, fixed }
    }

    /// One draw.
    #[inline]
    pub fn sample<G: Generator>(&self, rng: &mut G) -> i128 {
        loop {
            let magnitude = self.magnitude(rng);
            let negative = rng.next_u32() & 1 == 1;
            // Zero would come with both signs: keep one of them.
            if negative && magnitude == 0 {
                continue;
            }
            return if negative { -magnitude } else { magnitude };
        }
    }

    /// floor(exponential times scale), by fixed-point numbers that are too small by less than `slack`; if
    /// that could change the floor, by exact ones.
    #[inline]
    fn magnitude<G: Generator>(&self, rng: &mut G) -> i128 {
        let draw = Exponential::draw(rng);
        let (whole, fraction) = draw.prefix();
        let (high, low) = ((self.fixed >> 64) as u64, self.fixed as u64);
        if whole < 64 && high < 1 << 56 {
            let product = u128::from(fraction) * u128::from(high)
                + ((u128::from(fraction) * u128::from(low)) >> 64)
                + u128::from(whole) * self.fixed;
            // The undrawn digits add less than scale, the scale's own less than whole + 1, the shift less than 1.
            let slack = u128::from(high + whole + 3);
            let floor = product >> 64;
            if (product + slack) >> 64 == floor {
                return floor as i128;
            }
        }
        self.exact_magnitude(draw, rng)
    }

    #[cold]
    fn exact_magnitude<G: Generator>(&self, mut draw: Exponential, rng: &mut G) -> i128 {
        loop {
            let (digits, bits) = draw.digits();
            let unit = BigUint::from(self.denominator.get()) << bits;
            let least = &digits * self.numerator.get() / &unit;
            // The number is below (digits + 1) / 2^bits, strictly.
            let most = ((digits + 1_u32) * self.numerator.get() - 1_u32) / unit;
            if least == most {
                // The scale is below 2^64: this is cut when the exponential number exceeds 2^63, with
                // probability exp(-2^63).
                return i128::try_from(least).unwrap_or(i128::MAX);
            }
            draw.refine(rng);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::seed;
    use crate::{SimRng, Stream};

    /// The fast and the exact floor of the same digits agree.
    #[test]
    fn the_fast_floor_is_the_exact_floor() {
        for (trial, (t, s)) in
            [(1, 1), (1 << 30, 1), (10, 3), (1, 1_000_000), ((1 << 60) - 1, 7), (u64::MAX, 3)]
                .into_iter()
                .enumerate()
        {
            let noise = DiscreteLaplace::new(NonZeroU64::new(t).unwrap(), NonZeroU64::new(s).unwrap());
            let streams = || seed().stream(900 + trial as u64, Stream::Noise);
            let (mut fast, mut exact) = (streams(), streams());
            for _ in 0..20_000 {
                let draw = Exponential::draw(&mut exact);
                assert_eq!(noise.magnitude(&mut fast), noise.exact_magnitude(draw, &mut exact), "{t}/{s}");
            }
            assert_eq!(fast, exact, "{t}/{s}: both used the same bits");
        }
    }

    #[test]
    fn undecided_digits_are_drawn() {
        // With a scale of 2^62 the first 64 digits leave the last two bits of the magnitude open one time in 16.
        let noise = DiscreteLaplace::new(NonZeroU64::new(1 << 62).unwrap(), NonZeroU64::MIN);
        let mut rng: SimRng = seed().stream(950, Stream::Noise);
        let mut low_bits = [0_u64; 4];
        for _ in 0..40_000 {
            low_bits[(noise.magnitude(&mut rng) & 3) as usize] += 1;
        }
        assert!(crate::testing::chi_square_p(&low_bits, &[0.25; 4]) > crate::testing::LEVEL, "{low_bits:?}");
    }
}
