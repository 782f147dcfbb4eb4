//! Raw records, scaled: a point of the unit cube (actions first, then the context) and a reward in [-1, 1].

use super::Points;

/// What scaling may add to a reward at the end of its range.
const ROUNDING: f64 = 1e-9;

/// What people did and what came of it. Private.
#[derive(Clone, PartialEq)]
pub struct Records {
    points: Points,
    rewards: Vec<f64>,
    /// Whether a reward lay beyond its range.
    beyond: Vec<bool>,
}

/// The size alone: the values belong to people.
impl std::fmt::Debug for Records {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl Records {
    /// No records yet, of `inputs` inputs each.
    pub fn new(inputs: usize) -> Records {
        Records { points: Points::new(inputs), rewards: Vec::new(), beyond: Vec::new() }
    }

    /// Adds a record. Whatever it holds is clipped to the scaled ranges, and what is not a number counts as
    /// their start (inputs) or middle (reward): the guarantee must not rest on the caller.
    pub fn push(&mut self, point: &[f64], reward: f64) {
        self.points.push(point);
        self.rewards.push(if reward.is_nan() { 0.0 } else { reward.clamp(-1.0, 1.0) });
        self.beyond.push(reward.abs() > 1.0 + ROUNDING);
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.rewards.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rewards.is_empty()
    }

    /// The points.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Which rewards lay beyond their range and were clipped to it.
    pub fn beyond(&self) -> &[bool] {
        &self.beyond
    }

    /// The rewards, in [-1, 1].
    pub fn rewards(&self) -> &[f64] {
        &self.rewards
    }
}
