//! Decimal text to a fixed-point integer, rounded up and never down.

use std::cmp::Ordering;

/// Why a number is not a privacy loss. Messages name the parameter, never a person's record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LossError {
    /// Not a finite decimal number.
    #[error("{what} must be a finite number, got {got}")]
    NotANumber {
        /// The parameter's name.
        what: &'static str,
        /// What was given.
        got: String,
    },
    /// Outside the range in which the guarantee means anything.
    #[error("{what} must be between {low} and {high}, got {got}")]
    OutOfRange {
        /// The parameter's name.
        what: &'static str,
        /// Smallest value accepted.
        low: &'static str,
        /// Largest value accepted.
        high: &'static str,
        /// What was given.
        got: String,
    },
}

/// `ceil(text * 10^places)`, or `None` if `text` is no plain non-negative decimal or does not fit.
///
/// Exponents are not read here: callers turn an `f64` into its shortest plain decimal first.
pub(super) fn scaled_up(text: &str, places: usize) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let (kept, dropped) = fraction.split_at(fraction.len().min(places));
    let mut value: u64 = 0;
    let padding = std::iter::repeat_n(b'0', places - kept.len());
    for digit in whole.bytes().chain(kept.bytes()).chain(padding) {
        value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
    }
    let round_up = dropped.bytes().any(|b| b != b'0');
    value.checked_add(u64::from(round_up))
}

/// A float next to `nearest` that reads back as the same number, else as the next larger one: never as less. The
/// nearest comes first, since it has the shortest digits: what was written as 0.000001 is stored as that. `reads`
/// compares what a float reads back as with the number.
pub(super) fn float_up(nearest: f64, reads: impl Fn(f64) -> Option<Ordering>) -> f64 {
    // Two roundings lie between the number and `nearest`: the float is at most two steps away.
    let down = nearest.next_down();
    let up = nearest.next_up();
    let candidates = [nearest, up, down, up.next_up(), down.next_down()];
    let same = candidates.into_iter().find(|&float| reads(float) == Some(Ordering::Equal));
    let more =
        || [nearest, up, up.next_up()].into_iter().find(|&float| reads(float) == Some(Ordering::Greater));
    same.or_else(more).unwrap_or(nearest)
}

/// The shortest decimal that says `scaled / 10^places` exactly.
pub(super) fn display(scaled: u64, places: usize) -> String {
    let unit = 10_u64.pow(places as u32);
    let digits = format!("{:0places$}", scaled % unit);
    let fraction = digits.trim_end_matches('0');
    if fraction.is_empty() { (scaled / unit).to_string() } else { format!("{}.{fraction}", scaled / unit) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_digit_too_many_rounds_up() {
        assert_eq!(scaled_up("0.1", 9), Some(100_000_000));
        assert_eq!(scaled_up("0.1000000000", 9), Some(100_000_000));
        assert_eq!(scaled_up("0.1000000001", 9), Some(100_000_001));
        assert_eq!(scaled_up(".5", 9), Some(500_000_000));
        assert_eq!(scaled_up("1e3", 9), None);
        assert_eq!(scaled_up("-1", 9), None);
        assert_eq!(scaled_up(".", 9), None);
        assert_eq!(scaled_up("99999999999999999999", 9), None);
    }

    proptest! {
        #[test]
        fn display_then_scale_is_the_identity(scaled in 0_u64..=u64::MAX / 2) {
            prop_assert_eq!(scaled_up(&display(scaled, 9), 9), Some(scaled));
        }

        #[test]
        fn never_below_the_number(value in 0.0_f64..1e6) {
            let scaled = scaled_up(&format!("{value}"), 9).unwrap();
            // 1e-9 of slack would hide a wrong direction, so compare in units, allowing one rounding of the product.
            prop_assert!(scaled as f64 >= value * 1e9 * (1.0 - 2.0 * f64::EPSILON));
            prop_assert!((scaled as f64) < value * 1e9 * (1.0 + 2.0 * f64::EPSILON) + 1.0);
        }
    }
}
