//! What is known of each arm for people at large, in the rewards' own units.

use super::Contextual;
use crate::mab::ArmEstimate;

/// Deviations of a normal variable that 95 % lie within.
const Z: f64 = 1.959_963_984_540_054;

impl Contextual {
    /// Each arm's mean reward if everybody got it, and how probably it is the best arm for somebody.
    ///
    /// The interval is the posterior's, as of the current policy: its deviation is the mean of the cells'
    /// deviations, which is at least that of their mean. `docs/contextual.md` says how often it held.
    pub fn estimates(&self) -> Vec<ArmEstimate> {
        let insight = self.insight();
        let (low, high) = (self.spec.reward().low(), self.spec.reward().high());
        let average = |values: &[f64]| values.iter().zip(&insight.masses).map(|(v, m)| v * m).sum::<f64>();
        let best = |arm: usize| -> f64 {
            let cells = self.masses().iter().enumerate();
            cells.map(|(cell, mass)| mass * self.probability_of_best(cell, arm)).sum()
        };
        let one = |(arm, name): (usize, &String)| {
            let (mean, deviation) = (average(&insight.arms[arm].mean), average(&insight.arms[arm].deviation));
            ArmEstimate {
                name: name.clone(),
                reports: None,
                mean: (self.people > 0).then_some(mean),
                interval: [mean - Z * deviation, mean + Z * deviation].map(|end| end.clamp(low, high)),
                probability_of_best: best(arm),
                clipped_to: [low, high],
            }
        };
        self.spec.arm_names().iter().enumerate().map(one).collect()
    }
}
