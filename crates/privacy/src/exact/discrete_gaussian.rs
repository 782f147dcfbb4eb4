//! Gaussian noise on the integers.

use std::num::NonZeroU64;

use num_bigint::BigUint;

use super::bernoulli::exceeds;
use super::discrete_laplace::DiscreteLaplace;
use crate::Generator;

/// Integers with P(x) proportional to exp(-x^2 / (2 sigma^2)), for a rational sigma^2, exactly.
///
/// Canonne, Kamath and Steinke (2020), Algorithm 3: discrete Laplace draws, thinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscreteGaussian {
    /// sigma^2 = numerator / denominator.
    numerator: u128,
    denominator: u64,
    /// The proposal's scale, floor(sigma) + 1.
    scale: NonZeroU64,
    proposal: DiscreteLaplace,
}

/// The variance is zero or too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the variance of discrete Gaussian noise must be positive and at most 2^80 steps squared; use a coarser grid"
)]
pub struct VarianceError;

impl DiscreteGaussian {
    /// The largest variance.
    pub const MAX_VARIANCE: u128 = 1 << 80;

    /// Noise of variance parameter `numerator / denominator`; the true variance is a little smaller.
    pub fn new(numerator: u128, denominator: NonZeroU64) -> Result<DiscreteGaussian, VarianceError> {
        let whole = numerator / u128::from(denominator.get());
        if numerator == 0 || whole > Self::MAX_VARIANCE {
            return Err(VarianceError);
        }
        let scale = NonZeroU64::MIN.saturating_add(whole.isqrt() as u64);
        let proposal = DiscreteLaplace::new(scale, NonZeroU64::MIN);
        Ok(DiscreteGaussian { numerator, denominator: denominator.get(), scale, proposal })
    }

    /// One draw.
    #[inline]
    pub fn sample<G: Generator>(&self, rng: &mut G) -> i128 {
        loop {
            let proposed = self.proposal.sample(rng);
            if exceeds(self.about(proposed), || self.exactly(proposed), rng) {
                return proposed;
            }
        }
    }

    /// (|y| - sigma^2 / t)^2 / (2 sigma^2), whose negative exponential is the probability to keep the proposal y.
    #[inline]
    fn about(&self, proposed: i128) -> f64 {
        let Some(root) = self.root(proposed) else { return f64::NAN };
        // The difference is exact; fewer than ten roundings follow.
        let ratio = root as f64 / (self.numerator as f64 * self.scale.get() as f64);
        ratio * ratio * (self.numerator as f64 / self.denominator as f64) / 2.0
    }

    /// |y| b t - a with sigma^2 = a / b, if it fits.
    #[inline]
    fn root(&self, proposed: i128) -> Option<i128> {
        let scaled = u128::from(self.denominator) * u128::from(self.scale.get());
        let product = i128::try_from(scaled.checked_mul(proposed.unsigned_abs())?).ok()?;
        product.checked_sub_unsigned(self.numerator)
    }

    /// The same as a ratio: (|y| b t - a)^2 over 2 a b t^2.
    #[cold]
    fn exactly(&self, proposed: i128) -> (BigUint, BigUint) {
        let (a, b, t) = (BigUint::from(self.numerator), BigUint::from(self.denominator), self.scale.get());
        let product = &b * t * proposed.unsigned_abs();
        let root = if product > a { product - &a } else { &a - product };
        (&root * &root, a * b * t * t * 2_u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use crate::testing::{LEVEL, chi_square_p, seed};

    fn cells(variance: f64, reach: i128) -> Vec<f64> {
        let weight = |x: i128| libm::exp(-(x * x) as f64 / (2.0 * variance));
        let total: f64 = (-20 * reach..=20 * reach).map(weight).sum();
        let tail: f64 = (reach..=20 * reach).map(weight).sum();
        (-reach..=reach).map(|x| if x.abs() == reach { tail } else { weight(x) } / total).collect()
    }

    fn counts(noise: &DiscreteGaussian, reach: i128, stream: u64) -> Vec<u64> {
        let mut rng = seed().stream(stream, Stream::Noise);
        let mut counts = vec![0; 2 * reach as usize + 1];
        for _ in 0..400_000 {
            counts[(noise.sample(&mut rng).clamp(-reach, reach) + reach) as usize] += 1;
        }
        counts
    }

    fn noise(a: u128, b: u64) -> DiscreteGaussian {
        DiscreteGaussian::new(a, NonZeroU64::new(b).unwrap()).unwrap()
    }

    #[test]
    fn fits_and_the_test_has_power() {
        for (trial, (a, b, reach)) in [(1, 1, 3), (1, 4, 1), (100, 1, 30), (7, 2, 6)].into_iter().enumerate()
        {
            let counts = counts(&noise(a, b), reach, 700 + trial as u64);
            assert!(chi_square_p(&counts, &cells(a as f64 / b as f64, reach)) > LEVEL, "{a}/{b}");
        }
        // A variance off by one in 20.
        assert!(chi_square_p(&counts(&noise(105, 1), 30, 710), &cells(100.0, 30)) < LEVEL);
    }

    #[test]
    fn a_wide_one_has_the_right_shape() {
        let law = noise(1 << 80, 1);
        let mut rng = seed().stream(720, Stream::Noise);
        let mut octiles = [0_u64; 8];
        for _ in 0..100_000 {
            let cdf = 0.5 * libm::erfc(-(law.sample(&mut rng) as f64) / libm::exp2(40.5));
            octiles[((cdf * 8.0) as usize).min(7)] += 1;
        }
        assert!(chi_square_p(&octiles, &[0.125; 8]) > LEVEL);
    }

    #[test]
    fn the_filter_agrees_with_the_exact_ratio() {
        let law = noise((1 << 70) + 12_345, 999_983);
        for y in [0, 1, -5, 1 << 20, -(1 << 27), i128::from(u32::MAX), 1 << 40] {
            let (numerator, denominator) = law.exactly(y);
            let exact = ((numerator << 100_u32) / denominator).to_string().parse::<f64>().unwrap()
                / libm::exp2(100.0);
            assert!((law.about(y) - exact).abs() <= exact * 1e-15 + 1e-25, "{y}");
        }
        // A product that does not fit leaves the decision to the exact ratio.
        assert!(noise(u128::from(u64::MAX), u64::MAX).about(i64::MAX.into()).is_nan());
        assert!(DiscreteGaussian::new(1 << 81, NonZeroU64::MIN).is_err());
        assert!(DiscreteGaussian::new(0, NonZeroU64::MIN).is_err());
    }

    #[test]
    fn golden_draws() {
        let mut rng = crate::SimSeed(20_261_115).stream(51, Stream::Noise);
        let law = noise(400, 1);
        let draws: Vec<i128> = (0..12).map(|_| law.sample(&mut rng)).collect();
        assert_eq!(draws, GOLDEN);
    }
    const GOLDEN: [i128; 12] = [13, 28, -24, 11, 5, -1, 11, 10, 19, -17, -29, 20];
}
