//! The contextual agents by name.

use std::fmt;
use std::str::FromStr;

use reticent_privacy::{Epsilon, Guarantee};
use serde::{Deserialize, Serialize};

use super::ContextualError;

/// A contextual agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "`summary` says what each is")]
pub enum Kind {
    LdpContextual,
    LdpAbse,
    LdpAbseTransfer,
    LdpAbseTuned,
    LdpGlm,
    LdpNn,
    Abse,
    AbsePublished,
}

pub use reticent_learn::mab::Source;

/// A name that no contextual agent has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no contextual agent is called {0:?}; `reticent list` shows all")]
pub struct UnknownAgent(String);

impl Kind {
    /// All of them, ours first.
    pub const ALL: [Kind; 8] = [
        Kind::LdpContextual,
        Kind::LdpAbse,
        Kind::LdpAbseTransfer,
        Kind::LdpAbseTuned,
        Kind::LdpGlm,
        Kind::LdpNn,
        Kind::Abse,
        Kind::AbsePublished,
    ];
    /// The one to take.
    pub const DEFAULT: Kind = Kind::LdpContextual;

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::LdpContextual => "ldp-contextual",
            Kind::LdpAbse => "ldp-abse",
            Kind::LdpAbseTransfer => "ldp-abse-transfer",
            Kind::LdpAbseTuned => "ldp-abse-tuned",
            Kind::LdpGlm => "ldp-glm",
            Kind::LdpNn => "ldp-nn",
            Kind::Abse => "abse",
            Kind::AbsePublished => "abse-published",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            Kind::LdpContextual => {
                "one private symbol a person, Gaussian posterior, Thompson sampling: the default"
            }
            Kind::LdpAbse => {
                "adaptive bins, successive elimination (Ma et al. 2025, Algorithms 1 and 2), proved radius"
            }
            Kind::LdpAbseTransfer => "the same, started on auxiliary data (Algorithm 3)",
            Kind::LdpAbseTuned => {
                "Algorithms 1 to 3 with the constants of the authors' code and honest noise"
            }
            Kind::LdpGlm => "logistic model for each arm, private gradients (after Han et al. 2021)",
            Kind::LdpNn => "the same with one hidden layer",
            Kind::Abse => "adaptive bins on raw records (after Perchet and Rigollet 2013)",
            Kind::AbsePublished => {
                "Algorithm 2 with noise in the person's own bin alone, as in the authors' code: it tells the bin"
            }
        }
    }

    /// Where it comes from.
    pub fn source(self) -> Source {
        match self {
            Kind::LdpContextual => Source::Ours,
            Kind::Abse | Kind::AbsePublished => Source::Baseline,
            _ => Source::Faithful,
        }
    }

    /// Whether its reports have a guarantee.
    pub fn is_private(self) -> bool {
        !matches!(self, Kind::Abse | Kind::AbsePublished)
    }

    /// Whether it needs an epsilon: the published code adds noise, if not enough.
    pub fn needs_epsilon(self) -> bool {
        self != Kind::Abse
    }

    /// Whether it learns from sources.
    pub fn uses_sources(self) -> bool {
        matches!(
            self,
            Kind::LdpContextual | Kind::LdpAbseTransfer | Kind::LdpAbseTuned | Kind::LdpGlm | Kind::LdpNn
        )
    }

    /// What it promises each person of the target.
    pub fn guarantee(self, epsilon: Option<Epsilon>) -> Result<Guarantee, ContextualError> {
        let unit = "one report: the context, arm and reward of one person at one visit";
        let proof = match self {
            Kind::Abse | Kind::AbsePublished => return Ok(Guarantee::none(unit)),
            Kind::LdpContextual => "crates/learn/src/contextual/guarantee.md",
            Kind::LdpAbse | Kind::LdpAbseTransfer | Kind::LdpAbseTuned => {
                "crates/baselines/src/abse/agent/guarantee.md"
            }
            Kind::LdpGlm | Kind::LdpNn => "crates/baselines/src/gradient/agent/guarantee.md",
        };
        let epsilon = epsilon.ok_or(ContextualError::NeedsEpsilon(self))?;
        Ok(Guarantee::local(epsilon, unit, "any two contexts, arms and rewards", proof))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = UnknownAgent;
    fn from_str(name: &str) -> Result<Kind, UnknownAgent> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownAgent(name.to_string()))
    }
}
