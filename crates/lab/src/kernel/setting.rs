//! What an experiment is about: the world, and what a method may know of it.

use reticent_curate::kernel::{self, Draft, DraftError, Form, Input, Kernel, Reward, Shape};
use reticent_privacy::{Delta, Epsilon, SimRng};
use serde::{Deserialize, Serialize};

use super::Target;

/// Where a trial's target comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetSpec {
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

impl TargetSpec {
    /// A trial's target.
    pub fn draw(&self, rng: &mut SimRng) -> Target {
        match self {
            TargetSpec::Rkhs { kernel, actions, centres } => Target::rkhs(kernel, *actions, *centres, rng),
            TargetSpec::Branin => Target::branin(),
            TargetSpec::Hartmann => Target::hartmann(),
        }
    }

    /// How many inputs are actions.
    pub fn actions(&self) -> usize {
        match self {
            TargetSpec::Rkhs { actions, .. } => *actions,
            TargetSpec::Branin => 1,
            TargetSpec::Hartmann => 2,
        }
    }

    /// A short name.
    pub fn name(&self) -> &'static str {
        match self {
            TargetSpec::Rkhs { .. } => "rkhs",
            TargetSpec::Branin => "branin",
            TargetSpec::Hartmann => "hartmann",
        }
    }
}

/// A world with its people, and what a method is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The target.
    pub source: TargetSpec,
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

impl Setting {
    /// The same as a plan of the unit cube, with rewards in units of the bound.
    pub fn spec(&self) -> Result<kernel::KernelSpec, DraftError> {
        let inputs = self.kernel.lengths().enumerate().map(|(number, length)| Input {
            column: format!("input {number}"),
            low: 0.0,
            high: 1.0,
            length,
            levels: None,
        });
        let mut actions: Vec<Input> = inputs.collect();
        let contexts = actions.split_off(self.source.actions().min(actions.len()));
        let factors = self.kernel.factors();
        let form = match factors.len() {
            1 => Form::Joint,
            many if many == self.kernel.inputs() => Form::Product,
            _ => Form::Sides,
        };
        let reward = Reward { column: "reward".into(), low: -1.0, high: 1.0, noise: self.noise / self.bound };
        let kernel = Shape { family: factors[0].family, form, rank: self.rank };
        Draft { experiment: None, actions, contexts, reward, kernel }.try_into()
    }
}
