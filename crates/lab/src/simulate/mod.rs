//! Experiments: an agent, an environment, many people, several independent trials.

mod checkpoint;
mod outcome;
mod pool;
mod store;
mod trial;

use reticent_device::mab::DeviceError;
use reticent_learn::mab::{AbsorbError, BuildError, Kind, LoadError};
use reticent_privacy::Epsilon;
use serde::{Deserialize, Serialize};

pub use checkpoint::{load, save};
pub use outcome::{CurvePoint, Outcome, Regret};
pub use pool::{Repeated, run_all};
pub(crate) use store::short_hash;
pub use store::{Numbered, Store, StoreKey, plain};
pub use trial::{Run, Trial};

use crate::env::{Environment, Identity};
use reticent_store::files::FileError;

/// One agent in one environment.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The agent.
    pub agent: Kind,
    /// The world.
    pub env: Environment,
    /// The loss of each report; ignored by agents that are not private.
    pub epsilon: Option<Epsilon>,
    /// People in a trial.
    pub users: u64,
    /// Independent trials.
    pub trials: u32,
    /// The seed of everything random.
    pub seed: u64,
}

/// What the numbers of a trial depend on; two experiments with the same key may share stored trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Bumped whenever the same seed gives other numbers.
    pub series: u32,
    /// The agent's name.
    pub agent: Kind,
    /// The environment's name.
    pub env: String,
    /// Its arms.
    pub arms: Identity,
    /// The loss of each report.
    pub epsilon: Option<Epsilon>,
    /// People in a trial.
    pub users: u64,
    /// The seed.
    pub seed: u64,
}

/// The number of this agent's series of results. Laplace noise was drawn in another way in the first.
fn series(agent: Kind) -> u32 {
    match agent {
        Kind::LdpUcbL | Kind::LdpUcbLs => 2,
        _ => 1,
    }
}

/// Points of a regret curve in each decade.
const POINTS_PER_DECADE: f64 = 10.0;
/// More people than anybody has.
pub const MAX_USERS: u64 = 100_000_000_000;
/// More trials than anybody waits for.
pub const MAX_TRIALS: u32 = 1_000_000;

/// Why an experiment stopped.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// Somebody asked it to.
    #[error("stopped: {finished} of {trials} trials had finished")]
    Interrupted {
        /// Trials that finished.
        finished: usize,
        /// Trials asked for.
        trials: u32,
    },
    /// Nothing to do.
    #[error("{what} must be between 1 and {most}, got {got}")]
    Size {
        /// The parameter.
        what: &'static str,
        /// Its largest value.
        most: u64,
        /// What was given.
        got: u64,
    },
    /// The agent cannot be made.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A device refused.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// An agent refused.
    #[error(transparent)]
    Absorb(#[from] AbsorbError),
    /// A contextual experiment cannot be run.
    #[error(transparent)]
    Contextual(#[from] crate::contextual::ContextualError),
    /// A kernel method refused.
    #[error(transparent)]
    Kernel(#[from] crate::kernel::MethodError),
    /// A pricing method refused.
    #[error(transparent)]
    Pricing(#[from] crate::pricing::LessonError),
    /// A trial refused.
    #[error(transparent)]
    Conse(#[from] reticent_baselines::conse::ConseError),
    /// A trial refused a step.
    #[error(transparent)]
    Trial(#[from] reticent_curate::trial::TrialError),
    /// A replay of a table stopped.
    #[error(transparent)]
    Replay(#[from] reticent_jobs::trial::replay::ReplayError),
    /// A law of arrivals is none.
    #[error(transparent)]
    Arrivals(#[from] crate::trial::ArrivalsError),
    /// A trial cannot be simulated.
    #[error(transparent)]
    TrialWorld(#[from] crate::trial::WorldError),
    /// A saved agent is wrong.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A saved run is wrong.
    #[error("the saved run cannot be used: {0}")]
    Checkpoint(String),
    /// An output folder holds something else.
    #[error("{path} holds results of another experiment: use another --out folder, or remove it")]
    OtherResults {
        /// The file.
        path: String,
    },
    /// Another process writes there.
    #[error("another run is writing to {path}: wait for it, or use another --out folder")]
    FolderInUse {
        /// The folder.
        path: String,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Neither nothing to do nor more than anybody waits for.
pub(crate) fn check_sizes(users: u64, trials: u32) -> Result<(), LabError> {
    let size = |what, got: u64, most: u64| {
        if (1..=most).contains(&got) { Ok(()) } else { Err(LabError::Size { what, most, got }) }
    };
    size("the number of users", users, MAX_USERS)?;
    size("the number of trials", u64::from(trials), u64::from(MAX_TRIALS))
}

/// Numbers of people evenly spaced in their logarithm, ending with all.
pub fn checkpoints(users: u64) -> Vec<u64> {
    let steps = (libm::log10(users as f64) * POINTS_PER_DECADE) as i32;
    let mut points: Vec<u64> = (0..=steps)
        .map(|k| libm::round(libm::pow(10.0, f64::from(k) / POINTS_PER_DECADE)) as u64)
        .filter(|&point| point < users)
        .collect();
    points.dedup();
    points.push(users);
    points
}

impl Experiment {
    /// Checks sizes and that the agent can be made, before any work.
    pub fn check(&self) -> Result<(), LabError> {
        check_sizes(self.users, self.trials)?;
        self.agent.channel(self.epsilon)?;
        Ok(())
    }

    /// The numbers of people at which regret is recorded: evenly spaced in their logarithm, ending with all.
    pub fn checkpoints(&self) -> Vec<u64> {
        checkpoints(self.users)
    }

    /// What the results depend on. The number of trials is not part of it: trials are independent.
    pub fn key(&self) -> Key {
        Key {
            series: series(self.agent),
            agent: self.agent,
            env: self.env.name().to_string(),
            arms: self.env.identity(),
            epsilon: if self.agent.is_private() { self.epsilon } else { None },
            users: self.users,
            seed: self.seed,
        }
    }
}

impl Repeated for Experiment {
    type Trial = Trial;

    fn check(&self) -> Result<(), LabError> {
        Experiment::check(self)
    }

    fn trials(&self) -> u32 {
        self.trials
    }

    fn users(&self) -> u64 {
        self.users
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Trial>, LabError> {
        let mut run = Run::start(self, trial)?;
        Ok(if run.complete(self, go_on)? { Some(run.finish(self, trial)) } else { None })
    }
}

impl StoreKey for Key {
    fn file_name(&self) -> String {
        let epsilon = self.epsilon.map(|epsilon| format!("-eps{epsilon}")).unwrap_or_default();
        format!("{}-{}{epsilon}-n{}-seed{}.jsonl", self.agent, plain(&self.env), self.users, self.seed)
    }
}

impl Numbered for Trial {
    fn number(&self) -> u32 {
        self.trial
    }
}

#[cfg(test)]
mod tests;
