//! The baselines by name.

use std::fmt;

use reticent_privacy::{Epsilon, Guarantee, SimRng};
use reticent_protocol::mab::{MAX_ARMS, SpecError};
use serde::{Deserialize, Serialize};

use super::{AnyBaseline, Channel, Index, RawThompson, Squash, Ucb};

/// Every baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "`summary` says what each is")]
pub enum Baseline {
    Ucb1,
    KlUcb,
    Thompson,
    Ucb1S,
    LdpUcbL,
    LdpUcbB,
    LdpUcbLs,
    LdpUcbBs,
}

/// Why a baseline could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A private agent without a loss.
    #[error("agent {0} is private and needs an epsilon, the loss of one report: 1, for example")]
    NeedsEpsilon(Baseline),
    /// No arms, or too many.
    #[error("an experiment has 1 to {MAX_ARMS} arms, got {0}")]
    Arms(u32),
    /// An agent that ships, without privacy, refuses.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl Baseline {
    /// All of them, those without privacy first.
    pub const ALL: [Baseline; 8] = [
        Baseline::Ucb1,
        Baseline::KlUcb,
        Baseline::Thompson,
        Baseline::Ucb1S,
        Baseline::LdpUcbL,
        Baseline::LdpUcbB,
        Baseline::LdpUcbLs,
        Baseline::LdpUcbBs,
    ];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Baseline::Ucb1 => "ucb1",
            Baseline::KlUcb => "kl-ucb",
            Baseline::Thompson => "thompson",
            Baseline::Ucb1S => "ucb1-s",
            Baseline::LdpUcbL => "ldp-ucb-l",
            Baseline::LdpUcbB => "ldp-ucb-b",
            Baseline::LdpUcbLs => "ldp-ucb-ls",
            Baseline::LdpUcbBs => "ldp-ucb-bs",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            Baseline::Ucb1 => "UCB1 on raw rewards (Auer et al. 2002)",
            Baseline::KlUcb => {
                "KL-UCB on raw rewards, with the index of ldp-kl-ucb (after Garivier and Cappé 2011)"
            }
            Baseline::Thompson => "Thompson sampling on raw rewards (Agrawal and Goyal 2012)",
            Baseline::Ucb1S => "UCB1 on raw rewards through the sigmoid (baseline of Figure 2)",
            Baseline::LdpUcbL => "Laplace noise, Hoeffding index (Ren et al. 2020, Agent 2)",
            Baseline::LdpUcbB => "private bits, Hoeffding index (Ren et al. 2020, Agent 4)",
            Baseline::LdpUcbLs => "ldp-ucb-l behind a sigmoid (Corollary 10)",
            Baseline::LdpUcbBs => "ldp-ucb-b behind a sigmoid (Corollary 11)",
        }
    }

    /// Whether it needs an epsilon.
    pub fn is_private(self) -> bool {
        !matches!(self, Baseline::Ucb1 | Baseline::KlUcb | Baseline::Thompson | Baseline::Ucb1S)
    }

    /// How rewards are brought to [0, 1].
    pub fn squash(self) -> Squash {
        match self {
            Baseline::Ucb1S | Baseline::LdpUcbLs | Baseline::LdpUcbBs => Squash::Sigmoid,
            _ => Squash::Clip,
        }
    }

    /// The channel that rewards go through.
    pub fn channel(self, epsilon: Option<Epsilon>) -> Result<Channel, BuildError> {
        let epsilon = || epsilon.ok_or(BuildError::NeedsEpsilon(self));
        Ok(match self {
            Baseline::Ucb1 | Baseline::KlUcb | Baseline::Thompson | Baseline::Ucb1S => Channel::Open,
            Baseline::LdpUcbL | Baseline::LdpUcbLs => Channel::Laplace { epsilon: epsilon()? },
            Baseline::LdpUcbB | Baseline::LdpUcbBs => Channel::Bernoulli { epsilon: epsilon()? },
        })
    }

    /// What it promises each person: its channel's guarantee, since all else is post-processing.
    pub fn guarantee(self, epsilon: Option<Epsilon>) -> Result<Guarantee, BuildError> {
        let guarantee = self.channel(epsilon)?.guarantee();
        if !self.is_private() {
            return Ok(guarantee);
        }
        Ok(Guarantee { proof: "crates/baselines/src/mab/guarantee.md".into(), ..guarantee })
    }

    /// A new agent for `arms` arms; `choices` is for those that draw their own.
    pub fn build(
        self,
        arms: u32,
        epsilon: Option<Epsilon>,
        choices: SimRng,
    ) -> Result<AnyBaseline, BuildError> {
        if !(1..=MAX_ARMS).contains(&arms) {
            return Err(BuildError::Arms(arms));
        }
        let channel = self.channel(epsilon)?;
        Ok(match self {
            Baseline::Thompson => AnyBaseline::Thompson(Box::new(RawThompson::new(arms, choices)?)),
            _ => AnyBaseline::Ucb(Ucb::new(arms, channel, self.index())),
        })
    }

    /// Which index an agent with one plays.
    pub(super) fn index(self) -> Index {
        if self == Baseline::KlUcb { Index::KullbackLeibler } else { Index::Hoeffding }
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
