//! The event that an attacker looks for: a score on one side of a threshold.

use std::fmt;

use super::family::Score;
use super::sample::Rows;

/// Which scores belong to the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    AtLeast,
    Below,
}

pub(super) struct Event {
    pub(super) score: Box<dyn Score>,
    pub(super) threshold: f64,
    pub(super) side: Side,
}

impl Event {
    /// How many of the rows the event holds for.
    pub(super) fn count(&self, rows: Rows<'_>) -> u64 {
        rows.iter().filter(|seen| self.holds(seen)).count() as u64
    }

    fn holds(&self, seen: &[f64]) -> bool {
        let at_least = self.score.score(seen) >= self.threshold;
        at_least == (self.side == Side::AtLeast)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::AtLeast => "at least",
            Side::Below => "below",
        };
        write!(f, "{} {side} {}", self.score.name(), self.threshold)
    }
}
