//! A privacy guarantee as data: what is protected, against whom, how well, where the proof is, and where the
//! noise came from.

mod noise;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Delta, Epsilon, Rho};
pub use noise::{Noise, Promise};

/// Who is trusted with raw records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrustModel {
    /// Nobody but the person's own device: each report is private on its own.
    Local,
    /// A curator sees raw records; everything it publishes is private.
    Central,
    /// No protection: a baseline for comparison.
    NoPrivacy,
}

/// How much an observer can learn at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Pure differential privacy.
    Pure {
        /// The bound on the log-ratio of any outcome's probabilities.
        epsilon: Epsilon,
    },
    /// Approximate differential privacy.
    Approximate {
        /// The bound on the log-ratio, outside an event of probability delta.
        epsilon: Epsilon,
        /// The probability of that event.
        delta: Delta,
    },
    /// Zero-concentrated differential privacy, in which Gaussian noise is accounted for.
    Concentrated {
        /// The bound on the Renyi divergence of each order, over the order.
        rho: Rho,
    },
    /// No bound at all.
    Unbounded,
}

/// What a mechanism or an agent promises, or what holds of something that was made.
///
/// A mechanism states what it promises when its noise comes from the operating system. Whatever was made
/// states it [`made_with`](Guarantee::made_with) the noise that it really has.
///
/// ```
/// use reticent_privacy::{mechanism::{BernoulliResponse, Mechanism}, Epsilon};
/// let guarantee = BernoulliResponse::new(Epsilon::new(0.5)?).guarantee();
/// assert_eq!(guarantee.to_string(), "0.5-DP, local model");
/// # Ok::<(), reticent_privacy::LossError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guarantee {
    /// Who is trusted.
    pub trust_model: TrustModel,
    /// How much may leak.
    pub loss: Loss,
    /// What one person contributes, to which the loss applies.
    pub unit: Cow<'static, str>,
    /// Which two inputs must look alike.
    pub neighbours: Cow<'static, str>,
    /// The proof's file, from the project's root.
    pub proof: Cow<'static, str>,
    /// Where the noise came from.
    #[serde(default, skip_serializing_if = "Noise::is_not_drawn")]
    pub noise: Noise,
    /// What it would be with noise from the operating system, if a seed made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_be: Option<Promise>,
}

impl Guarantee {
    /// Pure local privacy of one report.
    pub fn local(
        epsilon: Epsilon,
        unit: &'static str,
        neighbours: &'static str,
        proof: &'static str,
    ) -> Guarantee {
        Guarantee {
            trust_model: TrustModel::Local,
            loss: Loss::Pure { epsilon },
            unit: unit.into(),
            neighbours: neighbours.into(),
            proof: proof.into(),
            noise: Noise::NotDrawn,
            would_be: None,
        }
    }

    /// Privacy of what a trusted curator releases.
    pub fn central(
        loss: Loss,
        unit: &'static str,
        neighbours: &'static str,
        proof: &'static str,
    ) -> Guarantee {
        Guarantee {
            trust_model: TrustModel::Central,
            loss,
            unit: unit.into(),
            neighbours: neighbours.into(),
            proof: proof.into(),
            noise: Noise::NotDrawn,
            would_be: None,
        }
    }

    /// The honest statement of a baseline that protects nobody.
    pub fn none(unit: &'static str) -> Guarantee {
        Guarantee {
            trust_model: TrustModel::NoPrivacy,
            loss: Loss::Unbounded,
            unit: unit.into(),
            neighbours: "none: a baseline for comparison".into(),
            proof: "none".into(),
            noise: Noise::NotDrawn,
            would_be: None,
        }
    }
}

impl fmt::Display for TrustModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TrustModel::Local => "local model",
            TrustModel::Central => "central model",
            TrustModel::NoPrivacy => "not private",
        })
    }
}
