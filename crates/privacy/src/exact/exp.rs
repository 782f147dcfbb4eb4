//! e^x between two rational numbers, in integer arithmetic: what thresholds and exact audits are computed from.

use num_bigint::BigUint;

/// Bounds are in units of 2^-160.
pub const FRACTION_BITS: u32 = 160;
const NANO: u64 = 1_000_000_000;

/// 2^160: the number one.
pub fn one() -> BigUint {
    BigUint::from(1_u32) << FRACTION_BITS
}

/// A lower bound of e^(nano / 10^9): the Taylor series, whose terms are all positive, cut off where they
/// vanish, with each division rounded down.
pub fn exp_lower(nano: u64) -> BigUint {
    let zero = BigUint::default();
    let mut term = one();
    let mut sum = zero.clone();
    let mut k = 0_u64;
    while term != zero {
        sum += &term;
        k += 1;
        term = term * nano / (NANO * k);
    }
    sum
}

/// An upper bound of e^(nano / 10^9): divisions rounded up, and from k > 2x on the rest of the series is at most
/// twice its first term.
pub fn exp_upper(nano: u64) -> BigUint {
    let far_enough = 2 * (nano / NANO + 1);
    let mut term = one();
    let mut sum = BigUint::default();
    let mut k = 0_u64;
    // A term rounded up is never below one unit: stop there, not at zero.
    while k <= far_enough || term > BigUint::from(1_u32) {
        sum += &term;
        k += 1;
        term = (term * nano + (NANO * k - 1)) / (NANO * k);
    }
    sum + 2_u32 * term
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn e_to_forty_places() {
        // 10^40 e, from the published digits of e.
        let digits: BigUint = "27182818284590452353602874713526624977572".parse().unwrap();
        let scale = BigUint::from(10_u32).pow(40);
        assert_eq!((exp_lower(NANO) * &scale) >> FRACTION_BITS, digits);
        assert_eq!((exp_upper(NANO) * &scale) >> FRACTION_BITS, digits);
    }

    proptest! {
        #[test]
        fn the_bounds_are_in_order_and_close(nano in 1_u64..100 * NANO) {
            let (low, high) = (exp_lower(nano), exp_upper(nano));
            prop_assert!(low < high);
            // Relative width below 2^-150, and the float in between or next to it.
            prop_assert!((&high - &low) << 150_u32 < low);
            let float = libm::exp(nano as f64 / NANO as f64);
            let top = u64::try_from(&low >> (low.bits() - 64)).unwrap() as f64 * libm::exp2(low.bits() as f64 - 224.0);
            prop_assert!((float / top - 1.0).abs() < 1e-13);
        }
    }
}
