//! Numbers of a public document, as text: every language reads and writes the same one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A finite decimal number with one spelling: no exponent, no plus sign, no zeros that say nothing.
///
/// It is read from a string or a number, and written as a string. Its [`value`](Self::value) is the nearest
/// double, which is what every language's own parser gives.
///
/// ```
/// use reticent_schema::Decimal;
/// let price: Decimal = "009.990".parse()?;
/// assert_eq!((price.as_str(), price.value()), ("9.99", 9.99));
/// assert_eq!(Decimal::from_f64(0.1)?.as_str(), "0.1");
/// assert!("1e3".parse::<Decimal>().is_err());
/// # Ok::<(), reticent_schema::DecimalError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "String")]
pub struct Decimal(String);

/// Text that is no decimal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a number must be a plain decimal such as \"0.25\" or \"-3\", without exponent, of at most {MAX_LENGTH} characters"
)]
pub struct DecimalError;

/// More digits than a double tells apart, with room for its magnitude.
const MAX_LENGTH: usize = 64;

impl Decimal {
    /// The shortest decimal that reads back as this number.
    pub fn from_f64(value: f64) -> Result<Decimal, DecimalError> {
        // Display of f64 is that decimal, without an exponent; not for infinities, which do not parse.
        value.to_string().parse()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest double.
    pub fn value(&self) -> f64 {
        // A plain decimal always parses; and a short one is never infinite.
        self.0.parse().unwrap_or(f64::NAN)
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Decimal, DecimalError> {
        let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if text.len() > MAX_LENGTH || !plain(whole) || !plain(fraction) {
            return Err(DecimalError);
        }
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        let sign = if whole.is_empty() && fraction.is_empty() { "" } else { sign };
        let whole = if whole.is_empty() { "0" } else { whole };
        let point = if fraction.is_empty() { "" } else { "." };
        Ok(Decimal(format!("{sign}{whole}{point}{fraction}")))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What people write: a string, or a number for which they need no quotes.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a decimal number, as a string or without quotes")]
enum Raw {
    Text(String),
    Integer(i64),
    Float(f64),
}

impl TryFrom<Raw> for Decimal {
    type Error = DecimalError;
    fn try_from(raw: Raw) -> Result<Decimal, DecimalError> {
        match raw {
            Raw::Text(text) => text.parse(),
            Raw::Integer(integer) => integer.to_string().parse(),
            Raw::Float(float) => Decimal::from_f64(float),
        }
    }
}

impl From<Decimal> for String {
    fn from(decimal: Decimal) -> String {
        decimal.0
    }
}

#[cfg(feature = "json-schema")]
impl schemars::JsonSchema for Decimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A plain decimal number; a string in the canonical form.",
            "anyOf": [
                { "type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?$", "maxLength": MAX_LENGTH },
                { "type": "number" }
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_spelling() {
        for (text, same) in
            [("1", "1"), ("1.0", "1"), ("-0.0", "0"), ("00.50", "0.5"), ("-12.30", "-12.3"), ("100", "100")]
        {
            assert_eq!(text.parse::<Decimal>().unwrap().as_str(), same);
        }
        let long = "1".repeat(65);
        for bad in ["", "-", ".", "1.", ".5", "+1", "1e3", " 1", "1,5", "NaN", "inf", "--1", "0x1", &long] {
            assert!(bad.parse::<Decimal>().is_err(), "{bad:?}");
        }
        for number in [f64::NAN, f64::INFINITY, 1e300, 1e-300] {
            assert!(Decimal::from_f64(number).is_err());
        }
    }

    #[test]
    fn strings_and_numbers_are_read_and_strings_written() {
        let read = |json: &str| serde_json::from_str::<Decimal>(json);
        for json in ["\"2.50\"", "2.5"] {
            assert_eq!(serde_json::to_string(&read(json).unwrap()).unwrap(), "\"2.5\"");
        }
        assert_eq!(read("7").unwrap().as_str(), "7");
        assert!(read("true").is_err() && read("1e99").is_err());
    }

    proptest! {
        #[test]
        fn a_double_survives(value in -1e12_f64..1e12) {
            let decimal = Decimal::from_f64(value).unwrap();
            prop_assert_eq!(decimal.value(), value);
            prop_assert_eq!(decimal.as_str().parse::<Decimal>().unwrap(), decimal);
        }
    }
}
