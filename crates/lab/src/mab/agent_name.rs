//! The agents by name: those that ship, and those they are compared with.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use reticent_baselines::mab::{self as baselines, Baseline, Squash};
use reticent_learn::mab::{self as ours, AgentKind};
use reticent_privacy::{Epsilon, Guarantee, SimRng};
use serde::{Deserialize, Serialize};

use super::player::{BaselineSeat, OurSeat};
use super::{Player, PlayerError};
use crate::named::{Named, Origin, Rewards};

/// Every multi-armed bandit agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AgentName {
    /// One to compare with.
    Baseline(Baseline),
    /// One that ships.
    Ours(AgentKind),
}

/// Why an agent could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// A name that no agent has.
    #[error("no agent is called {0:?}; `reticent list` shows them all")]
    Unknown(String),
    /// A private agent without a loss.
    #[error("agent {0} is private and needs an epsilon, the loss of one report: 1, for example")]
    NeedsEpsilon(AgentName),
    /// One that ships refuses.
    #[error(transparent)]
    Spec(#[from] reticent_protocol::mab::SpecError),
    /// A baseline refuses.
    #[error(transparent)]
    Baseline(#[from] baselines::BuildError),
}

impl AgentName {
    /// Whether it needs an epsilon.
    pub fn is_private(self) -> bool {
        match self {
            AgentName::Baseline(baseline) => baseline.is_private(),
            AgentName::Ours(_) => true,
        }
    }

    /// The number of this agent's series of results. In the first Laplace noise was drawn in another way, and ours
    /// had no floor under their arms and noticed no changes. In the second nothing was foreseen of late reports, and the
    /// best arm was named later.
    pub(super) fn series(self) -> u32 {
        match self {
            AgentName::Ours(AgentKind::LdpKlUcb | AgentKind::LdpTopTwo) => 3,
            AgentName::Baseline(Baseline::LdpUcbL | Baseline::LdpUcbLs | Baseline::Thompson)
            | AgentName::Ours(_) => 2,
            AgentName::Baseline(_) => 1,
        }
    }

    /// The loss of one report, where there is one: an agent that is not private ignores it.
    pub fn loss(self, epsilon: Option<Epsilon>) -> Result<Option<Epsilon>, AgentError> {
        match (self.is_private(), epsilon) {
            (false, _) => Ok(None),
            (true, None) => Err(AgentError::NeedsEpsilon(self)),
            (true, some) => Ok(some),
        }
    }

    /// A new agent with its people, so many between two refreshes of the policy. `noise` is theirs, `choices`
    /// the agent's own.
    pub fn player(
        self,
        arms: u32,
        epsilon: Option<Epsilon>,
        batch: u64,
        noise: SimRng,
        choices: SimRng,
    ) -> Result<Box<dyn Player>, AgentError> {
        match (self, self.loss(epsilon)?) {
            (AgentName::Ours(kind), Some(epsilon)) => {
                Ok(Box::new(OurSeat::new(kind.build(arms, epsilon, choices)?, noise, batch)))
            }
            (AgentName::Ours(_), None) => Err(AgentError::NeedsEpsilon(self)),
            (AgentName::Baseline(kind), loss) => {
                Ok(Box::new(BaselineSeat::new(kind, kind.build(arms, loss, choices)?, noise, batch)))
            }
        }
    }

    /// The agent that was saved, if it is of this name, with its people going on with `noise`.
    pub(super) fn load(self, text: &str, noise: SimRng) -> Result<Option<Box<dyn Player>>, PlayerError> {
        Ok(match self {
            AgentName::Ours(kind) => {
                let agent = ours::load(text)?;
                (agent.kind() == kind).then(|| Box::new(OurSeat::new(agent, noise, 1)) as Box<dyn Player>)
            }
            AgentName::Baseline(kind) => {
                let (saved, agent) = baselines::load(text)?;
                let seat = || Box::new(BaselineSeat::new(kind, agent, noise, 1)) as Box<dyn Player>;
                (saved == kind).then(seat)
            }
        })
    }
}

impl Named for AgentName {
    const ALL: &'static [AgentName] = &[
        AgentName::Baseline(Baseline::Ucb1),
        AgentName::Baseline(Baseline::KlUcb),
        AgentName::Baseline(Baseline::Thompson),
        AgentName::Baseline(Baseline::Ucb1S),
        AgentName::Baseline(Baseline::LdpUcbL),
        AgentName::Baseline(Baseline::LdpUcbB),
        AgentName::Baseline(Baseline::LdpUcbLs),
        AgentName::Baseline(Baseline::LdpUcbBs),
        AgentName::Ours(AgentKind::LdpKlUcb),
        AgentName::Ours(AgentKind::LdpThompson),
        AgentName::Ours(AgentKind::LdpThompsonUnbounded),
        AgentName::Ours(AgentKind::LdpTopTwo),
    ];
    const DEFAULT: AgentName = AgentName::Ours(AgentKind::DEFAULT);

    fn name(self) -> &'static str {
        match self {
            AgentName::Baseline(kind) => kind.name(),
            AgentName::Ours(kind) => kind.name(),
        }
    }

    fn summary(self) -> &'static str {
        match self {
            AgentName::Baseline(kind) => kind.summary(),
            AgentName::Ours(kind) => kind.summary(),
        }
    }

    fn origin(self) -> Origin {
        match self {
            AgentName::Baseline(kind) if kind.is_private() => Origin::Faithful,
            AgentName::Baseline(_) => Origin::Baseline,
            AgentName::Ours(_) => Origin::Ours,
        }
    }

    fn guarantee(self, epsilon: Epsilon) -> Result<Guarantee, Box<dyn Error + Send + Sync>> {
        match self {
            AgentName::Baseline(kind) => Ok(kind.guarantee(Some(epsilon))?),
            AgentName::Ours(kind) => Ok(kind.guarantee(epsilon)),
        }
    }

    fn rewards(self) -> Rewards {
        match self {
            AgentName::Baseline(kind) if kind.squash() == Squash::Sigmoid => Rewards::Unbounded,
            AgentName::Ours(AgentKind::LdpThompsonUnbounded) => Rewards::Unbounded,
            _ => Rewards::Unit,
        }
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AgentName {
    type Err = AgentError;
    fn from_str(name: &str) -> Result<AgentName, AgentError> {
        Named::find(name).ok_or_else(|| AgentError::Unknown(name.to_string()))
    }
}
