//! The shape of every optimal local channel here: some outputs are e^epsilon times as likely as the others.

use num_bigint::BigUint;

use super::exp::{exp_lower, one};
use crate::{Epsilon, Generator};

/// A choice between a group of `inside` outputs and a group of `outside` outputs, such that one output inside
/// is at most e^epsilon times as likely as one outside, and as close to it as a multiple of 2^-64 allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TwoLevel {
    keep: u64,
    inside: u64,
    outside: u64,
}

/// Beyond it nothing changes: e^80 exceeds 2^115, and a threshold has 64 bits.
const SATURATED_NANO: u64 = 80_000_000_000;
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
/// Groups larger than this are refused by those who make them: the proof of the lower odds needs room.
pub(crate) const LARGEST_GROUP: u64 = 1 << 30;

impl TwoLevel {
    /// With a lower bound L of e^epsilon, keep = floor(2^64 L inside / (L inside + outside)) has
    /// (keep / inside) / ((2^64 - keep) / outside) <= L. Both groups have between 1 and 2^30 members.
    pub(crate) fn new(epsilon: Epsilon, inside: u64, outside: u64) -> TwoLevel {
        debug_assert!(inside.min(outside) >= 1 && inside.max(outside) <= LARGEST_GROUP);
        let heavy = exp_lower(epsilon.nano().min(SATURATED_NANO)) * inside;
        let keep: BigUint = (&heavy << 64_u32) / (one() * outside + &heavy);
        TwoLevel { keep: u64::try_from(keep).unwrap_or(u64::MAX), inside, outside }
    }

    /// The same for groups of any size, refused unless both have between 1 and 2^30 members.
    pub fn for_groups(epsilon: Epsilon, inside: u64, outside: u64) -> Option<TwoLevel> {
        let fits = |size: u64| (1..=LARGEST_GROUP).contains(&size);
        (fits(inside) && fits(outside)).then(|| TwoLevel::new(epsilon, inside, outside))
    }

    /// One word decides: true for the inside group.
    #[inline]
    pub(crate) fn draw_inside<G: Generator>(&self, rng: &mut G) -> bool {
        rng.next_u64() < self.keep
    }

    /// The exact probability of the inside group, in units of 2^-64.
    pub fn keep_of_two_to_64(&self) -> u64 {
        self.keep
    }

    /// The probability of the inside group, to the nearest float.
    pub fn inside_probability(&self) -> f64 {
        // Through the other group's probability, which keeps its precision when it is tiny.
        1.0 - self.outside_probability()
    }

    /// The probability of the outside group, to the nearest float.
    pub fn outside_probability(&self) -> f64 {
        self.keep.wrapping_neg() as f64 / TWO_TO_64
    }

    /// The probability of one given output inside.
    pub(crate) fn each_inside(&self) -> f64 {
        self.inside_probability() / self.inside as f64
    }

    /// The probability of one given output outside.
    pub(crate) fn each_outside(&self) -> f64 {
        self.outside_probability() / self.outside as f64
    }

    /// By how much one given output inside is more likely than one outside: the difference is taken in
    /// integers, since it nearly cancels at a small loss.
    pub(crate) fn each_gap(&self) -> f64 {
        // Below 2^94, as the groups are at most 2^30.
        let heavy = i128::from(self.keep) * i128::from(self.outside);
        let light = ((1_i128 << 64) - i128::from(self.keep)) * i128::from(self.inside);
        (heavy - light) as f64 / (TWO_TO_64 * self.inside as f64 * self.outside as f64)
    }

    /// Exact weights of one output inside and of one outside, over a common denominator.
    pub(crate) fn weights(&self) -> (BigUint, BigUint) {
        let flip = (BigUint::from(1_u32) << 64_u32) - self.keep;
        (BigUint::from(self.keep) * self.outside, flip * self.inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::exp::exp_upper;
    use proptest::prelude::*;

    const NANO: u64 = 1_000_000_000;

    fn check(nano: u64, inside: u64, outside: u64) {
        let channel = TwoLevel::new(Epsilon::from_nano(nano).unwrap(), inside, outside);
        let odds_at_most = |keep: u64, bound: &BigUint| {
            let flip = (BigUint::from(1_u32) << 64_u32) - keep;
            BigUint::from(keep) * outside * one() <= flip * inside * bound
        };
        assert!(odds_at_most(channel.keep, &exp_lower(nano)), "odds above e^epsilon at {nano}");
        // As large as can be: one step more would break the claim.
        if let Some(more) = channel.keep.checked_add(1) {
            assert!(!odds_at_most(more, &exp_upper(nano)), "a larger keep was possible at {nano}");
        }
        let gap = channel.each_inside() - channel.each_outside();
        assert!((channel.each_gap() - gap).abs() <= 1e-15 && channel.each_gap() > 0.0);
        // The other way round the odds are at most e^epsilon too.
        let (heavy, light) = channel.weights();
        assert!(light * one() <= heavy * exp_lower(nano));
    }

    #[test]
    fn known_values() {
        // floor(2^64 e/(1+e)) by an independent decimal computation with 60 digits.
        let keep = |epsilon: Epsilon| TwoLevel::new(epsilon, 1, 1).keep;
        assert_eq!(keep(Epsilon::new(1.0).unwrap()), 13_485_650_502_877_570_762);
        assert_eq!(keep(Epsilon::MAX), u64::MAX);
        for nano in [1, 1_000, NANO / 10, NANO, 2 * NANO, 20 * NANO, 40 * NANO] {
            check(nano, 1, 1);
            check(nano, 1, LARGEST_GROUP);
            check(nano, LARGEST_GROUP, 1);
        }
    }

    proptest! {
        #[test]
        fn odds_never_exceed_e_to_the_epsilon(
            nano in 1_u64..50 * NANO, inside in 1..=LARGEST_GROUP, outside in 1..=LARGEST_GROUP,
        ) {
            check(nano, 1, 1);
            check(nano, inside, outside);
        }

        #[test]
        fn more_epsilon_keeps_more(a in 1_u64..44 * NANO, b in 1_u64..44 * NANO) {
            let keep = |nano| TwoLevel::new(Epsilon::from_nano(nano).unwrap(), 1, 1).keep;
            prop_assert!(keep(a.min(b)) <= keep(a.max(b)));
        }
    }
}
