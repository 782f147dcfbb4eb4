//! The loss of pure differential privacy.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::decimal::{self, LossError};

/// A privacy loss epsilon, held exactly as a whole number of nano-epsilon.
///
/// Built from text or a float, it rounds *up* to nine decimal places: the loss that is claimed, charged and printed
/// is never less than the one asked for, and mechanisms are calibrated to the claimed value exactly.
///
/// ```
/// use reticent_privacy::Epsilon;
/// let epsilon = Epsilon::new(0.1)?;
/// assert_eq!(epsilon.nano(), 100_000_000);
/// assert_eq!(Epsilon::new(0.1 + 0.2)?.to_string(), "0.300000001");
/// assert!(Epsilon::new(0.0).is_err());
/// # Ok::<(), reticent_privacy::LossError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Epsilon {
    nano: NonZeroU64,
}

const PLACES: usize = 9;
const NANO: u64 = 1_000_000_000;

impl Epsilon {
    /// The largest loss accepted: the papers write 1024 for "no privacy".
    pub const MAX: Epsilon = Epsilon { nano: NonZeroU64::new(1024 * NANO).expect("a positive constant") };
    /// The smallest loss accepted; below it no number of people would be enough.
    pub const MIN: Epsilon = Epsilon { nano: NonZeroU64::MIN };

    /// Checks `value` and rounds it up to nine decimal places.
    pub fn new(value: f64) -> Result<Self, LossError> {
        if !value.is_finite() {
            return Err(LossError::NotANumber { what: "epsilon", got: value.to_string() });
        }
        // Display of f64 is the shortest decimal that reads back as the same number, so 0.1 means 0.1.
        let plain = if value >= 1e-9 { decimal::scaled_up(&value.to_string(), PLACES) } else { None };
        Self::checked(plain, || value.to_string())
    }

    /// A loss of exactly `nano` billionths.
    pub fn from_nano(nano: u64) -> Result<Self, LossError> {
        Self::checked(Some(nano), || decimal::display(nano, PLACES))
    }

    /// This loss in billionths, exactly.
    pub fn nano(self) -> u64 {
        self.nano.get()
    }

    /// This loss in billionths, as the positive number that it is.
    pub fn nano_nonzero(self) -> NonZeroU64 {
        self.nano
    }

    /// This loss in millionths, rounded up: what a ledger of the first version was charged.
    pub fn micro_ceil(self) -> u64 {
        self.nano().div_ceil(1000)
    }

    /// The nearest float, for formulas in which a last bit does no harm (bounds, plots, estimators).
    pub fn value(self) -> f64 {
        self.nano() as f64 / NANO as f64
    }

    fn checked(nano: Option<u64>, got: impl Fn() -> String) -> Result<Self, LossError> {
        let range = ("0.000000001", "1024");
        match nano.and_then(NonZeroU64::new) {
            Some(nano) if nano <= Self::MAX.nano => Ok(Epsilon { nano }),
            _ => Err(LossError::OutOfRange { what: "epsilon", low: range.0, high: range.1, got: got() }),
        }
    }
}

/// So many billionths, which may be none, as the decimal that [`Epsilon`] shows.
pub(crate) fn nano_words(nano: u64) -> String {
    decimal::display(nano, PLACES)
}

impl FromStr for Epsilon {
    type Err = LossError;

    /// Plain decimals are read exactly; anything else a float may look like (`1e-3`) goes through `f64`.
    fn from_str(text: &str) -> Result<Self, LossError> {
        let text = text.trim();
        match decimal::scaled_up(text, PLACES) {
            Some(nano) => Self::checked(Some(nano), || text.to_string()),
            None => match text.parse::<f64>() {
                Ok(value) => Self::new(value),
                Err(_) => Err(LossError::NotANumber { what: "epsilon", got: format!("{text:?}") }),
            },
        }
    }
}

impl fmt::Display for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal::display(self.nano(), PLACES))
    }
}

impl TryFrom<f64> for Epsilon {
    type Error = LossError;
    fn try_from(value: f64) -> Result<Self, LossError> {
        Self::new(value)
    }
}

impl From<Epsilon> for f64 {
    fn from(epsilon: Epsilon) -> f64 {
        epsilon.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn edges() {
        for bad in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e9, 1e300, 1e-300, 1024.1] {
            assert!(Epsilon::new(bad).is_err(), "{bad}");
        }
        for good in [1e-9, 1e-6, 0.5, 50.0, 1024.0] {
            assert_eq!(Epsilon::new(good).unwrap().value(), good);
        }
        for bad in ["", "one", "-1", "nan", "inf", "0", "0.0", "1e9", "0.5 ", "1,5"] {
            let parsed = bad.parse::<Epsilon>();
            assert_eq!(parsed.is_ok(), bad == "0.5 ", "{bad:?}");
        }
        assert_eq!("1e-3".parse::<Epsilon>().unwrap().nano(), 1_000_000);
    }

    #[test]
    fn a_third_is_rounded_up() {
        assert_eq!(Epsilon::new(1.0 / 3.0).unwrap().nano(), 333_333_334);
        assert_eq!("0.33333333333333".parse::<Epsilon>().unwrap().nano(), 333_333_334);
        assert_eq!(Epsilon::from_nano(333_333_334).unwrap().micro_ceil(), 333_334);
    }

    proptest! {
        #[test]
        fn text_float_and_json_agree(nano in 1_u64..=1024 * NANO) {
            let epsilon = Epsilon::from_nano(nano).unwrap();
            prop_assert_eq!(epsilon.to_string().parse::<Epsilon>().unwrap(), epsilon);
            prop_assert_eq!(Epsilon::new(epsilon.value()).unwrap(), epsilon);
            let json = serde_json::to_string(&epsilon).unwrap();
            prop_assert_eq!(serde_json::from_str::<Epsilon>(&json).unwrap(), epsilon);
        }

        #[test]
        fn never_rounded_down(value in 1e-9_f64..1024.0) {
            let epsilon = Epsilon::new(value).unwrap();
            prop_assert!(epsilon.value() >= value);
            prop_assert!(epsilon.micro_ceil() * 1000 >= epsilon.nano());
        }
    }
}
