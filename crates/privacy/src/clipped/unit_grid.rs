//! Numbers in [0, 1] on a fixed grid: the only form in which a reward meets noise.

/// A number in [0, 1], held as a whole number of grid steps of 2^-30.
///
/// Clipping bounds the sensitivity; the grid makes it an integer, so that exact integer noise can hide it. The grid
/// is public and fixed: it moves a value by at most 2^-31.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitGrid(u32);

crate::clipped::private_debug!(UnitGrid);

/// The value was NaN or infinite. Deliberately says nothing about the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the value is not a finite number (NaN or infinite); nothing was sent")]
pub struct NotFinite;

impl UnitGrid {
    /// The grid has 2^30 steps in [0, 1].
    pub const BITS: u32 = 30;
    /// Grid steps in [0, 1]: the sensitivity of a value on the grid.
    pub const STEPS: u32 = 1 << Self::BITS;
    /// One half: what a missing value counts as.
    pub const MIDDLE: UnitGrid = UnitGrid(Self::STEPS / 2);

    /// Clips `value` to [0, 1] and rounds it to the grid; refuses NaN and infinities.
    #[inline]
    pub fn clip(value: f64) -> Result<UnitGrid, NotFinite> {
        if !value.is_finite() {
            return Err(NotFinite);
        }
        // Exact: scaling by a power of two is, and adding one half before truncation rounds to nearest.
        Ok(UnitGrid((value.clamp(0.0, 1.0) * f64::from(Self::STEPS) + 0.5) as u32))
    }

    /// The number of grid steps, between 0 and [`STEPS`](Self::STEPS).
    #[inline]
    pub fn steps(self) -> u32 {
        self.0
    }

    /// The number itself.
    pub fn value(self) -> f64 {
        f64::from(self.0) / f64::from(Self::STEPS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn edges() {
        assert_eq!(UnitGrid::clip(0.0).unwrap().steps(), 0);
        assert_eq!(UnitGrid::clip(1.0).unwrap().steps(), UnitGrid::STEPS);
        assert_eq!(UnitGrid::clip(-1e300).unwrap().steps(), 0);
        assert_eq!(UnitGrid::clip(1e300).unwrap().steps(), UnitGrid::STEPS);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(UnitGrid::clip(bad), Err(NotFinite));
        }
    }

    proptest! {
        #[test]
        fn stays_in_range_and_close(value in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO) {
            let grid = UnitGrid::clip(value).unwrap();
            prop_assert!(grid.steps() <= UnitGrid::STEPS);
            prop_assert!((grid.value() - value.clamp(0.0, 1.0)).abs() <= 0.5 / f64::from(UnitGrid::STEPS));
        }
    }
}
