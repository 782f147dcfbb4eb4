//! The agents by name.

use std::fmt;
use std::str::FromStr;

use reticent_privacy::{Epsilon, Guarantee, SimRng};
use reticent_protocol::mab::{Channel, Policy, Report, Spec, SpecError, Squash};
use serde::{Deserialize, Serialize};

use super::{AbsorbError, Agent, KlUcb, Thompson, Ucb, Unbounded};

/// Every multi-armed bandit agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "`summary` says what each is")]
pub enum Kind {
    Ucb1,
    Ucb1S,
    LdpUcbL,
    LdpUcbB,
    LdpUcbLs,
    LdpUcbBs,
    LdpKlUcb,
    LdpThompson,
    LdpThompsonUnbounded,
}

/// Where an agent comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A non-private baseline.
    Baseline,
    /// A paper's algorithm with the paper's constants.
    Faithful,
    /// Ours.
    Ours,
}

/// Which rewards an agent is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Range {
    /// Rewards in [0, 1]; others are clipped on the device.
    Unit,
    /// Any real rewards.
    Unbounded,
}

/// An agent chosen by name.
#[derive(Debug)]
pub struct AnyAgent {
    pub(super) kind: Kind,
    /// The agent itself, for callers that want to be compiled for it.
    pub engine: Engine,
}

/// The four implementations behind the names.
#[derive(Debug)]
#[allow(missing_docs, reason = "each variant is its type")]
pub enum Engine {
    Ucb(Ucb),
    KlUcb(KlUcb),
    Thompson(Thompson),
    Unbounded(Unbounded),
}

/// Why an agent could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A private agent without a loss.
    #[error("agent {0} is private and needs an epsilon, the loss of one report: 1, for example")]
    NeedsEpsilon(Kind),
    /// No arms, or too many.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A saved spec whose channel is not the one of the agent's name.
    #[error("agent {0} does not work with the experiment's channel")]
    WrongChannel(Kind),
}

/// A name that no agent has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no agent is called {0:?}; `reticent list` shows them all")]
pub struct UnknownAgent(String);

impl Kind {
    /// All of them, baselines first.
    pub const ALL: [Kind; 9] = [
        Kind::Ucb1,
        Kind::Ucb1S,
        Kind::LdpUcbL,
        Kind::LdpUcbB,
        Kind::LdpUcbLs,
        Kind::LdpUcbBs,
        Kind::LdpKlUcb,
        Kind::LdpThompson,
        Kind::LdpThompsonUnbounded,
    ];

    /// The default: it keeps its randomness when many people are served between two updates.
    pub const DEFAULT: Kind = Kind::LdpThompson;

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Ucb1 => "ucb1",
            Kind::Ucb1S => "ucb1-s",
            Kind::LdpUcbL => "ldp-ucb-l",
            Kind::LdpUcbB => "ldp-ucb-b",
            Kind::LdpUcbLs => "ldp-ucb-ls",
            Kind::LdpUcbBs => "ldp-ucb-bs",
            Kind::LdpKlUcb => "ldp-kl-ucb",
            Kind::LdpThompson => "ldp-thompson",
            Kind::LdpThompsonUnbounded => "ldp-thompson-unbounded",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            Kind::Ucb1 => "UCB1 on raw rewards (Auer et al. 2002)",
            Kind::Ucb1S => "UCB1 on raw rewards through the sigmoid (baseline of Figure 2)",
            Kind::LdpUcbL => "Laplace noise, Hoeffding index (Ren et al. 2020, Agent 2)",
            Kind::LdpUcbB => "private bits, Hoeffding index (Ren et al. 2020, Agent 4)",
            Kind::LdpUcbLs => "ldp-ucb-l behind a sigmoid (Corollary 10)",
            Kind::LdpUcbBs => "ldp-ucb-b behind a sigmoid (Corollary 11)",
            Kind::LdpKlUcb => "private bits, Kullback-Leibler index: least regret when reports come at once",
            Kind::LdpThompson => "private bits, Thompson sampling: the default",
            Kind::LdpThompsonUnbounded => "learns the rewards' range privately, then Thompson sampling",
        }
    }

    /// Where it comes from.
    pub fn source(self) -> Source {
        match self {
            Kind::Ucb1 | Kind::Ucb1S => Source::Baseline,
            Kind::LdpUcbL | Kind::LdpUcbB | Kind::LdpUcbLs | Kind::LdpUcbBs => Source::Faithful,
            Kind::LdpKlUcb | Kind::LdpThompson | Kind::LdpThompsonUnbounded => Source::Ours,
        }
    }

    /// Which rewards it is made for.
    pub fn range(self) -> Range {
        match self.squash() {
            Squash::SIGMOID => Range::Unbounded,
            _ if self == Kind::LdpThompsonUnbounded => Range::Unbounded,
            _ => Range::Unit,
        }
    }

    /// Whether it needs an epsilon.
    pub fn is_private(self) -> bool {
        self.source() != Source::Baseline
    }

    /// The channel that its reports go through.
    pub fn channel(self, epsilon: Option<Epsilon>) -> Result<Channel, BuildError> {
        let epsilon = || epsilon.ok_or(BuildError::NeedsEpsilon(self));
        Ok(match self {
            Kind::Ucb1 | Kind::Ucb1S => Channel::Open,
            Kind::LdpUcbL | Kind::LdpUcbLs => Channel::Laplace { epsilon: epsilon()? },
            _ => Channel::Bernoulli { epsilon: epsilon()? },
        })
    }

    /// What the agent promises each person.
    pub fn guarantee(self, epsilon: Option<Epsilon>) -> Result<Guarantee, BuildError> {
        Ok(super::guarantee(self.channel(epsilon)?))
    }

    /// A new agent for `arms` arms. `rng` feeds its own choices, not noise.
    pub fn build(self, arms: u32, epsilon: Option<Epsilon>, rng: SimRng) -> Result<AnyAgent, BuildError> {
        let spec = Spec::new(arms, self.channel(epsilon)?)?;
        let engine = match self {
            Kind::LdpKlUcb => KlUcb::new(spec, self.squash()).map(Engine::KlUcb),
            Kind::LdpThompson => Thompson::new(spec, self.squash(), rng).map(Engine::Thompson),
            Kind::LdpThompsonUnbounded => Unbounded::new(spec, rng).map(Engine::Unbounded),
            _ => Some(Engine::Ucb(Ucb::new(spec, self.squash()))),
        };
        Ok(AnyAgent { kind: self, engine: engine.ok_or(BuildError::WrongChannel(self))? })
    }

    pub(super) fn squash(self) -> Squash {
        match self {
            Kind::Ucb1S | Kind::LdpUcbLs | Kind::LdpUcbBs => Squash::SIGMOID,
            _ => Squash::CLIP,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = UnknownAgent;
    fn from_str(name: &str) -> Result<Kind, UnknownAgent> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownAgent(name.to_string()))
    }
}

impl AnyAgent {
    /// The agent's name.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

impl Agent for AnyAgent {
    fn policy(&mut self) -> Policy {
        match &mut self.engine {
            Engine::Ucb(agent) => agent.policy(),
            Engine::KlUcb(agent) => agent.policy(),
            Engine::Thompson(agent) => agent.policy(),
            Engine::Unbounded(agent) => agent.policy(),
        }
    }

    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        match &mut self.engine {
            Engine::Ucb(agent) => agent.absorb(report),
            Engine::KlUcb(agent) => agent.absorb(report),
            Engine::Thompson(agent) => agent.absorb(report),
            Engine::Unbounded(agent) => agent.absorb(report),
        }
    }

    fn spec(&self) -> &Spec {
        match &self.engine {
            Engine::Ucb(agent) => agent.spec(),
            Engine::KlUcb(agent) => agent.spec(),
            Engine::Thompson(agent) => agent.spec(),
            Engine::Unbounded(agent) => agent.spec(),
        }
    }
}
