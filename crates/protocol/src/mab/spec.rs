//! What all parties agree on before the first person takes part.

use std::sync::Arc;

use reticent_privacy::mechanism::{BernoulliResponse, Mechanism};
use reticent_privacy::{Epsilon, Guarantee};
use reticent_schema::experiment::{AgentOptions, Bandit, Draft, Ends, Problem};
use reticent_schema::{Digest, Experiment, ExperimentError, Prefix, Range, RangeError};
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Experiment")]
pub struct Spec {
    /// Shared: there may be thousands of arms with names, and many devices.
    experiment: Arc<Experiment>,
    arms: u32,
    reward: Range,
}

/// Why a spec was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// Another problem's experiment.
    #[error("the experiment is of kind {0:?}, not \"bandit\"")]
    Kind(&'static str),
    /// No arm to choose.
    #[error("an experiment needs at least one arm")]
    NoArms,
    /// More arms than [`MAX_ARMS`].
    #[error("an experiment can have at most {MAX_ARMS} arms, got {0}")]
    TooManyArms(u64),
    /// No range of rewards.
    #[error("the reward: {0}")]
    Reward(#[from] RangeError),
    /// The document itself.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
}

impl Spec {
    /// An experiment whose arms are called 0, 1, ... and whose rewards lie in [0, 1]. `epsilon` is the loss of
    /// one report.
    pub fn new(arms: u32, epsilon: Epsilon) -> Result<Spec, SpecError> {
        check_arms(arms.into())?;
        let arms = (0..arms).map(|arm| arm.to_string()).collect();
        let problem = Bandit { arms, reward: Ends::unit(), agent: AgentOptions::default() };
        Spec::of(Experiment::new(Draft::new("bandit", epsilon, Problem::Bandit(problem)))?)
    }

    /// The experiment of this document.
    pub fn of(experiment: Experiment) -> Result<Spec, SpecError> {
        let Problem::Bandit(problem) = experiment.problem() else {
            return Err(SpecError::Kind(experiment.problem().kind()));
        };
        let arms = check_arms(problem.arms.len() as u64)?;
        let reward = problem.reward.range()?;
        Ok(Spec { experiment: Arc::new(experiment), arms, reward })
    }

    /// The public document.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// What policies name.
    #[inline]
    pub fn digest(&self) -> Digest {
        self.experiment.digest()
    }

    /// What reports name.
    #[inline]
    pub fn prefix(&self) -> Prefix {
        self.experiment.prefix()
    }

    /// How many arms there are; they are numbered from 0.
    #[inline]
    pub fn arms(&self) -> u32 {
        self.arms
    }

    /// The arms' names.
    pub fn arm_names(&self) -> &[String] {
        self.experiment.problem().arms()
    }

    /// Where rewards lie.
    pub fn reward(&self) -> Range {
        self.reward
    }

    /// The loss of one report.
    #[inline]
    pub fn epsilon(&self) -> Epsilon {
        self.experiment.epsilon()
    }

    /// What one report promises the person who sends it.
    pub fn guarantee(&self) -> Guarantee {
        let unit = self.experiment.unit().to_string();
        Guarantee { unit: unit.into(), ..BernoulliResponse::new(self.epsilon()).guarantee() }
    }
}

fn check_arms(arms: u64) -> Result<u32, SpecError> {
    match u32::try_from(arms) {
        Ok(0) => Err(SpecError::NoArms),
        Ok(arms) if arms <= MAX_ARMS => Ok(arms),
        _ => Err(SpecError::TooManyArms(arms)),
    }
}

impl From<Spec> for Experiment {
    fn from(spec: Spec) -> Experiment {
        Arc::unwrap_or_clone(spec.experiment)
    }
}

/// The document, or what version 1 stored.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Experiment(Box<Experiment>),
    Version1 { arms: u32, channel: Channel },
}

/// How rewards left the device in version 1.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Channel {
    /// One private bit (curator CTB of the paper).
    Bernoulli { epsilon: Epsilon },
}

impl TryFrom<Stored> for Spec {
    type Error = SpecError;
    fn try_from(stored: Stored) -> Result<Spec, SpecError> {
        match stored {
            Stored::Experiment(experiment) => Spec::of(*experiment),
            Stored::Version1 { arms, channel: Channel::Bernoulli { epsilon } } => Spec::new(arms, epsilon),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_the_stored_form() {
        let spec = Spec::new(20, Epsilon::new(0.5).unwrap()).unwrap();
        let text = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<Experiment>(&text).unwrap().digest(), spec.digest());
        assert_eq!(serde_json::from_str::<Spec>(&text).unwrap(), spec);
        assert_eq!(spec.arm_names()[19], "19");
        let other = text.replace("\"bandit\"", "\"lottery\"");
        assert!(serde_json::from_str::<Spec>(&other).is_err());
    }

    #[test]
    fn checks() {
        let epsilon = Epsilon::new(1.0).unwrap();
        assert_eq!(Spec::new(0, epsilon), Err(SpecError::NoArms));
        assert_eq!(Spec::new(MAX_ARMS + 1, epsilon), Err(SpecError::TooManyArms(10_001)));
        let backwards = r#"{"name":"x","epsilon":1,"problem":{"kind":"bandit","arms":["a"],
            "reward":{"low":"2","high":"1"}}}"#;
        let refused = Spec::of(Experiment::from_json(backwards).unwrap());
        assert!(matches!(refused, Err(SpecError::Reward(_))));
    }

    /// What version 1 stored is read; its channels through which a number could leave are gone for ever.
    #[test]
    fn version_1() {
        let with = |arms: u32, channel: &str| format!(r#"{{"arms":{arms},"channel":{channel}}}"#);
        let bits = r#"{"bernoulli":{"epsilon":0.5}}"#;
        let spec: Spec = serde_json::from_str(&with(20, bits)).unwrap();
        assert_eq!(spec, Spec::new(20, Epsilon::new(0.5).unwrap()).unwrap());
        for bad in [
            with(0, bits),
            with(1_000_000, bits),
            with(2, r#"{"bernoulli":{"epsilon":-1}}"#),
            with(2, r#""open""#),
            with(2, r#"{"laplace":{"epsilon":1.0}}"#),
        ] {
            assert!(serde_json::from_str::<Spec>(&bad).is_err(), "{bad}");
        }
    }
}
