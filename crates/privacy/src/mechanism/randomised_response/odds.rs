//! The keep probability of randomised response, by integer arithmetic with every rounding downwards.

use num_bigint::BigUint;

use crate::Epsilon;

const FRACTION_BITS: u32 = 160;
const NANO: u64 = 1_000_000_000;
/// From here on e^epsilon exceeds the odds 2^64 - 1, the largest that a 64-bit threshold can express.
const SATURATED_NANO: u64 = 45 * NANO;

/// The largest `keep` found with keep / (2^64 - keep) <= e^epsilon.
///
/// With a lower bound L of e^epsilon, keep = floor(2^64 L / (1 + L)) has odds at most L.
pub(super) fn keep_threshold(epsilon: Epsilon) -> u64 {
    if epsilon.nano() >= SATURATED_NANO {
        return u64::MAX;
    }
    let one = BigUint::from(1_u32) << FRACTION_BITS;
    let lower = exp_lower_bound(epsilon.nano(), &one);
    let keep: BigUint = (&lower << 64_u32) / (one + &lower);
    u64::try_from(keep).unwrap_or(u64::MAX)
}

/// A lower bound of 2^160 exp(nano / 10^9): the Taylor series, whose terms are all positive, cut off where terms
/// vanish, with each division rounding down.
fn exp_lower_bound(nano: u64, one: &BigUint) -> BigUint {
    let zero = BigUint::default();
    let mut term = one.clone();
    let mut sum = zero.clone();
    let mut k = 0_u64;
    while term != zero {
        sum += &term;
        k += 1;
        term = term * nano / (NANO * k);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An upper bound of 2^160 exp(x), independent in its rounding: divisions round up, and once k > 2x + 1 the rest of
    /// the series is less than twice the next term.
    fn exp_upper_bound(nano: u64, one: &BigUint) -> BigUint {
        let mut term = one.clone();
        let mut sum = BigUint::default();
        for k in 1..400_u64 {
            sum += &term;
            term = (term * nano + (NANO * k - 1)) / (NANO * k);
        }
        sum + 2_u32 * term
    }

    fn check(nano: u64) {
        let one = BigUint::from(1_u32) << FRACTION_BITS;
        let keep = keep_threshold(Epsilon::from_nano(nano).unwrap());
        let odds_at_most = |keep: u64, bound: &BigUint| {
            BigUint::from(keep) * &one <= ((BigUint::from(1_u32) << 64_u32) - keep) * bound
        };
        assert!(odds_at_most(keep, &exp_lower_bound(nano, &one)), "odds above e^epsilon at {nano}");
        // And as large as can be: one step more would break the claim.
        assert!(
            !odds_at_most(keep + 1, &exp_upper_bound(nano, &one)),
            "a larger keep was possible at {nano}"
        );
    }

    #[test]
    fn known_values() {
        // floor(2^64 e/(1+e)) by an independent decimal computation with 60 digits.
        assert_eq!(keep_threshold(Epsilon::new(1.0).unwrap()), 13_485_650_502_877_570_762);
        assert_eq!(keep_threshold(Epsilon::MAX), u64::MAX);
        for nano in [1, 1_000, NANO / 10, NANO, 2 * NANO, 20 * NANO, 40 * NANO] {
            check(nano);
        }
    }

    #[test]
    fn saturation_is_below_e_to_the_45() {
        let one = BigUint::from(1_u32) << FRACTION_BITS;
        assert!(exp_lower_bound(SATURATED_NANO, &one) > (one << 64_u32));
    }

    proptest! {
        #[test]
        fn odds_never_exceed_e_to_the_epsilon(nano in 1_u64..44 * NANO) {
            check(nano);
        }

        #[test]
        fn more_epsilon_keeps_more(a in 1_u64..44 * NANO, b in 1_u64..44 * NANO) {
            let keep = |nano| keep_threshold(Epsilon::from_nano(nano).unwrap());
            prop_assert!(keep(a.min(b)) <= keep(a.max(b)));
        }
    }
}
