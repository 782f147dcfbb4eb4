//! How good each of several public candidates is, for mechanisms that choose one.

use super::{ClippedSum, Neighbours};

/// A score for each candidate, in steps, with the most that one record can change any of them by.
#[derive(Clone, PartialEq, Eq)]
pub struct Scores {
    steps: Vec<i64>,
    sensitivity: u64,
}

crate::clipped::private_debug!(Scores);

/// Why there is nothing to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScoresError {
    /// No candidates.
    #[error("there must be at least one candidate")]
    Empty,
    /// The sums are on different grids, so their steps cannot be compared.
    #[error("all candidates' sums must be on the same grid")]
    MixedGrids,
    /// A stated sensitivity of zero: the scores would not depend on anybody.
    #[error("the sensitivity must be at least one step")]
    NoSensitivity,
}

impl Scores {
    /// Scores that are sums of clipped values on one grid: the sensitivity is the grid's.
    pub fn of_sums(sums: &[ClippedSum], neighbours: Neighbours) -> Result<Scores, ScoresError> {
        let first = sums.first().ok_or(ScoresError::Empty)?;
        if sums.iter().any(|sum| sum.grid() != first.grid()) {
            return Err(ScoresError::MixedGrids);
        }
        Scores::declared(sums.iter().map(ClippedSum::steps).collect(), first.sensitivity(neighbours).get())
    }

    /// Scores of another kind. The caller proves that one record changes no score by more than `sensitivity`
    /// steps, once a number that is the same for all scores is taken off: choosing sees their differences
    /// alone.
    pub fn declared(steps: Vec<i64>, sensitivity: u64) -> Result<Scores, ScoresError> {
        if steps.is_empty() {
            return Err(ScoresError::Empty);
        }
        if sensitivity == 0 {
            return Err(ScoresError::NoSensitivity);
        }
        Ok(Scores { steps, sensitivity })
    }

    /// How many candidates there are; at least one.
    #[allow(clippy::len_without_is_empty, reason = "scores are never empty")]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    #[cfg(test)]
    pub(crate) fn steps(&self) -> &[i64] {
        &self.steps
    }

    pub(crate) fn sensitivity(&self) -> u64 {
        self.sensitivity
    }

    /// How far each candidate is behind the best, in steps.
    pub(crate) fn gaps(&self) -> Vec<u64> {
        let best = self.steps.iter().copied().max().unwrap_or(0);
        self.steps.iter().map(|&score| best.abs_diff(score)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;

    #[test]
    fn gaps_and_refusals() {
        let scores = Scores::declared(vec![i64::MIN, 3, i64::MAX], 1).unwrap();
        assert_eq!(scores.gaps(), [u64::MAX, i64::MAX as u64 - 3, 0]);
        assert_eq!(Scores::declared(Vec::new(), 1), Err(ScoresError::Empty));
        assert_eq!(Scores::declared(vec![1], 0), Err(ScoresError::NoSensitivity));
        let sum = |step| ClippedSum::new(Grid::new(0.0, 1.0, step).unwrap());
        let mixed = Scores::of_sums(&[sum(0.1), sum(0.2)], Neighbours::Replace);
        assert_eq!(mixed, Err(ScoresError::MixedGrids));
    }
}
