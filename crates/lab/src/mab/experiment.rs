//! One agent in one environment, in several independent trials.

use std::sync::Arc;

use reticent_privacy::Epsilon;
use serde::{Deserialize, Serialize};

use super::env::{Environment, Identity};
use super::{Playable, Run, Trial};
use crate::forged::Forgers;
use crate::named::Origin;
use crate::runner::{
    LabError, Numbered, Repeated, Size, StoreKey, checkpoints, is_one_by_one, one_by_one, plain,
};

/// One agent in one environment.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The agent.
    pub agent: Arc<dyn Playable>,
    /// The world.
    pub env: Environment,
    /// The loss of each report; ignored by agents that are not private.
    pub epsilon: Option<Epsilon>,
    /// People in a trial.
    pub users: u64,
    /// People between two refreshes of the policy.
    pub batch: u64,
    /// Independent trials.
    pub trials: u32,
    /// The seed of everything random.
    pub seed: u64,
    /// People who forge their reports.
    pub forgers: Option<Forgers>,
}

/// What the numbers of a trial depend on; two experiments with the same key may share stored trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Bumped whenever the same seed gives other numbers.
    pub series: u32,
    /// The agent's name.
    pub agent: String,
    /// The environment's name.
    pub env: String,
    /// Its arms.
    pub arms: Identity,
    /// The loss of each report.
    pub epsilon: Option<Epsilon>,
    /// People in a trial.
    pub users: u64,
    /// People between two refreshes of the policy.
    #[serde(default = "one_by_one", skip_serializing_if = "is_one_by_one")]
    pub batch: u64,
    /// The seed.
    pub seed: u64,
    /// People who forge their reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forgers: Option<Forgers>,
}

impl Experiment {
    /// The numbers of people at which regret is recorded: evenly spaced in their logarithm, ending with all.
    pub fn checkpoints(&self) -> Vec<u64> {
        checkpoints(self.users)
    }

    /// What the results depend on. The number of trials is not part of it: trials are independent.
    pub fn key(&self) -> Key {
        Key {
            series: self.agent.series(),
            agent: self.agent.name(),
            env: self.env.name().to_string(),
            arms: self.env.identity(),
            epsilon: if self.agent.is_private() { self.epsilon } else { None },
            users: self.users,
            batch: self.batch,
            seed: self.seed,
            forgers: self.forgers,
        }
    }
}

impl Repeated for Experiment {
    type Trial = Trial;

    fn check(&self) -> Result<(), LabError> {
        self.size().check()?;
        if self.forgers.is_some() && self.agent.origin() != Origin::Ours {
            return Err(LabError::NoForgers);
        }
        self.agent.check(self.epsilon)
    }

    fn size(&self) -> Size {
        Size { people: self.users, trials: self.trials }
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Trial>, LabError> {
        let mut run = Run::start(self, trial)?;
        Ok(if run.complete(self, go_on)? { Some(run.finish(self, trial)) } else { None })
    }
}

impl StoreKey for Key {
    fn file_name(&self) -> String {
        let epsilon = self.epsilon.map(|epsilon| format!("-eps{epsilon}")).unwrap_or_default();
        let batch = if self.batch > 1 { format!("-batch{}", self.batch) } else { String::new() };
        let (env, users, seed) = (plain(&self.env), self.users, self.seed);
        let forgers = self.forgers.map(|forgers| format!("-{}{}", forgers.strategy.name(), forgers.share));
        let forgers = forgers.unwrap_or_default();
        format!("{}-{env}{epsilon}-n{users}{batch}{forgers}-seed{seed}.jsonl", plain(&self.agent))
    }
}

impl Numbered for Trial {
    fn number(&self) -> u32 {
        self.trial
    }
}
