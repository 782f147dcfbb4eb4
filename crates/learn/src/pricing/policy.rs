//! The policy: a price for each context, where that gains over one price for everybody.

mod choose;
mod crowd;
mod draws;
mod grid;
mod learn;
mod quote;
mod rules;
mod stored;
mod table;

use reticent_protocol::pricing::Terms;
use reticent_schema::ContextError;
use serde::{Deserialize, Serialize};

use super::axes::{Axes, LENGTHS};
use super::objective::{Objective, ObjectiveError};
pub use choose::Choice;
pub use rules::{RuledPolicy, Rules, RulesError};

/// A price for every context, with what it earns: on average, and at least.
///
/// Values are kept at nodes of the context axes and are linear between them. The pessimistic values hold for
/// all contexts and all prices to choose from at once, with the objective's confidence, if the outcome's mean
/// is as smooth as the posterior takes it to be: see `docs/pricing.md`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "stored::Stored", into = "stored::Stored")]
pub struct Policy {
    terms: Terms,
    objective: Objective,
    learned: Learned,
    axes: Axes,
    /// How many numbers a step along each context axis skips, in nodes.
    strides: Vec<usize>,
    /// For each node of the contexts and each price: mean and pessimistic value.
    mean: Vec<f64>,
    lower: Vec<f64>,
    /// What decides, in the same order: the price with the highest is quoted.
    score: Vec<f64>,
    /// How it was decided; policies of version 1 took the highest pessimistic value.
    choice: Option<Choice>,
    /// For each node of the contexts, the log's density relative to an even one.
    density: Vec<f64>,
}

/// What a policy was learned from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    /// How many reports.
    pub reports: u64,
    /// The losses of the logs' reports.
    pub epsilons: Vec<f64>,
    /// The length scale of each axis in units of its range, the price last; 10 means that the axis does not matter.
    pub lengths: Vec<f64>,
    /// How many deviations wide the band is.
    pub band: f64,
    /// For each axis, the price last, the logarithm of how much likelier the reports are if it matters than if
    /// it does not; empty in policies of the first version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<f64>,
}

/// One in twenty, over all length scales that an axis can have.
const SHOWN: f64 = 20.0 * (LENGTHS.len() - 1) as f64;

impl Learned {
    /// Whether an axis is shown to matter; none if the policy does not say. An axis that does not matter is said
    /// to with probability at most 5 %: reports that are SHOWN times likelier under another law than the true
    /// one have probability 1 / SHOWN at most (Markov), for each of its length scales.
    pub fn matters(&self, axis: usize) -> Option<bool> {
        Some(shown(*self.evidence.get(axis)?))
    }
}

/// Whether so much evidence shows that an axis matters.
fn shown(evidence: f64) -> bool {
    evidence > libm::log(SHOWN)
}

/// The answer for one context.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    /// The price.
    pub price: f64,
    /// What it earns on average.
    pub mean: f64,
    /// What it earns at least, by the band.
    pub lower: f64,
    /// Whether nothing was known to earn anything, and the price is the fallback.
    pub fallback: bool,
    /// How dense the log is there, relative to an even one: below 0.1 it says little.
    pub density: f64,
}

/// Why there is no quote, or no policy. Never contains a context.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The context cannot be encoded.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// A value outside what was declared.
    #[error("the value of field `{field}` is outside the declared range; the log says nothing about it")]
    Outside {
        /// The field.
        field: String,
    },
    /// The objective.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// Not a stored policy.
    #[error("this is no price policy: {0}")]
    Stored(&'static str),
    /// A stored policy of another version.
    #[error("the policy has version {0}, this program reads versions up to {version}; update the program", version = stored::VERSION)]
    Version(u32),
}

impl Policy {
    /// The market.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// What prices are chosen for.
    pub fn objective(&self) -> &Objective {
        &self.objective
    }

    /// What it was learned from.
    pub fn learned(&self) -> &Learned {
        &self.learned
    }

    /// How prices were chosen; none for a policy of the first version, which took the highest pessimistic value.
    pub fn choice(&self) -> Option<&Choice> {
        self.choice.as_ref()
    }

    /// How many nodes of contexts there are.
    pub fn nodes(&self) -> usize {
        self.density.len()
    }
}
