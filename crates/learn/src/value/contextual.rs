//! The same where people have a context: reports are symbols of (cell, arm, good or bad), through an oracle.
//!
//! A task's map gives an arm to each cell, and tasks are drawn without looking at the person. So among the people of
//! one question those of a cell get an arm with a known probability, and target over that probability weighs the
//! signs of their rewards into the target's value. The oracle's unbiased estimate from a single report is noisy and
//! has the right mean; weighed and added up it is a score as above. A question that takes cells together can be used
//! where the target and the probabilities are the same in all of them.

use reticent_privacy::oracle::{Aggregate, Oracle};
use reticent_protocol::contextual::{Asked, Channel, Plan, Spec};
use reticent_protocol::{Answer, Report};

use super::{FEWEST, Sums, TargetError, Value};

/// A policy that gives the people of each cell an arm with some probability, evaluated report by report.
#[derive(Debug, Clone)]
pub struct ContextualEvaluation {
    /// For each cell of the grid, each arm's probability.
    target: Vec<Vec<f64>>,
    arms: usize,
    range: [f64; 2],
    /// The arm that a person gets is drawn once more on the device.
    hidden: bool,
    reports: u64,
    used: u64,
    sums: Sums,
}

/// A logged plan as an evaluation reads its reports: for each question what a sign of each place and arm counts.
#[derive(Debug, Clone)]
pub struct Weighed {
    questions: Vec<Option<Factors>>,
}

/// Of one question.
#[derive(Debug, Clone)]
struct Factors {
    factors: Vec<f64>,
    /// One over their length: known before the report, and about one over its score's deviation.
    weight: f64,
}

impl ContextualEvaluation {
    /// Of the policy with these probabilities, for each cell of the grid one for each arm.
    pub fn new(spec: &Spec, target: Vec<Vec<f64>>) -> Result<ContextualEvaluation, TargetError> {
        let arms = spec.arms() as usize;
        let sound = |shares: &Vec<f64>| {
            let sum: f64 = shares.iter().sum();
            shares.len() == arms && shares.iter().all(|s| (0.0..=1.0).contains(s)) && (sum - 1.0).abs() < 1e-9
        };
        if target.len() != spec.grid().cells() || !target.iter().all(sound) {
            return Err(TargetError);
        }
        let range = [spec.reward().low(), spec.reward().high()];
        let hidden = spec.arm_epsilon().is_some();
        Ok(ContextualEvaluation { target, arms, range, hidden, reports: 0, used: 0, sums: Sums::default() })
    }

    /// What this plan's reports say of the target. Reports of sources, whose arms nobody drew, say nothing; nor do
    /// those of an experiment that hides arms.
    pub fn weigh(&self, plan: &Plan) -> Weighed {
        let asked = plan.policy().questions.len() as u32;
        Weighed { questions: (0..asked).map(|question| self.factors(plan, question)).collect() }
    }

    /// One report of a plan; one that is none of it changes nothing.
    pub fn add(&mut self, plan: &Plan, weighed: &Weighed, report: &Report) {
        let task = report.question as usize;
        let Some(question) = plan.policy().tasks.get(task).map(|task| task.question as usize) else { return };
        let Some(signs) = signs(plan.channel(task), &report.answer) else { return };
        self.reports += 1;
        let Some(Some(Factors { factors, weight })) = weighed.questions.get(question) else { return };
        let sign: f64 = factors.iter().zip(signs).map(|(factor, sign)| factor * sign).sum();
        self.used += 1;
        self.sums.add(*weight, 0.5 + 0.5 * sign);
    }

    /// What is known so far; nothing if too few reports were of use.
    pub fn value(&self) -> Option<Value> {
        (self.used >= FEWEST).then(|| self.sums.value(self.range, self.reports, self.used))
    }

    /// Target over probability, for each coarse cell and arm; none if a cell's people never get an arm of the target by
    /// this question, or cells that it takes together differ.
    fn factors(&self, plan: &Plan, question: u32) -> Option<Factors> {
        let policy = plan.policy();
        let tasks = policy.tasks.iter().enumerate().filter(|(_, task)| task.question == question);
        let tasks: Vec<usize> = tasks.map(|(number, _)| number).collect();
        let channel = plan.channel(*tasks.first()?);
        // A policy with cells of its own: what the target says of the experiment's cells is not said of them.
        let other = policy.cells.is_some();
        if other || self.hidden || policy.source.is_some() || matches!(channel.asked(), Asked::Place(_)) {
            return None;
        }
        let mut factors: Vec<Option<f64>> = vec![None; channel.coarse_cells() * self.arms];
        for (cell, target) in self.target.iter().enumerate() {
            let mut given = vec![0.0; self.arms];
            for &task in &tasks {
                given[usize::from(plan.map(task)[cell])] += 1.0 / tasks.len() as f64;
            }
            for (arm, (wanted, given)) in target.iter().zip(given).enumerate() {
                let factor = if *wanted == 0.0 { 0.0 } else { wanted / given };
                let place = channel.place_and_arm(cell as u32, arm as u32) as usize;
                if !factor.is_finite() || factors[place].is_some_and(|before| before != factor) {
                    return None;
                }
                factors[place] = Some(factor);
            }
        }
        let factors: Vec<f64> = factors.into_iter().map(Option::unwrap_or_default).collect();
        let length = factors.iter().map(|factor| factor * factor).sum::<f64>().sqrt();
        Some(Factors { factors, weight: 1.0 / length })
    }
}

/// An unbiased estimate, from one report, of good minus bad for each place and arm.
fn signs(channel: &Channel, answer: &Answer) -> Option<Vec<f64>> {
    let Answer::Symbol(report) = answer else { return None };
    match channel.asked() {
        Asked::Outcome(oracle) => {
            let mut one = Aggregate::new(oracle);
            one.add(oracle, report).ok()?;
            let symbols = oracle.estimate(&one).ok()?;
            Some(symbols.chunks_exact(2).map(|pair| pair[1] - pair[0]).collect())
        }
        Asked::Effect(oracle) => {
            let mut counts = vec![0; oracle.shape().cells()];
            oracle.shape().count(report, &mut counts).ok()?;
            Some(oracle.estimate(&counts))
        }
        Asked::Place(_) => Some(Vec::new()),
    }
}
