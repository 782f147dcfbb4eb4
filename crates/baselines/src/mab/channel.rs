//! How a reward reaches the agent.

use reticent_privacy::mechanism::{BernoulliResponse, LaplaceResponse, Mechanism};
use reticent_privacy::{Epsilon, Guarantee};
use serde::{Deserialize, Serialize};

/// How a reward leaves its person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// One private bit (curator CTB).
    Bernoulli {
        /// The loss of one report.
        epsilon: Epsilon,
    },
    /// The reward plus Laplace noise on a grid (curator CTL).
    Laplace {
        /// The loss of one report.
        epsilon: Epsilon,
    },
    /// The reward as it is: not private.
    Open,
}

/// What the agent is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// From [`Channel::Bernoulli`].
    Bit(bool),
    /// Grid steps of 2^-30, from [`Channel::Laplace`] or [`Channel::Open`].
    Steps(i64),
}

/// How a reward is brought to [0, 1] first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Squash {
    /// Rewards that are in [0, 1] already; others are clipped.
    Clip,
    /// The paper's 1 / (1 + e^-r), for unbounded rewards (Curators 5 and 6).
    Sigmoid,
}

impl Squash {
    /// The squashed reward. A NaN stays a NaN and an infinity becomes one, to be refused.
    #[inline]
    pub fn apply(self, reward: f64) -> f64 {
        match self {
            Squash::Clip => reward,
            Squash::Sigmoid if reward.is_finite() => 1.0 / (1.0 + libm::exp(-reward)),
            Squash::Sigmoid => f64::NAN,
        }
    }
}

impl Channel {
    /// What one report through this channel promises.
    pub fn guarantee(self) -> Guarantee {
        let unit =
            "one report: the reward of one person at one visit (the arm is chosen by the server and public)";
        let inner = match self {
            Channel::Bernoulli { epsilon } => BernoulliResponse::new(epsilon).guarantee(),
            Channel::Laplace { epsilon } => LaplaceResponse::new(epsilon).guarantee(),
            Channel::Open => return Guarantee::none(unit),
        };
        Guarantee { unit: unit.into(), ..inner }
    }

    /// The loss of one report, if it is bounded.
    pub fn epsilon(self) -> Option<Epsilon> {
        match self {
            Channel::Bernoulli { epsilon } | Channel::Laplace { epsilon } => Some(epsilon),
            Channel::Open => None,
        }
    }
}
