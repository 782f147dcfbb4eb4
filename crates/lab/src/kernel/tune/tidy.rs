//! Numbers for people to read.

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
    use super::tidy;

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
