//! Numbers for people to read.

use std::fmt::Write;

/// A number with thousands separators, and with as many decimals as it needs to show three digits.
pub fn number(value: f64) -> String {
    let magnitude = value.abs();
    let decimals = if magnitude >= 100.0 {
        0
    } else if magnitude >= 10.0 {
        1
    } else {
        2
    };
    let plain = format!("{magnitude:.decimals$}");
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut out = String::from(if value < 0.0 { "-" } else { "" });
    out += &grouped(whole);
    if !fraction.is_empty() {
        let _ = write!(out, ".{fraction}");
    }
    out
}

/// A whole number with a comma before each three digits.
pub fn count(number: u64) -> String {
    grouped(&number.to_string())
}

fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Four significant digits or so, without an exponent while that is readable.
pub fn tidy(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude >= 1e7 || (magnitude > 0.0 && magnitude < 1e-4) {
        return format!("{value:.3e}");
    }
    let decimals = match magnitude {
        small if small < 0.1 => 5,
        small if small < 1.0 => 4,
        _ => 4_usize.saturating_sub(format!("{magnitude:.0}").len()),
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        let cases = [
            (0.0, "0.00"),
            (1.638, "1.64"),
            (23.45, "23.4"),
            (999.6, "1,000"),
            (1_234_567.0, "1,234,567"),
            (-1500.2, "-1,500"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (90.0, "90"),
            (4.0899, "4.09"),
            (-0.123_456, "-0.1235"),
            (0.024_661, "0.02466"),
            (1234.5, "1234"),
            (0.1 + 0.2, "0.3"),
            (3.2e-5, "3.200e-5"),
            (1.5e9, "1.500e9"),
        ] {
            assert_eq!(tidy(value), text);
        }
    }
}
