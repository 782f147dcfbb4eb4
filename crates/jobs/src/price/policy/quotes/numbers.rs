//! Numbers as text, quickly.

use std::io::Write;

const DIGITS: i32 = 9;
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Nine digits of a number: a policy keeps a hundred-thousandth of the largest value, more would say nothing.
pub(super) fn push_short(out: &mut Vec<u8>, value: f64) {
    let size = value.abs();
    if size == 0.0 {
        return out.push(b'0');
    }
    if !(1e-6..1e9).contains(&size) {
        let digits = format!("{value:.8e}");
        let shown = digits.parse::<f64>().map_or(digits, |rounded| rounded.to_string());
        return out.extend_from_slice(shown.as_bytes());
    }
    // Digits before the point; none or fewer for numbers below 1.
    let before = if size >= 1.0 {
        POWERS.partition_point(|power| *power <= size) as i32
    } else {
        1 - POWERS[1..].partition_point(|power| size * power < 1.0) as i32 - 1
    };
    let mut units = (size * POWERS[(DIGITS - before) as usize]).round() as u64;
    let mut decimals = (DIGITS - before) as usize;
    while decimals > 0 && units.is_multiple_of(10) {
        units /= 10;
        decimals -= 1;
    }
    if value < 0.0 {
        out.push(b'-');
    }
    push_decimal(out, units, decimals);
}

/// A whole number of units with so many decimals.
fn push_decimal(out: &mut Vec<u8>, mut units: u64, decimals: usize) {
    let mut text = [b'0'; 40];
    let mut at = text.len();
    let mut written = 0;
    while units > 0 || written <= decimals {
        if written == decimals && decimals > 0 {
            at -= 1;
            text[at] = b'.';
        }
        at -= 1;
        text[at] = b'0' + (units % 10) as u8;
        units /= 10;
        written += 1;
    }
    out.extend_from_slice(&text[at..]);
}

/// A number with as many digits as tell it from all others; those of at most six decimals quickly.
pub(super) fn push_exact(out: &mut Vec<u8>, value: f64) {
    let units = value.abs() * 1e6;
    let whole = units.round();
    // What six decimals give back exactly has no shorter spelling with more.
    if value.abs() < 1e9 && value != 0.0 && whole / 1e6 == value.abs() {
        let (mut units, mut decimals) = (whole as u64, 6);
        while decimals > 0 && units.is_multiple_of(10) {
            units /= 10;
            decimals -= 1;
        }
        if value < 0.0 {
            out.push(b'-');
        }
        return push_decimal(out, units, decimals);
    }
    // Into memory, which cannot fail.
    let _ = write!(out, "{value}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(value: f64) -> String {
        let mut out = Vec::new();
        push_exact(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    fn short(value: f64) -> String {
        let mut out = Vec::new();
        push_short(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_by_hand() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (10.833_333_333_333, "10.8333333"),
            (0.001, "0.001"),
            (0.999_999_999_9, "1"),
            (123_456_789.4, "123456789"),
            (999_999_999.7, "1000000000"),
            (0.000_123_456_789_12, "0.000123456789"),
            (1e-9, "0.000000001"),
            (2.5e12, "2500000000000"),
        ] {
            assert_eq!(short(value), text);
        }
        assert_eq!((exact(40.25), exact(-0.1), exact(1e300).len()), ("40.25".into(), "-0.1".into(), 301));
        assert_eq!((exact(0.0), exact(-0.0)), ("0".into(), "-0".into()));
    }

    proptest! {
        #[test]
        fn exact_numbers_are_spelled_as_usual(units in -10_000_000_000_i64..10_000_000_000, decimals in 0..9) {
            let value = units as f64 / 10_f64.powi(decimals);
            prop_assert_eq!(exact(value), value.to_string());
        }

        #[test]
        fn short_numbers_are_near(value in -1e10..1e10_f64, shrink in 0..12) {
            let value = value / 10_f64.powi(shrink);
            let read: f64 = short(value).parse().unwrap();
            prop_assert!((read - value).abs() <= 6e-9 * value.abs(), "{} {}", value, read);
        }
    }
}
