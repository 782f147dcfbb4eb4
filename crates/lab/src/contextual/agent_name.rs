//! The contextual agents by name.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use reticent_privacy::{Epsilon, Guarantee, SimRng};
use serde::{Deserialize, Serialize};

use super::player::{Bins, Blind, Gradients, Ours, Raw};
use super::{ContextualError, Experiment, Player};
use crate::named::{Named, Origin};

/// A contextual agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "`summary` says what each is")]
pub enum AgentName {
    LdpContextual,
    LdpBlind,
    LdpAbse,
    LdpAbseTransfer,
    LdpAbseTuned,
    LdpGlm,
    LdpNn,
    Abse,
    AbsePublished,
    NearestThompson,
    FourierThompson,
    LinUcb,
}

/// A name that no contextual agent has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no contextual agent is called {0:?}; `reticent list` shows all")]
pub struct UnknownAgent(String);

impl AgentName {
    /// Whether its reports have a guarantee that is stated here; `ldp-blind` is `ldp-thompson`, which states its own.
    pub fn is_private(self) -> bool {
        !self.is_raw() && !matches!(self, AgentName::Abse | AgentName::AbsePublished | AgentName::LdpBlind)
    }

    /// Whether it needs an epsilon: the published code adds noise, if not enough.
    pub fn needs_epsilon(self) -> bool {
        !self.is_raw() && self != AgentName::Abse
    }

    /// Whether it sees contexts and rewards as they are.
    fn is_raw(self) -> bool {
        matches!(self, AgentName::NearestThompson | AgentName::FourierThompson | AgentName::LinUcb)
    }

    /// A new agent with its people. `noise` is theirs, `choices` the agent's own.
    pub fn player(
        self,
        experiment: &Experiment,
        noise: SimRng,
        choices: SimRng,
    ) -> Result<Box<dyn Player>, ContextualError> {
        Ok(match self {
            AgentName::LdpContextual => Box::new(Ours::new(experiment, noise, choices)?),
            AgentName::LdpBlind => Box::new(Blind::new(experiment, noise, choices)?),
            _ if self.is_raw() => Box::new(Raw::new(experiment, choices)),
            AgentName::LdpGlm | AgentName::LdpNn => Box::new(Gradients::new(experiment, noise, choices)?),
            _ => Box::new(Bins::new(experiment, noise, choices)?),
        })
    }
}

impl Named for AgentName {
    /// Ours first.
    const ALL: &'static [AgentName] = &[
        AgentName::LdpContextual,
        AgentName::LdpBlind,
        AgentName::LdpAbse,
        AgentName::LdpAbseTransfer,
        AgentName::LdpAbseTuned,
        AgentName::LdpGlm,
        AgentName::LdpNn,
        AgentName::Abse,
        AgentName::AbsePublished,
        AgentName::NearestThompson,
        AgentName::FourierThompson,
        AgentName::LinUcb,
    ];
    const DEFAULT: AgentName = AgentName::LdpContextual;

    fn name(self) -> &'static str {
        match self {
            AgentName::LdpContextual => "ldp-contextual",
            AgentName::LdpBlind => "ldp-blind",
            AgentName::LdpAbse => "ldp-abse",
            AgentName::LdpAbseTransfer => "ldp-abse-transfer",
            AgentName::LdpAbseTuned => "ldp-abse-tuned",
            AgentName::LdpGlm => "ldp-glm",
            AgentName::LdpNn => "ldp-nn",
            AgentName::Abse => "abse",
            AgentName::AbsePublished => "abse-published",
            AgentName::NearestThompson => "nearest-thompson",
            AgentName::FourierThompson => "fourier-thompson",
            AgentName::LinUcb => "lin-ucb",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            AgentName::LdpContextual => {
                "one private symbol a person, Gaussian posterior, Thompson sampling: the default"
            }
            AgentName::LdpBlind => {
                "ldp-thompson without contexts, to compare with; what it promises is said there"
            }
            AgentName::LdpAbse => {
                "adaptive bins, successive elimination (Ma et al. 2025, Algorithms 1 and 2), proved radius"
            }
            AgentName::LdpAbseTransfer => "the same, started on auxiliary data (Algorithm 3)",
            AgentName::LdpAbseTuned => {
                "Algorithms 1 to 3 with the constants of the authors' code and honest noise"
            }
            AgentName::LdpGlm => "logistic model for each arm, private gradients (after Han et al. 2021)",
            AgentName::LdpNn => "the same with one hidden layer",
            AgentName::Abse => "adaptive bins on raw records (after Perchet and Rigollet 2013)",
            AgentName::AbsePublished => {
                "Algorithm 2 with noise in the person's own bin alone, as in the authors' code: it tells the bin"
            }
            AgentName::NearestThompson => "Thompson sampling with the nearest people's raw rewards",
            AgentName::FourierThompson => "Thompson sampling in random Fourier features of raw contexts",
            AgentName::LinUcb => "a linear model for each arm on raw records (Li et al. 2010)",
        }
    }

    fn origin(self) -> Origin {
        match self {
            AgentName::LdpContextual => Origin::Ours,
            _ if !self.is_private() => Origin::Baseline,
            _ => Origin::Faithful,
        }
    }

    fn uses_sources(self) -> bool {
        matches!(
            self,
            AgentName::LdpContextual
                | AgentName::LdpAbseTransfer
                | AgentName::LdpAbseTuned
                | AgentName::LdpGlm
                | AgentName::LdpNn
        )
    }

    /// To each person of the target.
    fn guarantee(self, epsilon: Epsilon) -> Result<Guarantee, Box<dyn Error + Send + Sync>> {
        let unit = "one report: the context, arm and reward of one person at one visit";
        let proof = match self {
            _ if !self.is_private() => return Ok(Guarantee::none(unit)),
            AgentName::LdpContextual => "crates/learn/src/contextual/guarantee.md",
            AgentName::LdpAbse | AgentName::LdpAbseTransfer | AgentName::LdpAbseTuned => {
                "crates/baselines/src/abse/agent/guarantee.md"
            }
            _ => "crates/baselines/src/gradient/agent/guarantee.md",
        };
        Ok(Guarantee::local(epsilon, unit, "any two contexts, arms and rewards", proof))
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for AgentName {
    type Err = UnknownAgent;
    fn from_str(name: &str) -> Result<AgentName, UnknownAgent> {
        Named::find(name).ok_or_else(|| UnknownAgent(name.to_string()))
    }
}
