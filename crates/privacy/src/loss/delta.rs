//! The failure probability of approximate differential privacy.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::decimal::{self, LossError};

/// A probability delta of at most 0.999999, held exactly as a whole number of 10^-18, rounded up like
/// [`Epsilon`](crate::Epsilon). As a float it is rounded up too: what is read back is never smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Delta {
    atto: u64,
}

const PLACES: usize = 18;
const ATTO: u64 = Delta::UNITS;
/// Nobody claims more, and below it a float can always be rounded up.
const MOST: u64 = ATTO / 1_000_000 * 999_999;

impl Delta {
    /// How many units of [`atto`](Self::atto) make one.
    pub const UNITS: u64 = 1_000_000_000_000_000_000;

    /// Pure differential privacy.
    pub const ZERO: Delta = Delta { atto: 0 };

    /// Checks `value` and rounds it up to 18 decimal places.
    pub fn new(value: f64) -> Result<Self, LossError> {
        if !value.is_finite() {
            return Err(LossError::NotANumber { what: "delta", got: value.to_string() });
        }
        let text = value.abs().to_string();
        let atto = if value < 0.0 { None } else { decimal::scaled_up(&text, PLACES) };
        Self::checked(atto, || value.to_string())
    }

    /// One step: the smallest that is not zero.
    pub(crate) const STEP: Delta = Delta { atto: 1 };

    /// The sum, or `None` if it is too large.
    pub fn plus(self, other: Delta) -> Option<Delta> {
        Self::checked(Some(self.atto + other.atto), String::new).ok()
    }

    /// The nearest float, for formulas in which a last bit does no harm.
    pub fn value(self) -> f64 {
        self.atto as f64 / ATTO as f64
    }

    /// This probability in units of 10^-18, exactly.
    pub fn atto(self) -> u64 {
        self.atto
    }

    fn checked(atto: Option<u64>, got: impl Fn() -> String) -> Result<Self, LossError> {
        atto.filter(|&a| a <= MOST).map(|atto| Delta { atto }).ok_or_else(|| LossError::OutOfRange {
            what: "delta",
            low: "0",
            high: "0.999999",
            got: got(),
        })
    }
}

impl FromStr for Delta {
    type Err = LossError;
    fn from_str(text: &str) -> Result<Self, LossError> {
        let text = text.trim();
        match decimal::scaled_up(text, PLACES) {
            Some(atto) => Self::checked(Some(atto), || text.to_string()),
            None => match text.parse::<f64>() {
                Ok(value) => Self::new(value),
                Err(_) => Err(LossError::NotANumber { what: "delta", got: format!("{text:?}") }),
            },
        }
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal::display(self.atto, PLACES))
    }
}

impl TryFrom<f64> for Delta {
    type Error = LossError;
    fn try_from(value: f64) -> Result<Self, LossError> {
        Self::new(value)
    }
}

impl From<Delta> for f64 {
    fn from(delta: Delta) -> f64 {
        decimal::float_up(delta.value(), |float| Some(Delta::new(float).ok()?.cmp(&delta)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn json_never_rounds_down_and_keeps_what_a_float_said(atto in 0..=MOST, value in 0.0_f64..0.999) {
            let json = |delta: Delta| -> Delta { serde_json::from_str(&serde_json::to_string(&delta).unwrap()).unwrap() };
            let delta = Delta { atto };
            prop_assert!(json(delta) >= delta);
            let read = Delta::new(value).unwrap();
            prop_assert_eq!(json(read), read);
        }
    }

    #[test]
    fn edges() {
        for bad in [-1e-9, 1.0, 2.0, f64::NAN, f64::INFINITY] {
            assert!(Delta::new(bad).is_err(), "{bad}");
        }
        assert_eq!(Delta::new(0.0).unwrap(), Delta::ZERO);
        assert_eq!(Delta::new(1e-6).unwrap().to_string(), "0.000001");
        assert_eq!(
            serde_json::to_string(&Delta::new(1e-6).unwrap()).unwrap(),
            "1e-6",
            "what was written is stored"
        );
        assert_eq!("1e-6".parse::<Delta>().unwrap(), Delta::new(1e-6).unwrap());
        // Smaller than the grid: one step of it, not zero.
        assert_eq!(Delta::new(1e-300).unwrap().to_string(), "0.000000000000000001");
        // Written as a float and read back: never smaller.
        for text in ["0.123456789012345671", "0.999998999999999999", "0.000000000000000003", "0"] {
            let delta: Delta = text.parse().unwrap();
            let json = serde_json::to_string(&delta).unwrap();
            let read: Delta = serde_json::from_str(&json).unwrap();
            assert!(read >= delta && read.value() <= delta.value() * (1.0 + 1e-15), "{text} {json}");
            assert_eq!(serde_json::to_string(&read).unwrap(), json, "and then it stays");
        }
    }
}
