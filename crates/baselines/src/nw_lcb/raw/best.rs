//! The best candidate so far.

use super::objective::{Objective, Tally};

/// The best candidate so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Best {
    pub(super) value: f64,
    pub(super) candidate: u32,
    /// Whether there are sales near it.
    pub(super) seen: bool,
}

/// Far more than the rounding of values and bounds, far less than what tells prices apart.
const MARGIN: f64 = 1e-9;

impl Best {
    /// Line 4 of Algorithm 2.
    pub(super) const NONE: Best = Best { value: f64::NEG_INFINITY, candidate: u32::MAX, seen: false };

    /// Lines 8 to 12 of Algorithm 2.
    #[inline]
    pub(super) fn offer(&mut self, objective: &Objective, near: Tally, candidate: u32) {
        let seen = near.count > 0;
        let value = if seen { objective.value(near) } else { 0.0 };
        if value > self.value || (value == self.value && candidate < self.candidate) {
            *self = Best { value, candidate, seen };
        }
    }

    /// Whether candidates from `first` on may be better, or smaller and as good, given the bound of those
    /// that sales are near to, and the sales that are near to all of them. Where no sale is near the value is
    /// 0.
    #[inline]
    pub(super) fn may_lose(&self, bound: f64, inner: Tally, first: u32) -> bool {
        let unseen = self.value < 0.0 || (self.value == 0.0 && first < self.candidate);
        bound + MARGIN >= self.value || (unseen && inner.count == 0)
    }
}
