//! What an experiment is about: the world, and what a method may know of it.

use reticent_curate::kernel::Kernel;
use reticent_privacy::{Delta, Epsilon, SimRng};
use serde::{Deserialize, Serialize};

use super::Target;

/// Where a trial's target comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A random function of a kernel's space, another one in each trial.
    Rkhs {
        /// The kernel.
        kernel: Kernel,
        /// How many of its inputs are actions.
        actions: usize,
        /// How many kernel functions it is made of.
        centres: usize,
    },
    /// Branin's function, one action and one context.
    Branin,
    /// Hartmann's function, two actions and four contexts.
    Hartmann,
}

impl Source {
    /// A trial's target.
    pub fn draw(&self, rng: &mut SimRng) -> Target {
        match self {
            Source::Rkhs { kernel, actions, centres } => Target::rkhs(kernel, *actions, *centres, rng),
            Source::Branin => Target::branin(),
            Source::Hartmann => Target::hartmann(),
        }
    }

    /// A short name.
    pub fn name(&self) -> &'static str {
        match self {
            Source::Rkhs { .. } => "rkhs",
            Source::Branin => "branin",
            Source::Hartmann => "hartmann",
        }
    }
}

/// A world with its people, and what a method is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The target.
    pub source: Source,
    /// The kernel that methods use.
    pub kernel: Kernel,
    /// Their regularisation.
    pub tau: f64,
    /// Features of the kernel, at most.
    pub rank: usize,
    /// The standard deviation of a reward around its mean, which is in [-1, 1].
    pub noise: f64,
    /// Rewards are clipped to this, either way.
    pub bound: f64,
    /// People with a record.
    pub people: u64,
    /// The loss of methods that are private; without it they add no noise.
    pub epsilon: Option<Epsilon>,
    /// The probability with which that loss may be larger, for methods that need one.
    pub delta: Delta,
}
