//! How the device maps a reward to [0, 1] before it is privatised. Public, and free of privacy cost.

use reticent_schema::Range;
use serde::{Deserialize, Serialize};

/// A public, non-decreasing map from rewards to [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Squash(Shape);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Clip,
    Line { low: f64, high: f64 },
}

/// A line whose ends are not finite or not in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a squash needs finite ends with low at most high")]
pub struct SquashError;

impl Squash {
    /// Rewards that are in [0, 1] already; others are clipped.
    pub const CLIP: Squash = Squash(Shape::Clip);

    /// A line from 0 at `low` to 1 at `high`, clipped. With `low == high` it asks whether the reward exceeds them.
    pub fn line(low: f64, high: f64) -> Result<Squash, SquashError> {
        let ok = low.is_finite() && high.is_finite() && low <= high && (high - low).is_finite();
        if ok { Ok(Squash(Shape::Line { low, high })) } else { Err(SquashError) }
    }

    /// A line over this range: rewards on the unit interval as they are.
    pub fn over(range: Range) -> Squash {
        if range == Range::UNIT {
            return Squash::CLIP;
        }
        Squash(Shape::Line { low: range.low(), high: range.high() })
    }

    /// The ends of a line; none for rewards that are taken as they are.
    pub fn ends(self) -> Option<(f64, f64)> {
        match self.0 {
            Shape::Clip => None,
            Shape::Line { low, high } => Some((low, high)),
        }
    }

    /// The squashed reward. A NaN stays a NaN and an infinity may, for the device to refuse.
    #[inline]
    pub fn apply(self, reward: f64) -> f64 {
        match self.0 {
            Shape::Clip => reward,
            Shape::Line { low, high } if reward.is_finite() && low == high => {
                f64::from(u8::from(reward > low))
            }
            Shape::Line { low, high } if reward.is_finite() => {
                // Clamping first keeps huge rewards from overflowing the difference.
                (reward.clamp(low, high) - low) / (high - low)
            }
            Shape::Line { .. } => f64::NAN,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Raw {
    Clip,
    Line { low: f64, high: f64 },
}

impl From<Squash> for Raw {
    fn from(squash: Squash) -> Raw {
        match squash.0 {
            Shape::Clip => Raw::Clip,
            Shape::Line { low, high } => Raw::Line { low, high },
        }
    }
}

impl TryFrom<Raw> for Squash {
    type Error = SquashError;
    fn try_from(raw: Raw) -> Result<Squash, SquashError> {
        match raw {
            Raw::Clip => Ok(Squash::CLIP),
            Raw::Line { low, high } => Squash::line(low, high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shapes() {
        let line = Squash::line(-2.0, 2.0).unwrap();
        assert_eq!([-9.0, -2.0, 0.0, 1.0, 9.0].map(|r| line.apply(r)), [0.0, 0.0, 0.5, 0.75, 1.0]);
        let step = Squash::line(1.0, 1.0).unwrap();
        assert_eq!([0.0, 1.0, 1.5].map(|r| step.apply(r)), [0.0, 0.0, 1.0]);
        for squash in [line, step] {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert!(squash.apply(bad).is_nan());
            }
        }
        assert!(Squash::line(2.0, 1.0).is_err());
        assert!(Squash::line(f64::NAN, 1.0).is_err());
        assert!(Squash::line(-f64::MAX, f64::MAX).is_err());
        assert!(serde_json::from_str::<Squash>(r#"{"line":{"low":2.0,"high":1.0}}"#).is_err());
    }

    proptest! {
        #[test]
        fn lands_in_the_unit_interval_and_keeps_order(a in -1e300_f64..1e300, b in -1e300_f64..1e300, low in -1e9_f64..1e9, width in 0.0_f64..1e9) {
            let squash = Squash::line(low, low + width).unwrap();
            let (x, y) = (squash.apply(a), squash.apply(b));
            prop_assert!((0.0..=1.0).contains(&x));
            prop_assert!((a <= b && x <= y) || (a > b && x >= y));
        }
    }
}
