//! The best of neighbouring candidates, by going through them.

use std::ops::Range;

use super::cells::Tail;
use super::objective::{Objective, Tally};

/// The best candidate so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Best {
    pub(super) value: f64,
    pub(super) candidate: u32,
    /// Whether there are sales near it.
    pub(super) seen: bool,
}

impl Best {
    /// Line 4 of Algorithm 2.
    pub(super) const NONE: Best = Best { value: f64::NEG_INFINITY, candidate: u32::MAX, seen: false };

    /// Lines 8 to 12 of Algorithm 2.
    #[inline]
    fn offer(&mut self, objective: &Objective, near: Tally, candidate: u32) {
        let seen = near.count > 0;
        let value = if seen { objective.value(near) } else { 0.0 };
        if value > self.value || (value == self.value && candidate < self.candidate) {
            *self = Best { value, candidate, seen };
        }
    }
}

/// Sales that come near or leave within a run of candidates.
#[derive(Debug)]
pub(super) struct Sweep {
    candidates: Range<u32>,
    /// What is near to the first candidate.
    near: Tally,
    /// The candidate, whether the sale leaves, and its reward, in one number that sorts by candidate.
    events: Vec<u64>,
}

const LEAVES: u64 = 1 << 31;

impl Sweep {
    /// `near` are the sales that are near to all of these candidates.
    pub(super) fn new(candidates: Range<u32>, near: Tally, mut events: Vec<u64>) -> Sweep {
        events.clear();
        Sweep { candidates, near, events }
    }

    /// A sale that is near to some of the candidates, or to none.
    #[inline]
    pub(super) fn add(&mut self, &[first, last, _, reward]: &Tail) {
        let Range { start, end } = self.candidates;
        if last < start || first >= end {
            return;
        }
        if first <= start {
            self.near.count += 1;
            self.near.steps += u64::from(reward);
        } else {
            self.events.push(u64::from(first) << 32 | u64::from(reward));
        }
        if last + 1 < end {
            self.events.push(u64::from(last + 1) << 32 | LEAVES | u64::from(reward));
        }
    }

    /// Offers the first candidate of each stretch with the same sales near. The buffer of events comes back.
    pub(super) fn run(mut self, objective: &Objective, best: &mut Best) -> Vec<u64> {
        self.events.sort_unstable();
        let (mut near, mut candidate) = (self.near, self.candidates.start);
        for &event in &self.events {
            let at = (event >> 32) as u32;
            if at != candidate {
                best.offer(objective, near, candidate);
                candidate = at;
            }
            let reward = event & (LEAVES - 1);
            if event & LEAVES == 0 {
                near = Tally { count: near.count + 1, steps: near.steps + reward };
            } else {
                near = Tally { count: near.count - 1, steps: near.steps - reward };
            }
        }
        best.offer(objective, near, candidate);
        self.events
    }
}
