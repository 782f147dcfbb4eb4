//! The result of an experiment as a document.

use reticent_privacy::{Epsilon, Guarantee, Provenance};
use serde::Serialize;

use super::{Experiment, Trial};
use crate::best_arm::{BestArm, CurvePoint};
use crate::forged::Forgers;
use crate::runner::{LabError, is_one_by_one};
use crate::stats::{Summary, arm_shares};

/// What `simulate --json` prints.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The agent.
    pub agent: String,
    /// The environment.
    pub env: String,
    /// The loss asked for; agents that are not private ignore it, and `guarantee` says so.
    pub epsilon: Option<Epsilon>,
    /// People in a trial.
    pub users: u64,
    /// People between two refreshes of the policy.
    #[serde(skip_serializing_if = "is_one_by_one")]
    pub batch: u64,
    /// Independent trials.
    pub trials: u32,
    /// The seed.
    pub seed: u64,
    /// People who forge their reports, who get no arm and are in no share below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forgers: Option<Forgers>,
    /// Trials in which the agent warned of forged reports.
    pub warned: u32,
    /// What the agent promises each person: here nothing but what it would be, since a seed made the noise.
    pub guarantee: Guarantee,
    /// Where the noise came from: here always a seed.
    pub provenance: Provenance,
    /// Regret after all people.
    pub regret: Regret,
    /// Regret after fewer.
    pub curve: Vec<CurvePoint>,
    /// How soon people get the best arm; none if a kept trial did not count it.
    pub best_arm: Option<BestArm>,
    /// Share of people who got each arm, averaged over trials.
    pub share_per_arm: Vec<f64>,
    /// How long the trials took, on all threads together.
    pub seconds: f64,
    /// People served in a second of that time.
    pub users_per_second: f64,
}

/// Pseudo-regret: what people lost, in reward, against always giving the best arm.
#[derive(Debug, Clone, Serialize)]
pub struct Regret {
    /// Mean and spread over trials.
    #[serde(flatten)]
    pub summary: Summary,
    /// Each trial's.
    pub per_trial: Vec<f64>,
}

impl Outcome {
    /// From all trials of an experiment. `seconds` is for the `fresh` trials of this run, the others were stored.
    pub fn new(
        experiment: &Experiment,
        trials: &[Trial],
        fresh: usize,
        seconds: f64,
    ) -> Result<Outcome, LabError> {
        let per_trial: Vec<f64> = trials.iter().map(Trial::regret).collect();
        let summary = Summary::of(&per_trial)
            .ok_or(LabError::Interrupted { finished: 0, trials: experiment.trials })?;
        let at = |i: usize| -> Vec<f64> { trials.iter().filter_map(|t| t.curve.get(i).copied()).collect() };
        let curve = experiment.checkpoints().into_iter().enumerate();
        let curve = curve
            .filter_map(|(i, users)| Some(CurvePoint { users, summary: Summary::of(&at(i))? }))
            .collect();
        let served = fresh as f64 * experiment.users as f64;
        Ok(Outcome {
            agent: experiment.agent.name(),
            env: experiment.env.name().to_string(),
            epsilon: experiment.epsilon,
            users: experiment.users,
            batch: experiment.batch,
            trials: experiment.trials,
            seed: experiment.seed,
            forgers: experiment.forgers,
            warned: trials.iter().filter(|trial| !trial.warnings.is_empty()).count() as u32,
            guarantee: experiment.agent.guarantee(experiment.epsilon)?.made_with(Provenance::Simulation),
            provenance: Provenance::Simulation,
            regret: Regret { summary, per_trial },
            curve,
            best_arm: BestArm::of(&experiment.checkpoints(), trials.iter().map(|trial| &*trial.on_best)),
            share_per_arm: arm_shares(trials.iter().map(|trial| &*trial.pulls)),
            seconds,
            users_per_second: if served > 0.0 { served / seconds } else { 0.0 },
        })
    }
}
