//! Simulated worlds: arms whose rewards have known laws, so that regret can be measured.

mod builtin;
mod reward;
mod spec_file;

use std::path::Path;

use reticent_privacy::SimRng;
use reticent_protocol::mab::MAX_ARMS;
use serde::{Deserialize, Serialize};

pub use builtin::Builtin;
pub use reward::Reward;
pub use spec_file::SpecFileError;

use crate::contextual::env::World;
use crate::named::did_you_mean;
use reticent_store::files::FileError;

/// A multi-armed bandit environment.
#[derive(Debug, Clone, PartialEq)]
pub struct Environment {
    name: String,
    arms: Vec<Reward>,
    labels: Vec<String>,
    /// After so many people a best and a worst arm change places.
    swap_after: Option<u64>,
}

/// Why an environment could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnvError {
    /// Neither a built-in name nor `file:`.
    #[error("no environment is called {0:?}{near}; use one of {names}, or file:SPEC.toml; with contexts one of {worlds}, or data:FILE.csv",
        near = did_you_mean(.0, Builtin::ALL.map(Builtin::name).into_iter().chain(World::NAMES)),
        names = Builtin::names(),
        worlds = World::NAMES.join(", "))]
    Unknown(String),
    /// The spec file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The spec file is wrong.
    #[error(transparent)]
    Spec(#[from] SpecFileError),
}

/// One arm as stored with results, to notice when an environment has changed under the same name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity(Vec<Reward>);

impl Environment {
    /// `mab-bernoulli`, `mab-mixed`, `mab-gaussian`, or `file:SPEC.toml`.
    pub fn open(name: &str) -> Result<Environment, EnvError> {
        if let Some(path) = name.strip_prefix("file:") {
            return spec_file::read(name, Path::new(path));
        }
        let builtin = Builtin::ALL.into_iter().find(|b| b.name() == name);
        Ok(builtin.ok_or_else(|| EnvError::Unknown(name.to_string()))?.environment())
    }

    fn new(name: String, arms: Vec<Reward>, labels: Vec<String>) -> Environment {
        debug_assert!(!arms.is_empty() && arms.len() <= MAX_ARMS as usize && arms.len() == labels.len());
        Environment { name, arms, labels, swap_after: None }
    }

    /// The same, but after so many people a best and a worst arm change places.
    #[must_use]
    pub fn swapped_after(mut self, people: u64) -> Environment {
        self.name = format!("{}, best and worst arm swapped after {people} people", self.name);
        self.swap_after = Some(people);
        self
    }

    /// After how many people arms change places, if they do.
    pub fn swap_after(&self) -> Option<u64> {
        self.swap_after
    }

    /// What it is afterwards.
    pub(super) fn after_swap(&self) -> Environment {
        let gaps = self.gaps();
        let first = |wanted: f64| gaps.iter().position(|gap| *gap == wanted).unwrap_or(0);
        let worst = gaps.iter().copied().fold(0.0, f64::max);
        let mut after = Environment { swap_after: None, ..self.clone() };
        after.arms.swap(first(0.0), first(worst));
        after
    }

    /// The name it was opened by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many arms there are.
    pub fn arms(&self) -> u32 {
        self.arms.len() as u32
    }

    /// The arms' laws.
    pub fn rewards(&self) -> &[Reward] {
        &self.arms
    }

    /// The arms' names.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// What the results of this environment depend on.
    pub fn identity(&self) -> Identity {
        Identity(self.arms.clone())
    }

    /// The mean reward of each arm.
    pub fn means(&self) -> Vec<f64> {
        self.arms.iter().map(Reward::mean).collect()
    }

    /// How much worse than the best each arm is, on average.
    pub fn gaps(&self) -> Vec<f64> {
        let means = self.means();
        let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        means.iter().map(|mean| best - mean).collect()
    }

    /// Whether all rewards lie in [0, 1].
    pub fn is_unit(&self) -> bool {
        self.arms.iter().all(Reward::is_unit)
    }

    /// A reward of one arm.
    #[inline]
    pub fn draw(&self, arm: u32, rng: &mut SimRng) -> f64 {
        self.arms[arm as usize].draw(rng)
    }
}
