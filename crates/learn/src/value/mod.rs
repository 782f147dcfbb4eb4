//! What another policy would have earned, from reports that were logged under policies that are known.
//!
//! **Statement.** For rewards that keep their law, the interval holds the mean reward of the target policy, clipped to
//! the declared range, with a probability that tends to 95 % as reports come, whatever learned from them meanwhile and
//! chose the policies that were logged.
//!
//! **Why.** A report's bit, with its flips undone, has the reward's mean. The lottery of the policy that it names is
//! public, and the device draws its arm without looking at the reward. So the score
//!
//! ```text
//! sum over arms of target(a) guess(a)  +  target(arm) / lottery(arm) * (unflipped bit - guess(arm))
//! ```
//!
//! has the target's value as its mean, given all that came before, for guesses that were made before. Scores less the
//! value are martingale differences. They are weighted by 1 / sqrt(sum target(a)^2 / lottery(a)), which is known before
//! the report and nearly evens out their variances, as the central limit theorem for martingales asks (Hadad,
//! Hirshberg, Zhan, Wager and Athey 2021). The channel's noise is in the scores and so in the interval. A lottery
//! that lacks an arm of the target says nothing about it and has weight 0; how many reports were of use is told.
//! `docs/mab.md` has the coverage.

mod contextual;

use reticent_privacy::mechanism::RandomisedResponse;
use reticent_protocol::mab::{Lottery, Spec};
use serde::Serialize;

pub use contextual::{ContextualEvaluation, Weighed};

/// How often an interval holds.
pub const CONFIDENCE: f64 = 0.95;
/// Standard deviations to either side of it.
const DEVIATIONS: f64 = 1.959_964;
/// Fewer useful reports than this give no interval.
const FEWEST: u64 = 30;

/// A policy that gives each person an arm with some probability, evaluated report by report in their order.
#[derive(Debug, Clone)]
pub struct Evaluation {
    target: Vec<f64>,
    /// The probability that a bit is kept.
    keep: f64,
    range: [f64; 2],
    arms: Vec<Guess>,
    reports: u64,
    used: u64,
    sums: Sums,
}

/// Weighted sums over scores.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    weights: f64,
    scores: f64,
    squared_weights: f64,
    squared_weights_scores: f64,
    squares: f64,
}

/// What is guessed of an arm.
#[derive(Debug, Clone, Copy, Default)]
struct Guess {
    sum: f64,
    count: f64,
}

/// What a policy is worth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Value {
    /// The mean reward of a person who gets an arm by it.
    pub mean: f64,
    /// Where it lies, at a fixed time, with probability [`CONFIDENCE`].
    pub interval: [f64; 2],
    /// Reports that were logged.
    pub reports: u64,
    /// Those whose policies could have given every arm of the target.
    pub used: u64,
}

/// Probabilities that are no policy of the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a policy has a probability for each arm, and they add up to 1")]
pub struct TargetError;

impl Evaluation {
    /// Of the policy that gives each arm with this probability.
    pub fn new(spec: &Spec, target: Vec<f64>) -> Result<Evaluation, TargetError> {
        let keep = RandomisedResponse::new(spec.epsilon()).keep_probability();
        let range = spec.reward();
        Evaluation::on_channel(keep, [range.low(), range.high()], spec.arms(), target)
    }

    /// The same on raw yes-or-no rewards: what privacy costs is the ratio of widths.
    pub fn raw(arms: u32, target: Vec<f64>) -> Result<Evaluation, TargetError> {
        Evaluation::on_channel(1.0, [0.0, 1.0], arms, target)
    }

    fn on_channel(
        keep: f64,
        range: [f64; 2],
        arms: u32,
        target: Vec<f64>,
    ) -> Result<Evaluation, TargetError> {
        let sum: f64 = target.iter().sum();
        let sound = target.iter().all(|share| (0.0..=1.0).contains(share)) && (sum - 1.0).abs() < 1e-9;
        if target.len() != arms as usize || !sound {
            return Err(TargetError);
        }
        let guesses = vec![Guess::default(); target.len()];
        Ok(Evaluation { target, keep, range, arms: guesses, reports: 0, used: 0, sums: Sums::default() })
    }

    /// One report: the lottery of the policy that it names, its arm and its bit. An arm that the lottery gives to
    /// nobody is no answer to it, and changes nothing.
    pub fn add(&mut self, lottery: &Lottery, arm: u32, bit: bool) {
        let given = lottery.probability(arm);
        let (Some(&wanted), true) = (self.target.get(arm as usize), given > 0.0) else { return };
        self.reports += 1;
        let reward = (f64::from(u8::from(bit)) - (1.0 - self.keep)) / (2.0 * self.keep - 1.0);
        if let Some(weight) = self.weight(lottery) {
            let guessed: f64 =
                self.target.iter().zip(&self.arms).map(|(share, guess)| share * guess.mean()).sum();
            let score = guessed + wanted / given * (reward - self.arms[arm as usize].mean());
            self.used += 1;
            self.sums.add(weight, score);
        }
        self.arms[arm as usize].add(reward);
    }

    /// What is known so far; nothing if too few reports were of use.
    pub fn value(&self) -> Option<Value> {
        if self.used < FEWEST {
            return None;
        }
        Some(self.sums.value(self.range, self.reports, self.used))
    }

    /// Known before the report: none if the lottery lacks an arm of the target.
    fn weight(&self, lottery: &Lottery) -> Option<f64> {
        let mut spread = 0.0;
        for (arm, share) in (0_u32..).zip(&self.target).filter(|(_, share)| **share > 0.0) {
            let given = lottery.probability(arm);
            if given == 0.0 {
                return None;
            }
            spread += share * share / given;
        }
        Some(1.0 / spread.sqrt())
    }
}

impl Sums {
    fn add(&mut self, weight: f64, score: f64) {
        let squared = weight * weight;
        self.weights += weight;
        self.scores += weight * score;
        self.squared_weights += squared;
        self.squared_weights_scores += squared * score;
        self.squares += squared * score * score;
    }

    /// The scores' weighted mean and what it may be off by, in the rewards' units.
    fn value(&self, [low, high]: [f64; 2], reports: u64, used: u64) -> Value {
        let mean = self.scores / self.weights;
        let squares =
            self.squares - 2.0 * mean * self.squared_weights_scores + mean * mean * self.squared_weights;
        let half = DEVIATIONS * squares.max(0.0).sqrt() / self.weights;
        let reward = |unit: f64| low + (high - low) * unit.clamp(0.0, 1.0);
        Value { mean: reward(mean), interval: [mean - half, mean + half].map(reward), reports, used }
    }
}

impl Guess {
    /// Half an answer in the middle, so that there is a guess before the first.
    fn mean(self) -> f64 {
        (self.sum + 0.5) / (self.count + 1.0)
    }

    fn add(&mut self, reward: f64) {
        self.sum += reward;
        self.count += 1.0;
    }
}

#[cfg(test)]
mod tests;
