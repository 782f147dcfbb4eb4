//! What goes wrong in a real trial: outcomes that come late or never, and means that drift.

use reticent_privacy::SimRng;
use serde::{Deserialize, Serialize};

/// How people's outcomes reach the trial. The default: at once, all of them, with the same means at all times.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Conditions {
    /// The share of people whose outcome never comes, for each arm; nobody's if it is empty.
    pub lost: Vec<f64>,
    /// Lost besides, on the last arm, if the outcome is in the lower half of the range: what no design can see.
    pub lost_if_low: f64,
    /// Outcomes that come late.
    pub delay: Option<Delay>,
    /// How far all means move alike from the first person to the last.
    pub trend: f64,
    /// How far the last arm's mean moves besides: an effect that drifts.
    pub drift: f64,
}

/// Outcomes come when so many further people are enrolled, or at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delay {
    /// So many enrolments later.
    pub enrolments: u64,
    /// The chance to be late of an outcome in the upper half of the range.
    pub high: f64,
    /// The same in the lower half.
    pub low: f64,
}

/// What becomes of an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrival {
    AtOnce,
    After(u64),
    Never,
}

impl Conditions {
    /// Whether they can be: shares between 0 and 1, one for each arm or none.
    pub(super) fn fit(&self, arms: usize) -> bool {
        let share = |value: &f64| (0.0..=1.0).contains(value);
        let delay = self.delay.is_none_or(|delay| share(&delay.high) && share(&delay.low));
        let lost = self.lost.is_empty() || self.lost.len() == arms;
        lost && self.lost.iter().all(share)
            && share(&self.lost_if_low)
            && delay
            && self.trend.is_finite()
            && self.drift.is_finite()
    }

    /// What is added to an arm's mean when a share `time` of all people came.
    pub(super) fn moved(&self, arm: usize, arms: usize, time: f64) -> f64 {
        let drift = if arm + 1 == arms { self.drift } else { 0.0 };
        (self.trend + drift) * (time - 0.5)
    }

    /// When an outcome comes. Two random numbers, whatever the arm.
    pub(super) fn arrival(&self, arm: usize, last: bool, is_high: bool, rng: &mut SimRng) -> Arrival {
        let (lost, late) = (rng.uniform(), rng.uniform());
        let hidden = if last && !is_high { self.lost_if_low } else { 0.0 };
        let gone = self.lost.get(arm).copied().unwrap_or(0.0);
        if lost < 1.0 - (1.0 - gone) * (1.0 - hidden) {
            return Arrival::Never;
        }
        match self.delay {
            Some(delay) if late < if is_high { delay.high } else { delay.low } => {
                Arrival::After(delay.enrolments)
            }
            _ => Arrival::AtOnce,
        }
    }
}
