//! Numbers for readers: as many digits as the interval is worth.

use reticent_curate::trial::Interval;

/// Decimals that show two digits of this size.
pub(super) fn decimals(size: f64) -> usize {
    if !(size > 0.0 && size.is_finite()) {
        return 2;
    }
    (1.0 - libm::floor(libm::log10(size))).clamp(0.0, 6.0) as usize
}

/// Decimals for a list of intervals: two digits of the shortest's half.
pub(super) fn decimals_of<'a>(intervals: impl Iterator<Item = &'a Interval>) -> usize {
    decimals(
        intervals
            .map(|one| (one.high - one.low) / 2.0)
            .filter(|half| *half > 0.0)
            .fold(f64::INFINITY, f64::min),
    )
}

/// With a true minus, and never "−0.00".
pub(super) fn plain(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if zero { text.replace('-', "") } else { text.replace('-', "−") }
}

/// The two ends.
pub(super) fn ends(interval: &Interval, decimals: usize) -> String {
    format!("{} to {}", plain(interval.low, decimals), plain(interval.high, decimals))
}

/// The estimate and the two ends.
pub(super) fn full(interval: &Interval, decimals: usize) -> String {
    format!("{} ({})", plain(interval.estimate, decimals), ends(interval, decimals))
}

/// People, as a whole number with separators; noise may have made them fewer than none.
pub(super) fn people(value: f64) -> String {
    let whole = format!("{:.0}", value.abs());
    let mut out = String::from(if value < 0.0 && whole != "0" { "−" } else { "" });
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Three digits, or fewer.
pub(super) fn short(value: f64) -> String {
    let size = value.abs();
    if size >= 100.0 { people(value) } else { plain(value, decimals(size).min(3)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_digits_as_the_interval_is_worth() {
        let wide = Interval { estimate: 0.2134, low: 0.1, high: 0.3278 };
        let narrow = Interval { estimate: -0.0012, low: -0.0034, high: 0.0004 };
        assert_eq!(full(&wide, decimals_of([wide].iter())), "0.21 (0.10 to 0.33)");
        assert_eq!(full(&narrow, decimals_of([wide, narrow].iter())), "−0.0012 (−0.0034 to 0.0004)");
        assert_eq!(plain(-0.001, 2), "0.00");
        assert_eq!((people(-12_345.4), people(-0.2)), ("−12,345".into(), "0".into()));
        assert_eq!(
            (short(271.8), short(2.746), short(0.0), short(31.0)),
            ("272".into(), "2.7".into(), "0.00".into(), "31".into())
        );
    }
}
