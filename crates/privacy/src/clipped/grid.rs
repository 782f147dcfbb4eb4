//! A public grid over a public range.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::NotFinite;

/// Multiples of `step` from at most `low` to at least `high`: the range is rounded outwards to the grid, and
/// with it the sensitivity of a value on it.
///
/// ```
/// use reticent_privacy::Grid;
/// let ages = Grid::new(0.0, 120.0, 0.5)?;
/// assert_eq!(ages.clip(34.2)?.steps(), 68);
/// assert_eq!(ages.clip(1000.0)?.steps(), 240);
/// assert!(ages.clip(f64::NAN).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Grid {
    low: f64,
    high: f64,
    step: f64,
    low_steps: i64,
    high_steps: i64,
}

/// A value that was clipped to a grid, in whole steps of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clipped(i64);

crate::clipped::private_debug!(Clipped);

/// Why a grid is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// A parameter is not finite, the step is not positive, or the range is empty.
    #[error("a grid needs finite numbers with low below high and a positive step")]
    Shape,
    /// More steps than noise can be drawn for.
    #[error("the grid's ends must be within 2^32 steps of zero; choose a larger step")]
    TooFine,
}

impl Grid {
    /// The largest distance of the grid's ends from zero, in steps.
    pub const MAX_STEPS: i64 = 1 << 32;

    /// The grid of multiples of `step` that covers [`low`, `high`].
    pub fn new(low: f64, high: f64, step: f64) -> Result<Grid, GridError> {
        let finite = low.is_finite() && high.is_finite() && step.is_finite();
        if !finite || low >= high || step <= 0.0 {
            return Err(GridError::Shape);
        }
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let most = Self::MAX_STEPS as f64;
        if !(first.abs() <= most && last.abs() <= most) {
            return Err(GridError::TooFine);
        }
        // Two numbers so small beside the step that both are zero steps.
        if first == last {
            return Err(GridError::Shape);
        }
        Ok(Grid { low, high, step, low_steps: first as i64, high_steps: last as i64 })
    }

    /// Clips `value` to the range and rounds it to the grid; refuses NaN and infinities.
    pub fn clip(&self, value: f64) -> Result<Clipped, NotFinite> {
        if !value.is_finite() {
            return Err(NotFinite);
        }
        let steps = (value.clamp(self.low, self.high) / self.step).round() as i64;
        Ok(self.again(Clipped(steps)))
    }

    /// A value of another grid is clipped to this one: a mistake must not cost privacy.
    pub(super) fn again(&self, value: Clipped) -> Clipped {
        Clipped(value.0.clamp(self.low_steps, self.high_steps))
    }

    /// The number at `steps`; noise may take it out of the range.
    pub fn value(&self, steps: i64) -> f64 {
        steps as f64 * self.step
    }

    /// The most that replacing one value can change, in steps.
    pub fn width(&self) -> NonZeroU64 {
        // The ends differ, so neither this nor the reach is zero.
        NonZeroU64::new(self.high_steps.abs_diff(self.low_steps)).unwrap_or(NonZeroU64::MIN)
    }

    /// The most that one value can add or take away, in steps.
    pub fn reach(&self) -> NonZeroU64 {
        let reach = self.low_steps.unsigned_abs().max(self.high_steps.unsigned_abs());
        NonZeroU64::new(reach).unwrap_or(NonZeroU64::MIN)
    }
}

impl Clipped {
    /// Whole steps of the grid, counted from zero.
    pub fn steps(self) -> i64 {
        self.0
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    low: f64,
    high: f64,
    step: f64,
}

impl TryFrom<Raw> for Grid {
    type Error = GridError;
    fn try_from(raw: Raw) -> Result<Grid, GridError> {
        Grid::new(raw.low, raw.high, raw.step)
    }
}

impl From<Grid> for Raw {
    fn from(grid: Grid) -> Raw {
        Raw { low: grid.low, high: grid.high, step: grid.step }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn edges() {
        let grid = Grid::new(-0.05, 1.0, 0.1).unwrap();
        assert_eq!(
            (grid.low_steps, grid.high_steps, grid.width().get(), grid.reach().get()),
            (-1, 10, 11, 10)
        );
        assert_eq!(Grid::new(1e-300, 2e-300, 1e300), Err(GridError::Shape), "both are zero steps");
        for (low, high, step) in
            [(0.0, 1.0, 0.0), (1.0, 1.0, 0.1), (0.0, 1.0, f64::NAN), (0.0, f64::INFINITY, 1.0)]
        {
            assert_eq!(Grid::new(low, high, step), Err(GridError::Shape));
        }
        assert_eq!(Grid::new(0.0, 1.0, 1e-12), Err(GridError::TooFine));
        assert_eq!(Grid::new(-1e308, 1e308, 1e-308), Err(GridError::TooFine));
        assert!(serde_json::from_str::<Grid>(r#"{"low":1,"high":0,"step":0.1}"#).is_err());
        assert_eq!(serde_json::from_str::<Grid>(&serde_json::to_string(&grid).unwrap()).unwrap(), grid);
    }

    proptest! {
        #[test]
        fn two_clipped_values_are_within_the_width(
            a in -1e9_f64..1e9, b in -1e9_f64..1e9, low in -100.0_f64..0.0, span in 0.001_f64..100.0, step in 0.0001_f64..10.0,
        ) {
            let grid = Grid::new(low, low + span, step).unwrap();
            let (x, y) = (grid.clip(a).unwrap(), grid.clip(b).unwrap());
            prop_assert!(x.steps().abs_diff(y.steps()) <= grid.width().get());
            prop_assert!(x.steps().unsigned_abs() <= grid.reach().get());
            // The width is the range rounded up to the grid, and by no more than one step at each end.
            prop_assert!(grid.width().get() as f64 * step >= span * (1.0 - 1e-12));
            prop_assert!(grid.width().get() as f64 <= span / step + 2.0 + 1e-9);
        }
    }
}
