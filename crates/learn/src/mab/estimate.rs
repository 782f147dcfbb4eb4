//! What is known of each arm, in the rewards' own units.

use reticent_privacy::Epsilon;
use reticent_privacy::mechanism::RandomisedResponse;
use reticent_protocol::mab::{Spec, Squash};
use serde::Serialize;

use super::arm::Arm;
use super::sequence;
use crate::best::probabilities_of_best;

/// How often each arm's interval holds, at all times together.
pub const CONFIDENCE: f64 = 0.95;
/// Standard deviations to either side of it.
const DEVIATIONS: f64 = 1.959_964;

/// One arm. All of it follows from reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmEstimate {
    /// The arm's name.
    pub name: String,
    /// Reports about it; none where a report does not say its arm.
    pub reports: Option<u64>,
    /// The mean reward; none before the first report. Rewards are clipped to the range in `clipped_to`.
    pub mean: Option<f64>,
    /// Where the mean lies. For bandits it holds at all times together with probability [`CONFIDENCE`] for
    /// each arm, however the arm was chosen.
    pub interval: [f64; 2],
    /// The probability that it is the best arm, by a normal approximation of the posterior.
    pub probability_of_best: f64,
    /// The range to which rewards were clipped.
    pub clipped_to: [f64; 2],
}

impl ArmEstimate {
    /// Where the mean lies, with probability [`CONFIDENCE`] at a time that was fixed beforehand: narrower than
    /// `interval`, and wrong far more often for whoever looks again and again. For bandits whose reports have loss
    /// `epsilon` (Wilson 1927, on the bits).
    pub fn interval_at_one_time(&self, epsilon: Epsilon) -> [f64; 2] {
        let [low, high] = self.clipped_to;
        let (Some(mean), Some(n)) = (self.mean, self.reports.filter(|&n| n > 0)) else { return [low, high] };
        let (keep, n) = (RandomisedResponse::new(epsilon).keep_probability(), n as f64);
        let width = 2.0 * keep - 1.0;
        let bit = (1.0 - keep) + width * (mean - low) / (high - low);
        let z2 = DEVIATIONS * DEVIATIONS;
        let middle = (bit + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = DEVIATIONS * (bit * (1.0 - bit) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
        let reward = |bit: f64| low + (high - low) * ((bit - (1.0 - keep)) / width).clamp(0.0, 1.0);
        [reward(middle - half), reward(middle + half)]
    }
}

/// The estimates from the arms' bits.
pub(super) fn estimates(spec: &Spec, squash: Squash, arms: &[Arm]) -> Vec<ArmEstimate> {
    let keep = RandomisedResponse::new(spec.epsilon()).keep_probability();
    let (low, high) = squash.ends().unwrap_or((0.0, 1.0));
    // Undoes the flips of the bits, then the squash.
    let reward = |bit: f64| low + (high - low) * ((bit - (1.0 - keep)) / (2.0 * keep - 1.0)).clamp(0.0, 1.0);
    let posteriors: Vec<(f64, f64)> = arms.iter().map(posterior).collect();
    let probabilities = probabilities_of_best(&posteriors);
    let one = |((arm, name), probability_of_best): ((&Arm, &String), f64)| {
        let (ones, zeros) = arm.ones_and_zeros();
        ArmEstimate {
            name: name.clone(),
            reports: Some(arm.pulls),
            mean: (arm.pulls > 0).then(|| reward(arm.mean())),
            interval: sequence::interval(ones, zeros, 1.0 - CONFIDENCE).map(reward),
            probability_of_best,
            clipped_to: [low, high],
        }
    };
    arms.iter().zip(spec.arm_names()).zip(probabilities).map(one).collect()
}

/// Mean and deviation of the Beta posterior of an arm's bit.
fn posterior(arm: &Arm) -> (f64, f64) {
    let (ones, zeros) = arm.ones_and_zeros();
    let (a, b) = (ones as f64 + 1.0, zeros as f64 + 1.0);
    let mean = a / (a + b);
    (mean, (mean * (1.0 - mean) / (a + b + 1.0)).sqrt())
}
