//! Everything that makes a privacy claim, by name: what it promises, how to run it on one input, and how to audit it.
//!
//! One list serves `reticent list`, `reticent report` and `reticent audit`, so that nothing can be used
//! without being audited.

mod contextual;
mod kernel;
mod mab;
mod mechanisms;
mod oracles;
mod pricing;
mod subject;
mod trial;

use std::io;

use reticent_audit::{AuditError, Finding};
use reticent_privacy::{EntropyError, Epsilon, Guarantee};
use serde::Serialize;
use serde_json::Value;

pub use mab::audit_agent;
pub use subject::{Effort, Subject};

use crate::named::{Named, did_you_mean};

/// Where an entry belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// One person's value, randomised on their device.
    LocalMechanism,
    /// One person's symbol, randomised on their device.
    FrequencyOracle,
    /// A data set's statistic, released by a curator.
    CentralMechanism,
    /// A whole agent with its devices.
    Agent,
}

/// One thing that makes a privacy claim.
pub trait Entry: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// Where it belongs.
    fn group(&self) -> Group;
    /// One line on what it is.
    fn summary(&self) -> &'static str;
    /// A JSON input that `reticent report` takes.
    fn example(&self) -> &'static str;
    /// What it promises at this loss.
    fn guarantee(&self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError>;
    /// Holds it to that promise.
    fn audit(&self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError>;
    /// Privatised outputs of one raw input, by the production path.
    fn report(&self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError>;
}

/// What `reticent report` was asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The loss of each output.
    pub epsilon: Epsilon,
    /// The raw input.
    pub input: &'a Value,
    /// How many outputs.
    pub count: u64,
}

/// Where outputs go, one JSON value at a time.
pub type Sink<'a> = &'a mut dyn FnMut(&Value) -> io::Result<()>;

/// What can go wrong. No message repeats an input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// A name that nothing has.
    #[error("nothing here is called {0:?}{near}; `reticent list` shows every name", near = did_you_mean(.0, all().iter().map(|entry| entry.name())))]
    Unknown(String),
    /// A name that is listed, but makes no claim.
    #[error("{0} is {1}: it claims no privacy, so there is nothing to measure")]
    NoClaim(String, &'static str),
    /// An input of the wrong form.
    #[error("the input does not fit {name}: {problem}; for example --input '{example}'")]
    Input {
        /// The entry.
        name: &'static str,
        /// What is wrong, without the value.
        problem: String,
        /// One that fits.
        example: &'static str,
    },
    /// A loss that this entry cannot be made for.
    #[error("{name} cannot be made for this epsilon: {problem}")]
    Parameter {
        /// The entry.
        name: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// The audit could not be made.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// No entropy, no noise.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// The outputs could not be written.
    #[error("cannot write the outputs: {0}")]
    Write(#[from] io::Error),
}

/// An agent that is run by name: all that an entry says of it but these three follows from its name.
trait Agent: Named + Sync {
    /// A JSON input that `reticent report` takes.
    const EXAMPLE: &'static str;
    /// Holds it to its promise.
    fn audit(self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError>;
    /// Privatised outputs of one raw input, by the production path.
    fn report(self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError>;

    /// An input of another form.
    fn misfit(self, problem: &str) -> CatalogueError {
        CatalogueError::Input { name: self.name(), problem: problem.to_string(), example: Self::EXAMPLE }
    }

    /// A loss that it cannot be made for.
    fn parameter(self, problem: &str) -> CatalogueError {
        CatalogueError::Parameter { name: self.name(), problem: problem.to_string() }
    }

    /// Those of its kind that make a claim.
    fn entries(makes_claim: fn(Self) -> bool) -> Vec<Box<dyn Entry>> {
        let claimants = Self::ALL.iter().copied().filter(|&agent| makes_claim(agent));
        claimants.map(|agent| Box::new(AgentEntry(agent)) as Box<dyn Entry>).collect()
    }
}

struct AgentEntry<A>(A);

impl<A: Agent> Entry for AgentEntry<A> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn group(&self) -> Group {
        Group::Agent
    }

    fn summary(&self) -> &'static str {
        self.0.summary()
    }

    fn example(&self) -> &'static str {
        A::EXAMPLE
    }

    fn guarantee(&self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        self.0.guarantee(epsilon).map_err(|error| self.0.parameter(&error.to_string()))
    }

    fn audit(&self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        self.0.audit(epsilon, effort)
    }

    fn report(&self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        self.0.report(asked, out)
    }
}

/// Every entry, in groups.
pub fn all() -> Vec<Box<dyn Entry>> {
    let mut all = mechanisms::local();
    all.extend(oracles::all());
    all.extend(mechanisms::central());
    all.extend(mab::all());
    all.extend(contextual::all());
    all.extend(trial::all());
    all.extend(kernel::all());
    all.extend(pricing::all());
    all
}

/// The entry of this name.
pub fn find(name: &str) -> Result<Box<dyn Entry>, CatalogueError> {
    let found = all().into_iter().find(|entry| entry.name() == name);
    found.ok_or_else(|| match without_claim(name) {
        Some(what) => CatalogueError::NoClaim(name.to_string(), what),
        None => CatalogueError::Unknown(name.to_string()),
    })
}

/// What else `reticent list` shows under this name.
fn without_claim(name: &str) -> Option<&'static str> {
    let is_agent = crate::mab::AgentName::find(name).is_some()
        || crate::contextual::AgentName::find(name).is_some()
        || crate::trial::DesignName::find(name).is_some()
        || crate::kernel::MethodName::find(name).is_some()
        || crate::pricing::MethodName::find(name).is_some();
    let is_world = crate::contextual::env::World::is_name(name)
        || crate::mab::env::Builtin::ALL.iter().any(|world| world.name() == name);
    match (is_agent, is_world) {
        (true, _) => Some("a baseline that sees raw data"),
        (_, true) => Some("an environment"),
        _ => crate::reproduce::names().contains(&name).then_some("a figure"),
    }
}

impl Group {
    /// All groups in the order of the catalogue.
    pub const ALL: [Group; 4] =
        [Group::LocalMechanism, Group::FrequencyOracle, Group::CentralMechanism, Group::Agent];

    /// A heading.
    pub fn title(self) -> &'static str {
        match self {
            Group::LocalMechanism => "Local mechanisms",
            Group::FrequencyOracle => "Frequency oracles",
            Group::CentralMechanism => "Central mechanisms",
            Group::Agent => "Agents, end to end",
        }
    }
}

/// An input that an entry does not take.
fn misfit(entry: &dyn Entry, problem: impl Into<String>) -> CatalogueError {
    CatalogueError::Input { name: entry.name(), problem: problem.into(), example: entry.example() }
}

#[cfg(test)]
mod tests;
