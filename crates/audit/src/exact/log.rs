//! The logarithm of a ratio of integers, rounded to a chosen side.

use std::f64::consts::LN_2;

use num_bigint::BigUint;

/// Relative error of [`log_ratio`] that is allowed for; `../guarantee.md` proves that half of it suffices.
const MARGIN: f64 = 1.0 / (1_u64 << 48) as f64;

/// At most ln(numerator / denominator), and at least 0: a loss is never negative.
pub(super) fn log_down(numerator: &BigUint, denominator: &BigUint) -> f64 {
    lower(log_ratio(numerator, denominator))
}

/// At least ln(numerator / denominator), and at least 0.
pub(super) fn log_up(numerator: &BigUint, denominator: &BigUint) -> f64 {
    upper(log_ratio(numerator, denominator))
}

/// A non-negative number moved down by more than its rounding error.
pub(super) fn lower(value: f64) -> f64 {
    value * (1.0 - MARGIN)
}

/// A non-negative number moved up by more than its rounding error.
pub(super) fn upper(value: f64) -> f64 {
    value * (1.0 + MARGIN)
}

fn log_ratio(numerator: &BigUint, denominator: &BigUint) -> f64 {
    let zero = BigUint::default();
    if denominator == &zero {
        return f64::INFINITY;
    }
    if numerator <= denominator {
        return 0.0;
    }
    if numerator < &(denominator << 1_u32) {
        // Close to 1 the distance from it is what matters.
        return libm::log1p(float_ratio(&(numerator - denominator), denominator));
    }
    // The ratio is m 2^k with m between 1/2 and 2.
    let k = numerator.bits() - denominator.bits();
    libm::log(float_ratio(numerator, &(denominator << k))) + k as f64 * LN_2
}

/// A positive ratio of integers to within 2^-52 of itself: 64 or 65 bits of the quotient, rounded to a float.
fn float_ratio(numerator: &BigUint, denominator: &BigUint) -> f64 {
    let shift = 64 + denominator.bits() as i64 - numerator.bits() as i64;
    let quotient =
        if shift >= 0 { (numerator << shift) / denominator } else { numerator / (denominator << -shift) };
    let bits = u128::try_from(quotient).unwrap_or(u128::MAX);
    // Two factors, so that neither leaves the range of a float before the product does.
    let half = shift / 2;
    bits as f64 * libm::exp2(-half as f64) * libm::exp2((half - shift) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use reticent_privacy::exact::exp::{exp_lower, exp_upper, one};

    #[test]
    fn edges() {
        let (zero, two) = (BigUint::default(), BigUint::from(2_u32));
        assert_eq!(log_down(&two, &zero), f64::INFINITY);
        assert_eq!(log_up(&zero, &two), 0.0);
        assert!(log_down(&two, &BigUint::from(1_u32)) < LN_2 && LN_2 < log_up(&two, &BigUint::from(1_u32)));
    }

    proptest! {
        #[test]
        fn encloses_the_logarithm_and_is_close(nano in 1_u64..=1_024_000_000_000) {
            let truth = nano as f64 / 1e9;
            let (low, high) = (log_down(&exp_upper(nano), &one()), log_up(&exp_lower(nano), &one()));
            prop_assert!(low <= truth && truth <= high, "{low} {truth} {high}");
            prop_assert!(high - low <= 1e-14 * truth, "{low} {high}");
        }
    }
}
