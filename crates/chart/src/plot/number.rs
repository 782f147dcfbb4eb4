//! Numbers as people read them on an axis: `2,500`, `40k`, `1.5M`, `10⁻⁶`.

/// Text with an optional exponent. The exponent is kept apart because many
/// fonts lack some superscript characters (Noto Sans has no superscript minus).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) base: String,
    pub(super) exponent: String,
}

/// One way of writing, chosen once for an axis so that its labels agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `12,500` or `0.025`.
    Grouped { decimals: usize },
    /// `12.5k`, each value in its own unit.
    Prefixed { step_exponent: i32 },
    /// `1.25×10⁻⁷`, all values with the same exponent.
    Scientific { exponent: i32, decimals: usize },
}

impl Style {
    /// The style for values up to `largest` in magnitude that are whole
    /// multiples of `10^step_exponent`.
    pub(super) fn pick(largest: f64, step_exponent: i32) -> Self {
        let exponent = exponent_of(largest);
        let decimals = usize::try_from(-step_exponent).unwrap_or(0);
        let digits = exponent - step_exponent;
        match exponent {
            // Many digits in common: a prefix would not make it shorter.
            5..=14 if digits <= 4 => Self::Prefixed { step_exponent },
            -4..=11 => Self::Grouped { decimals },
            _ => Self::Scientific { exponent, decimals: usize::try_from(digits).unwrap_or(0) },
        }
    }

    /// Writes a value in this style.
    pub(super) fn label(self, value: f64) -> Label {
        if value == 0.0 {
            return Label::plain("0");
        }
        match self {
            Self::Grouped { decimals } => Label::plain(grouped(value, decimals)),
            Self::Prefixed { step_exponent } => Label::plain(prefixed(value, step_exponent)),
            Self::Scientific { exponent, decimals } => {
                let mantissa = scaled(value, exponent);
                let base = format!("{}×10", minus(&trimmed(mantissa, decimals)));
                Label { base, exponent: minus(&exponent.to_string()) }
            }
        }
    }
}

impl Label {
    pub(super) fn plain(base: impl Into<String>) -> Self {
        Self { base: base.into(), exponent: String::new() }
    }

    /// `digit × 10^exponent` written out, with prefixes from a thousand up.
    pub(super) fn short(digit: u8, exponent: i32) -> Self {
        let value = f64::from(digit) * power_of_ten(exponent);
        match usize::try_from(exponent) {
            Ok(_) => Self::plain(prefixed(value, exponent)),
            Err(_) => Self::plain(trimmed(value, usize::try_from(-exponent).unwrap_or(0))),
        }
    }

    /// `digit × 10^exponent` as a power of ten.
    pub(super) fn power(digit: u8, exponent: i32) -> Self {
        let base = if digit == 1 { "10".to_owned() } else { format!("{digit}×10") };
        Self { base, exponent: minus(&exponent.to_string()) }
    }
}

/// Three significant digits, for sentences.
pub(super) fn in_words(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = exponent_of(value);
    if (-4..=14).contains(&exponent) {
        let decimals = usize::try_from(2 - exponent).unwrap_or(0);
        let text = grouped(value, decimals);
        if decimals == 0 { text } else { trim_zeros(&text) }
    } else {
        format!("{value:.2e}")
    }
}

/// The power of ten just below a magnitude, forgiving rounding errors.
pub(super) fn exponent_of(value: f64) -> i32 {
    let exponent = (libm::log10(value.abs()) + 1e-9).floor();
    // Zero gives minus infinity, which has no place in a power either.
    exponent.clamp(-400.0, 400.0) as i32
}

/// `10^exponent`, the same on every machine (`powi` is not).
pub(super) fn power_of_ten(exponent: i32) -> f64 {
    libm::pow(10.0, f64::from(exponent))
}

/// `value / 10^exponent`, in two steps where the power alone would overflow.
fn scaled(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value / power_of_ten(half) / power_of_ten(exponent - half)
}

fn prefixed(value: f64, step_exponent: i32) -> String {
    let (unit, prefix) = match exponent_of(value) {
        12.. => (12, "T"),
        9.. => (9, "G"),
        6.. => (6, "M"),
        3.. => (3, "k"),
        _ => (0, ""),
    };
    let decimals = usize::try_from(unit - step_exponent).unwrap_or(0);
    minus(&trimmed(scaled(value, unit), decimals)) + prefix
}

fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::from(if value < 0.0 { "−" } else { "" });
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if decimals == 0 { text } else { trim_zeros(&text) }
}

fn trim_zeros(text: &str) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A hyphen is too short beside digits.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(value: f64, largest: f64, step_exponent: i32) -> String {
        let label = Style::pick(largest, step_exponent).label(value);
        if label.exponent.is_empty() { label.base } else { label.base + "^" + &label.exponent }
    }

    #[test]
    fn styles_suit_their_size() {
        assert_eq!(write(2500.0, 1e4, 2), "2,500");
        assert_eq!(write(-2500.0, 1e4, 2), "−2,500");
        assert_eq!(write(800_000.0, 1e6, 5), "800k");
        assert_eq!(write(1.5e6, 2e6, 5), "1.5M");
        assert_eq!(write(0.025, 0.1, -3), "0.025");
        assert_eq!(write(1.2e-7, 2e-7, -8), "1.2×10^−7");
        assert_eq!(write(1_000_020.0, 1_000_100.0, 1), "1,000,020");
        assert_eq!(write(0.0, 1e6, 5), "0");
    }

    #[test]
    fn powers_of_ten() {
        assert_eq!(Label::short(1, 4).base, "10k");
        assert_eq!(Label::short(2, -3).base, "0.002");
        assert_eq!(Label::short(5, 1).base, "50");
        assert_eq!(Label::power(1, -6), Label { base: "10".into(), exponent: "−6".into() });
    }

    #[test]
    fn common_powers_are_exact() {
        for exponent in 0..=22 {
            assert_eq!(power_of_ten(exponent), format!("1e{exponent}").parse::<f64>().unwrap());
        }
    }

    #[test]
    fn words_have_three_digits() {
        assert_eq!(in_words(1_234_567.0), "1,234,567");
        assert_eq!(in_words(0.012_345), "0.0123");
        assert_eq!(in_words(12.0), "12");
        assert_eq!(in_words(1e-9), "1.00e-9");
    }
}
