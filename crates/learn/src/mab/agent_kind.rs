//! The agents by name.

use std::fmt;
use std::str::FromStr;

use reticent_privacy::{Epsilon, Guarantee, SimRng};
use reticent_protocol::Report;
use reticent_protocol::mab::{Policy, Spec, SpecError};
use serde::{Deserialize, Serialize};

use super::{AbsorbError, Agent, ArmEstimate, KlUcb, Thompson, Unbounded};

/// Every multi-armed bandit agent that ships.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "`summary` says what each is")]
pub enum AgentKind {
    LdpKlUcb,
    LdpThompson,
    LdpThompsonUnbounded,
}

/// An agent chosen by name.
#[derive(Debug)]
pub struct AnyAgent {
    pub(super) kind: AgentKind,
    /// The agent itself, for callers that want to be compiled for it.
    pub engine: Engine,
}

/// The implementations behind the names.
#[derive(Debug)]
#[allow(missing_docs, reason = "each variant is its type")]
pub enum Engine {
    KlUcb(KlUcb),
    Thompson(Thompson),
    Unbounded(Unbounded),
}

/// A name that no agent has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no agent is called {0:?}")]
pub struct UnknownAgent(String);

impl AgentKind {
    /// All of them.
    pub const ALL: [AgentKind; 3] =
        [AgentKind::LdpKlUcb, AgentKind::LdpThompson, AgentKind::LdpThompsonUnbounded];

    /// The default: it keeps its randomness when many people are served between two updates.
    pub const DEFAULT: AgentKind = AgentKind::LdpThompson;

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            AgentKind::LdpKlUcb => "ldp-kl-ucb",
            AgentKind::LdpThompson => "ldp-thompson",
            AgentKind::LdpThompsonUnbounded => "ldp-thompson-unbounded",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            AgentKind::LdpKlUcb => {
                "private bits, Kullback-Leibler index: least regret when reports come at once"
            }
            AgentKind::LdpThompson => "private bits, Thompson sampling: the default",
            AgentKind::LdpThompsonUnbounded => "learns the rewards' range privately, then Thompson sampling",
        }
    }

    /// What the agent promises each person.
    pub fn guarantee(self, epsilon: Epsilon) -> Guarantee {
        // A guarantee does not depend on the number of arms.
        Spec::new(1, epsilon).map_or_else(|error| unreachable!("{error}"), |spec| super::guarantee(&spec))
    }

    /// A new agent for `arms` arms. `rng` feeds its own choices, not noise.
    pub fn build(self, arms: u32, epsilon: Epsilon, rng: SimRng) -> Result<AnyAgent, SpecError> {
        Ok(self.for_spec(Spec::new(arms, epsilon)?, rng))
    }

    /// A new agent for this experiment. `rng` feeds its own choices, not noise.
    pub fn for_spec(self, spec: Spec, rng: SimRng) -> AnyAgent {
        let engine = match self {
            AgentKind::LdpKlUcb => Engine::KlUcb(KlUcb::new(spec)),
            AgentKind::LdpThompson => Engine::Thompson(Thompson::new(spec, rng)),
            AgentKind::LdpThompsonUnbounded => Engine::Unbounded(Unbounded::new(spec, rng)),
        };
        AnyAgent { kind: self, engine }
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AgentKind {
    type Err = UnknownAgent;
    fn from_str(name: &str) -> Result<AgentKind, UnknownAgent> {
        AgentKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownAgent(name.to_string()))
    }
}

impl AnyAgent {
    /// The agent's name.
    pub fn kind(&self) -> AgentKind {
        self.kind
    }
}

impl Agent for AnyAgent {
    fn policy(&mut self, people: u64) -> Policy {
        match &mut self.engine {
            Engine::KlUcb(agent) => agent.policy(people),
            Engine::Thompson(agent) => agent.policy(people),
            Engine::Unbounded(agent) => agent.policy(people),
        }
    }

    fn estimates(&self) -> Vec<ArmEstimate> {
        match &self.engine {
            Engine::KlUcb(agent) => agent.estimates(),
            Engine::Thompson(agent) => agent.estimates(),
            Engine::Unbounded(agent) => agent.estimates(),
        }
    }

    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        match &mut self.engine {
            Engine::KlUcb(agent) => agent.absorb(report),
            Engine::Thompson(agent) => agent.absorb(report),
            Engine::Unbounded(agent) => agent.absorb(report),
        }
    }

    fn spec(&self) -> &Spec {
        match &self.engine {
            Engine::KlUcb(agent) => agent.spec(),
            Engine::Thompson(agent) => agent.spec(),
            Engine::Unbounded(agent) => agent.spec(),
        }
    }
}
