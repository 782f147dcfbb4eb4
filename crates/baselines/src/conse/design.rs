//! What the experimenter decides beforehand.

use super::ConseError;

/// The size of the trial and its aim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Design {
    /// People in all: the paper's n.
    pub people: u64,
    /// Kinds of people: the paper's M.
    pub features: usize,
    /// From 0, estimate as well as possible, to 1, lose as little as possible.
    pub alpha: f64,
}

/// Below it, `epsilon * T_j` in billionths fits a machine word.
const MOST_PEOPLE: u64 = 10_000_000;
const MOST_FEATURES: usize = 10_000;

impl Design {
    /// Whether a trial can be made of it.
    pub(super) fn check(&self) -> Result<(), ConseError> {
        if !(2..=MOST_PEOPLE).contains(&self.people) {
            return Err(ConseError::People { got: self.people, most: MOST_PEOPLE });
        }
        if !(1..=MOST_FEATURES).contains(&self.features) {
            return Err(ConseError::Features { got: self.features, most: MOST_FEATURES });
        }
        // Also refuses NaN.
        if !(0.0..=1.0).contains(&self.alpha) {
            return Err(ConseError::Alpha { got: self.alpha });
        }
        Ok(())
    }

    /// People of the first half: floor(n / 2).
    pub(super) fn half(&self) -> u64 {
        self.people / 2
    }

    /// `T_min` of line 22 (23 in Algorithm 2): max(log n, min `f_j^(1 - alpha)`). Algorithm 2 has log n too,
    /// although its theorems say log(n) / epsilon.
    pub(super) fn least_length(&self, counts: impl Iterator<Item = u64>) -> f64 {
        let least = counts.min().unwrap_or(0) as f64;
        // Monotone in f, so the least count has the least power.
        libm::pow(least, 1.0 - self.alpha).max(libm::log(self.people as f64))
    }
}
