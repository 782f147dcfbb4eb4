//! What is known of each arm, in the rewards' own units.

use reticent_privacy::Epsilon;
use reticent_privacy::mechanism::RandomisedResponse;
use reticent_protocol::mab::{Spec, Squash};
use serde::Serialize;

use super::arm::Arm;
use super::belief::{self, Measured};
use super::sequence;

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
    /// The probability that it is the best arm, by a normal approximation of the posterior; for bandits under a prior
    /// that learns how far apart the arms lie.
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
    let measured: Vec<Measured> = arms.iter().map(|arm| measured(arm, keep)).collect();
    let probabilities = belief::of_best(&measured);
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

/// What an arm's bits say of its mean reward, without the flips.
fn measured(arm: &Arm, keep: f64) -> Measured {
    if arm.pulls == 0 {
        return Measured { mean: 0.5, precision: 0.0 };
    }
    let (ones, zeros) = arm.ones_and_zeros();
    // Of few bits that are all alike the variance is not known to be nothing.
    let bit = (ones as f64 + 1.0) / ((ones + zeros) as f64 + 2.0);
    let width = 2.0 * keep - 1.0;
    let precision = arm.pulls as f64 * width * width / (bit * (1.0 - bit));
    Measured { mean: (arm.mean() - (1.0 - keep)) / width, precision }
}
