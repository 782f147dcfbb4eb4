//! A declared range of numbers.

use serde::{Deserialize, Serialize};

/// Where a number lies: both ends finite, low below high, and neither the width nor its inverse overflows.
///
/// ```
/// use reticent_schema::Range;
/// let dose = Range::new(10.0, 50.0)?;
/// assert_eq!([0.0, 20.0, 90.0].map(|value| dose.unit(value)), [0.0, 0.25, 1.0]);
/// assert!(Range::new(1.0, 1.0).is_err());
/// # Ok::<(), reticent_schema::RangeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Range {
    low: f64,
    high: f64,
}

/// Ends that make no range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid range: both ends must be finite, low below high, neither too close nor too far apart")]
pub struct RangeError;

impl Range {
    /// From 0 to 1.
    pub const UNIT: Range = Range { low: 0.0, high: 1.0 };

    /// Checks the ends.
    pub fn new(low: f64, high: f64) -> Result<Range, RangeError> {
        let width = high - low;
        let ok = low < high && width.is_finite() && (1.0 / width).is_finite();
        if ok { Ok(Range { low, high }) } else { Err(RangeError) }
    }

    /// The low end.
    #[inline]
    pub fn low(self) -> f64 {
        self.low
    }

    /// The high end.
    #[inline]
    pub fn high(self) -> f64 {
        self.high
    }

    /// How far the ends are apart.
    #[inline]
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// Where a value lies in the range, in [0, 1]; a NaN stays one. Clamping first keeps the difference from
    /// overflowing, and dividing by the width, not multiplying by its inverse, keeps the quotient at most 1.
    #[inline]
    pub fn unit(self, value: f64) -> f64 {
        (value.clamp(self.low, self.high) - self.low) / self.width()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    low: f64,
    high: f64,
}

impl From<Range> for Raw {
    fn from(Range { low, high }: Range) -> Raw {
        Raw { low, high }
    }
}

impl TryFrom<Raw> for Range {
    type Error = RangeError;
    fn try_from(raw: Raw) -> Result<Range, RangeError> {
        Range::new(raw.low, raw.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reading_runs_the_same_checks_as_building() {
        let read = |text: &str| serde_json::from_str::<Range>(text).map_err(|e| e.to_string());
        assert_eq!(read(r#"{"low":-1.0,"high":2.0}"#).unwrap(), Range::new(-1.0, 2.0).unwrap());
        assert!(read(r#"{"low":2.0,"high":1.0}"#).unwrap_err().starts_with("invalid range"));
        for (low, high) in [(f64::NAN, 1.0), (0.0, f64::INFINITY), (-f64::MAX, f64::MAX), (0.0, 1e-320)] {
            assert!(Range::new(low, high).is_err());
        }
    }

    proptest! {
        #[test]
        fn every_number_lands_in_the_unit_interval_in_order(
            a in prop::num::f64::NORMAL, b in prop::num::f64::NORMAL, low in -1e9_f64..1e9, width in 1e-9_f64..1e9
        ) {
            let range = Range::new(low, low + width).unwrap();
            let (x, y) = (range.unit(a), range.unit(b));
            prop_assert!((0.0..=1.0).contains(&x));
            prop_assert!((a <= b && x <= y) || (a > b && x >= y));
        }
    }
}
