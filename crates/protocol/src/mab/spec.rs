//! What all parties agree on before the first person takes part.

use reticent_privacy::{Epsilon, Guarantee, mechanism};
use serde::{Deserialize, Serialize};

/// More arms than this cannot be told apart by any number of people one could ask.
pub const MAX_ARMS: u32 = 10_000;

/// How a reward leaves the device.
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
    /// The reward as it is: for non-private baselines only.
    Open,
}

/// A multi-armed bandit experiment.
///
/// ```
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::mab::{Channel, Spec};
/// let spec = Spec::new(20, Channel::Bernoulli { epsilon: Epsilon::new(1.0)? })?;
/// assert_eq!(spec.guarantee().to_string(), "1-DP, local model");
/// assert!(Spec::new(0, Channel::Open).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Spec {
    arms: u32,
    channel: Channel,
}

/// Why a spec was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No arm to choose.
    #[error("an experiment needs at least one arm")]
    NoArms,
    /// More arms than [`MAX_ARMS`].
    #[error("an experiment can have at most {MAX_ARMS} arms, got {0}")]
    TooManyArms(u64),
}

impl Spec {
    /// Checks the number of arms.
    pub fn new(arms: u32, channel: Channel) -> Result<Spec, SpecError> {
        match arms {
            0 => Err(SpecError::NoArms),
            1..=MAX_ARMS => Ok(Spec { arms, channel }),
            _ => Err(SpecError::TooManyArms(u64::from(arms))),
        }
    }

    /// How many arms there are; they are numbered from 0.
    pub fn arms(&self) -> u32 {
        self.arms
    }

    /// How rewards leave the device.
    pub fn channel(&self) -> Channel {
        self.channel
    }

    /// What one report promises the person who sends it.
    pub fn guarantee(&self) -> Guarantee {
        self.channel.guarantee()
    }
}

impl Channel {
    /// What one report through this channel promises.
    pub fn guarantee(self) -> Guarantee {
        use mechanism::Mechanism;
        let unit =
            "one report: the reward of one person at one visit (the arm is chosen by the server and public)";
        let inner = match self {
            Channel::Bernoulli { epsilon } => mechanism::BernoulliResponse::new(epsilon).guarantee(),
            Channel::Laplace { epsilon } => mechanism::LaplaceResponse::new(epsilon).guarantee(),
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

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    arms: u32,
    channel: Channel,
}

impl From<Spec> for Raw {
    fn from(spec: Spec) -> Raw {
        Raw { arms: spec.arms, channel: spec.channel }
    }
}

impl TryFrom<Raw> for Spec {
    type Error = SpecError;
    fn try_from(raw: Raw) -> Result<Spec, SpecError> {
        Spec::new(raw.arms, raw.channel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_runs_the_same_checks_as_building() {
        let read = |text: &str| serde_json::from_str::<Spec>(text).map_err(|e| e.to_string());
        let spec = read(r#"{"arms":20,"channel":{"bernoulli":{"epsilon":0.5}}}"#).unwrap();
        assert_eq!(read(&serde_json::to_string(&spec).unwrap()).unwrap(), spec);
        assert!(read(r#"{"arms":0,"channel":"open"}"#).unwrap_err().contains("at least one arm"));
        assert!(read(r#"{"arms":1000000,"channel":"open"}"#).unwrap_err().contains("at most 10000 arms"));
        assert!(
            read(r#"{"arms":2,"channel":{"laplace":{"epsilon":-1}}}"#)
                .unwrap_err()
                .contains("epsilon must be")
        );
        assert!(read(r#"{"arms":2,"channel":"open","extra":1}"#).is_err());
    }
}
