//! What all parties agree on before the first person takes part.

use reticent_privacy::mechanism::{BernoulliResponse, Mechanism};
use reticent_privacy::{Epsilon, Guarantee};
use serde::{Deserialize, Serialize};

/// More arms than this cannot be told apart by any number of people one could ask.
pub const MAX_ARMS: u32 = 10_000;

/// A multi-armed bandit experiment: each reward leaves its device as one private bit.
///
/// ```
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::mab::Spec;
/// let spec = Spec::new(20, Epsilon::new(1.0)?)?;
/// assert_eq!(spec.guarantee().to_string(), "1-DP, local model");
/// assert!(Spec::new(0, spec.epsilon()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Spec {
    arms: u32,
    epsilon: Epsilon,
}

/// Why a spec was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No arm to choose.
    #[error("an experiment needs at least one arm")]
    NoArms,
    /// More arms than [`MAX_ARMS`].
    #[error("an experiment can have at most {MAX_ARMS} arms, got {0}")]
    TooManyArms(u64),
}

impl Spec {
    /// Checks the number of arms. `epsilon` is the loss of one report.
    pub fn new(arms: u32, epsilon: Epsilon) -> Result<Spec, SpecError> {
        match arms {
            0 => Err(SpecError::NoArms),
            1..=MAX_ARMS => Ok(Spec { arms, epsilon }),
            _ => Err(SpecError::TooManyArms(u64::from(arms))),
        }
    }

    /// How many arms there are; they are numbered from 0.
    pub fn arms(&self) -> u32 {
        self.arms
    }

    /// The loss of one report.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// What one report promises the person who sends it.
    pub fn guarantee(&self) -> Guarantee {
        let unit =
            "one report: the reward of one person at one visit (the arm is chosen by the server and public)";
        Guarantee { unit: unit.into(), ..BernoulliResponse::new(self.epsilon).guarantee() }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    arms: u32,
    channel: Channel,
}

/// How rewards leave the device: a tagged kind in the stored form, so that there is room for others.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Channel {
    /// One private bit (curator CTB of the paper).
    Bernoulli { epsilon: Epsilon },
}

impl From<Spec> for Raw {
    fn from(spec: Spec) -> Raw {
        Raw { arms: spec.arms, channel: Channel::Bernoulli { epsilon: spec.epsilon } }
    }
}

impl TryFrom<Raw> for Spec {
    type Error = SpecError;
    fn try_from(raw: Raw) -> Result<Spec, SpecError> {
        let Channel::Bernoulli { epsilon } = raw.channel;
        Spec::new(raw.arms, epsilon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_runs_the_same_checks_as_building() {
        let read = |text: &str| serde_json::from_str::<Spec>(text).map_err(|e| e.to_string());
        let with = |arms: u32, channel: &str| format!(r#"{{"arms":{arms},"channel":{channel}}}"#);
        let bits = r#"{"bernoulli":{"epsilon":0.5}}"#;
        let spec = read(&with(20, bits)).unwrap();
        assert_eq!(serde_json::to_string(&spec).unwrap(), with(20, bits));
        assert!(read(&with(0, bits)).unwrap_err().contains("at least one arm"));
        assert!(read(&with(1_000_000, bits)).unwrap_err().contains("at most 10000 arms"));
        let negative = r#"{"bernoulli":{"epsilon":-1}}"#;
        assert!(read(&with(2, negative)).unwrap_err().contains("epsilon must be"));
        assert!(read(r#"{"arms":2,"channel":{"bernoulli":{"epsilon":1}},"extra":1}"#).is_err());
    }

    /// Channels of version 1 through which a raw or a real-valued reward could leave are gone for ever.
    #[test]
    fn no_channel_carries_a_number() {
        for channel in [r#""open""#, r#"{"laplace":{"epsilon":1.0}}"#] {
            assert!(serde_json::from_str::<Spec>(&format!(r#"{{"arms":2,"channel":{channel}}}"#)).is_err());
        }
    }
}
