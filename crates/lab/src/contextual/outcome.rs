//! The result of a contextual experiment as a document.

use reticent_privacy::{Epsilon, Guarantee, Provenance};
use serde::Serialize;

use super::experiment::is_at_once;
use super::{ContextualError, Experiment, Trial};
use crate::best_arm::BestArm;
use crate::forged::Forgers;
use crate::named::promise;
use crate::runner::{LabError, is_one_by_one};
use crate::stats::{Summary, arm_shares};

/// What `simulate --json` prints for a contextual agent.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The agent.
    pub agent: String,
    /// The world.
    pub env: String,
    /// Coordinates of a context.
    pub dims: usize,
    /// Arms.
    pub arms: u32,
    /// The loss asked for; agents that are not private ignore it, and `guarantee` says so.
    pub epsilon: Option<Epsilon>,
    /// The sources, with the weight that each has at the end, averaged over trials.
    pub sources: Vec<SourceOutcome>,
    /// Forgetting.
    pub half_life: Option<u64>,
    /// People in a trial.
    pub users: u64,
    /// People between two refreshes of the policy.
    #[serde(skip_serializing_if = "is_one_by_one")]
    pub batch: u64,
    /// People who are served before a report arrives.
    #[serde(skip_serializing_if = "is_at_once")]
    pub delay: u64,
    /// Rows of the data from which people were drawn with replacement, because more were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn_from: Option<u64>,
    /// The loss of the arm that a person is seen to get.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arm_epsilon: Option<Epsilon>,
    /// Independent trials.
    pub trials: u32,
    /// The seed.
    pub seed: u64,
    /// People who forge their reports, who get no arm and are in no number below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forgers: Option<Forgers>,
    /// Trials in which the agent warned of forged reports.
    pub warned: u32,
    /// What the agent promises each person: here nothing but what it would be, since a seed made the noise.
    pub guarantee: Guarantee,
    /// Where the noise came from: here always a seed.
    pub provenance: Provenance,
    /// Regret after all people; mistakes, for data.
    pub regret: Summary,
    /// Mean reward a person, over all people.
    pub mean_reward: Summary,
    /// After fewer people.
    pub curve: Vec<Point>,
    /// Each trial's regret.
    pub per_trial: Vec<f64>,
    /// How soon people get the best arm for them; none if a kept trial did not count it.
    pub best_arm: Option<BestArm>,
    /// Share of people who got each arm, averaged over trials.
    pub share_per_arm: Vec<f64>,
    /// The share of people for whom no arm is clearly best at the end, averaged over trials.
    pub undecided: Option<f64>,
    /// How long the trials took, on all threads together.
    pub seconds: f64,
    /// People served in a second of that time.
    pub users_per_second: f64,
}

/// One source.
#[derive(Debug, Clone, Serialize)]
pub struct SourceOutcome {
    /// Its name.
    pub name: String,
    /// Its people.
    pub people: u64,
    /// The loss of their reports.
    pub epsilon: Epsilon,
    /// Its final weight; `None` for agents that trust all alike.
    pub weight: Option<f64>,
}

/// Regret and reward after some of the people.
#[derive(Debug, Clone, Serialize)]
pub struct Point {
    /// How many.
    pub users: u64,
    /// Their regret.
    pub regret: Summary,
    /// Their mean reward.
    pub mean_reward: Summary,
}

impl Outcome {
    /// From all trials of an experiment. `seconds` is for the `fresh` trials of this run, the others were stored.
    pub fn new(
        experiment: &Experiment,
        trials: &[Trial],
        fresh: usize,
        seconds: f64,
    ) -> Result<Outcome, LabError> {
        let interrupted = || LabError::Interrupted { finished: 0, trials: experiment.trials };
        let points = experiment.checkpoints();
        let at = |i: usize, users: u64| -> Option<Point> {
            let regret: Vec<f64> = trials.iter().filter_map(|t| t.regret.get(i).copied()).collect();
            let reward: Vec<f64> =
                trials.iter().filter_map(|t| Some(t.reward.get(i)? / users as f64)).collect();
            Some(Point { users, regret: Summary::of(&regret)?, mean_reward: Summary::of(&reward)? })
        };
        let curve: Vec<Point> = points.iter().enumerate().filter_map(|(i, &users)| at(i, users)).collect();
        let last = curve.last().ok_or_else(interrupted)?.clone();
        // Whoever sees both the report and a private arm learns at most the sum.
        let visit = match (experiment.epsilon, experiment.arm_epsilon) {
            (Some(report), Some(arm)) => {
                Some(Epsilon::from_nano(report.nano() + arm.nano()).map_err(ContextualError::from)?)
            }
            (report, _) => report,
        };
        let served = fresh as f64 * experiment.users as f64;
        Ok(Outcome {
            agent: experiment.agent_name(),
            env: experiment.world.name().to_string(),
            dims: experiment.world.dims(),
            arms: experiment.world.arms(),
            epsilon: experiment.epsilon,
            sources: sources(experiment, trials),
            half_life: experiment.half_life,
            users: experiment.users,
            batch: experiment.batch,
            delay: experiment.delay,
            drawn_from: experiment.drawn_from(),
            arm_epsilon: experiment.arm_epsilon,
            trials: experiment.trials,
            seed: experiment.seed,
            forgers: experiment.forgers,
            warned: trials.iter().filter(|trial| !trial.warnings.is_empty()).count() as u32,
            guarantee: promised(experiment, visit)?.made_with(Provenance::Simulation),
            provenance: Provenance::Simulation,
            regret: last.regret,
            mean_reward: last.mean_reward,
            curve,
            per_trial: trials.iter().filter_map(|t| t.regret.last().copied()).collect(),
            best_arm: BestArm::of(&points, trials.iter().map(|trial| &*trial.on_best)),
            share_per_arm: arm_shares(trials.iter().map(|trial| &*trial.pulls)),
            undecided: mean(trials.iter().filter_map(|t| t.undecided)),
            seconds,
            users_per_second: if served > 0.0 { served / seconds } else { 0.0 },
        })
    }

    /// The point of the curve at so many people.
    pub fn at(&self, users: u64) -> Option<&Point> {
        self.curve.iter().find(|point| point.users == users)
    }
}

fn promised(experiment: &Experiment, visit: Option<Epsilon>) -> Result<Guarantee, LabError> {
    match &experiment.own {
        Some(own) => own.guarantee(visit),
        None => promise(experiment.agent, visit),
    }
}

fn sources(experiment: &Experiment, trials: &[Trial]) -> Vec<SourceOutcome> {
    let weight = |source: usize| mean(trials.iter().filter_map(|t| t.source_weights.get(source).copied()));
    let all = experiment.sources.iter().enumerate();
    all.map(|(i, (source, epsilon))| SourceOutcome {
        name: source.label().to_string(),
        people: source.people(),
        epsilon: *epsilon,
        weight: weight(i),
    })
    .collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
