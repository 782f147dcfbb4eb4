//! Step sizes, weights and exploration: public functions of the spec and of how many reports came from where.

use crate::gradient::{Channel, Spec};

/// One source's constants.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source {
    pub(super) channel: Channel,
    /// What one sign or step is worth.
    pub(super) worth: f64,
    /// One over the mean square of a coordinate of the estimate: what a report of this source counts for.
    pub(super) weight: f64,
}

impl Source {
    pub(super) fn new(channel: Channel, spec: &Spec) -> Source {
        let parameters = spec.parameters();
        // The gradient itself is at most 1, and belongs to one arm of K.
        let signal = 1.0 / f64::from(spec.arms());
        let weight = 1.0 / (channel.variance(parameters) + signal);
        Source { channel, worth: channel.worth(parameters), weight }
    }
}

/// How far the descent has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// The sum of the weights of all reports so far.
    information: f64,
    arms: f64,
}

/// How far the first steps go.
const REACH: f64 = 0.5;
/// How strongly the average favours late points: a report's share is this many times its share of the information.
const LATENESS: f64 = 5.0;

impl Pace {
    pub(super) fn new(spec: &Spec) -> Pace {
        Pace { information: 0.0, arms: f64::from(spec.arms()) }
    }

    /// Counts one report of weight w: the step by which its gradient is multiplied, w / 2 over the root of 1
    /// plus the information, and its share in the average.
    #[inline]
    pub(super) fn advance(&mut self, weight: f64) -> (f64, f64) {
        self.information += weight;
        let step = REACH * weight / (1.0 + self.information).sqrt();
        (step, LATENESS * weight / (self.information + (LATENESS - 1.0) * weight))
    }

    /// The probability of exploring: 1 until the information equals the number of arms, then falling with its root.
    #[inline]
    pub(super) fn exploration(&self) -> f64 {
        (self.arms / self.information.max(self.arms)).sqrt()
    }
}
