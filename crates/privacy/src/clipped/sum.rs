//! Sums of clipped values: a statistic whose sensitivity follows from its type.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::{Clipped, Grid};

/// The sum of values on one grid. Built from [`Clipped`] values alone, so one record can change it by no more
/// than the grid says.
#[derive(Clone, Copy, PartialEq)]
pub struct ClippedSum {
    grid: Grid,
    steps: i64,
}

crate::clipped::private_debug!(ClippedSum);

/// Which data sets must look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbours {
    /// One record replaced by another; the number of records is public.
    Replace,
    /// One record added or removed; the number of records is private too.
    AddRemove,
}

/// The sum would leave the range of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the sum would overflow after about 2^31 records at the grid's end; nothing was added")]
pub struct SumOverflow;

impl ClippedSum {
    /// The sum of no values.
    pub fn new(grid: Grid) -> ClippedSum {
        ClippedSum { grid, steps: 0 }
    }

    /// One value alone.
    pub fn of(grid: Grid, value: Clipped) -> ClippedSum {
        ClippedSum { grid, steps: grid.again(value).steps() }
    }

    /// Adds one value.
    pub fn add(&mut self, value: Clipped) -> Result<(), SumOverflow> {
        self.steps = self.steps.checked_add(self.grid.again(value).steps()).ok_or(SumOverflow)?;
        Ok(())
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The raw sum: for mechanisms only, since it is private.
    pub(crate) fn steps(&self) -> i64 {
        self.steps
    }

    /// The most that one record can change the sum by, in steps.
    pub fn sensitivity(&self, neighbours: Neighbours) -> NonZeroU64 {
        match neighbours {
            Neighbours::Replace => self.grid.width(),
            Neighbours::AddRemove => self.grid.reach(),
        }
    }
}

impl Neighbours {
    /// In words, for a guarantee.
    pub fn words(self) -> &'static str {
        match self {
            Neighbours::Replace => "data sets in which one record is replaced",
            Neighbours::AddRemove => "data sets in which one record is added or removed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_another_grid_is_clipped_again() {
        let narrow = Grid::new(0.0, 1.0, 0.1).unwrap();
        let wide = Grid::new(-100.0, 100.0, 0.1).unwrap();
        let mut sum = ClippedSum::new(narrow);
        sum.add(wide.clip(77.0).unwrap()).unwrap();
        sum.add(wide.clip(-77.0).unwrap()).unwrap();
        assert_eq!(sum.steps(), 10);
        assert_eq!(ClippedSum::of(narrow, wide.clip(9.0).unwrap()).steps(), 10);
        let wide = ClippedSum::new(Grid::new(-1.0, 3.0, 1.0).unwrap());
        let sensitivity = |neighbours| wide.sensitivity(neighbours).get();
        assert_eq!((sensitivity(Neighbours::Replace), sensitivity(Neighbours::AddRemove)), (4, 3));
    }

    #[test]
    fn an_overflow_adds_nothing() {
        let grid = Grid::new(0.0, 1.0, 1.0).unwrap();
        let one = grid.clip(1.0).unwrap();
        let mut sum = ClippedSum { grid, steps: i64::MAX - 1 };
        sum.add(one).unwrap();
        assert_eq!(sum.add(one), Err(SumOverflow));
        assert_eq!(sum.steps(), i64::MAX);
    }
}
