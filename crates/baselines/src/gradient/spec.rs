//! What all parties agree on before the first person takes part.

use reticent_privacy::{Epsilon, Guarantee};
use serde::{Deserialize, Serialize};

use super::Channel;

/// Contexts with more coordinates are refused: their gradients would drown in noise.
pub const MAX_DIMS: u32 = 64;
/// A draw holds one sign per arm in a 64-bit word.
pub const MAX_ARMS: u32 = 64;
/// The widest hidden layer.
pub const MAX_UNITS: u32 = 64;
/// The most auxiliary sources.
pub const MAX_SOURCES: usize = 1024;

/// How an arm's expected reward depends on the context.
///
/// The features are 1 and 2 x - 1 for each coordinate x of the context in [0, 1], so that all lie in [-1, 1].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Model {
    /// The logistic function of a linear score (Han et al. 2021, Algorithm 2): `ldp-glm`.
    Logistic,
    /// One hidden layer of tanh units, then the logistic function: `ldp-nn`. Parameters of an arm: for each
    /// unit the weights of the features, then the output's intercept and its weight of each unit.
    Hidden {
        /// How many units the layer has.
        units: u32,
    },
}

/// An experiment with gradients.
///
/// ```
/// use reticent_privacy::Epsilon;
/// use reticent_baselines::gradient::{Model, Spec};
/// let spec = Spec::new(2, 3, Model::Logistic, Epsilon::new(1.0)?, vec![Epsilon::new(4.0)?])?;
/// assert_eq!(spec.guarantee().to_string(), "1-DP, local model");
/// assert_eq!(spec.parameters(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Spec {
    dims: u32,
    arms: u32,
    model: Model,
    epsilon: Epsilon,
    sources: Vec<Epsilon>,
}

/// Why a spec was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A size out of its range.
    #[error("the number of {what} must lie between 1 and {most}, got {got}")]
    Size {
        /// What there are too many or none of.
        what: &'static str,
        /// The most that is accepted.
        most: u32,
        /// What was asked for.
        got: u32,
    },
    /// More sources than [`MAX_SOURCES`].
    #[error("an experiment can have at most {MAX_SOURCES} auxiliary sources, got {0}")]
    Sources(usize),
}

impl Model {
    /// The name under which the agent with this model is known.
    pub fn agent(self) -> &'static str {
        match self {
            Model::Logistic => "ldp-glm",
            Model::Hidden { .. } => "ldp-nn",
        }
    }
}

impl Spec {
    /// Checks all sizes. `sources` are the losses of the auxiliary sources' people, numbered from 0.
    pub fn new(
        dims: u32,
        arms: u32,
        model: Model,
        epsilon: Epsilon,
        sources: Vec<Epsilon>,
    ) -> Result<Spec, SpecError> {
        let within = |what, got, most| {
            if (1..=most).contains(&got) { Ok(()) } else { Err(SpecError::Size { what, most, got }) }
        };
        within("context coordinates", dims, MAX_DIMS)?;
        within("arms", arms, MAX_ARMS)?;
        if let Model::Hidden { units } = model {
            within("hidden units", units, MAX_UNITS)?;
        }
        if sources.len() > MAX_SOURCES {
            return Err(SpecError::Sources(sources.len()));
        }
        Ok(Spec { dims, arms, model, epsilon, sources })
    }

    /// How many coordinates a context has.
    pub fn dims(&self) -> u32 {
        self.dims
    }

    /// How many arms there are; they are numbered from 0.
    pub fn arms(&self) -> u32 {
        self.arms
    }

    /// The model of each arm's reward.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The loss of one report of a person of the target.
    pub fn target_epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// The losses of the auxiliary sources' people.
    pub fn sources(&self) -> &[Epsilon] {
        &self.sources
    }

    /// How many parameters one arm has, at most 64 * 65 + 65.
    pub fn parameters(&self) -> u32 {
        let features = self.dims + 1;
        match self.model {
            Model::Logistic => features,
            Model::Hidden { units } => units * features + units + 1,
        }
    }

    /// The loss of one report: of a person of the target, or of an auxiliary source; `None` for a source that
    /// there is not.
    pub fn epsilon(&self, source: Option<u32>) -> Option<Epsilon> {
        match source {
            None => Some(self.epsilon),
            Some(number) => self.sources.get(number as usize).copied(),
        }
    }

    /// How a gradient leaves the device of such a person.
    pub fn channel(&self, source: Option<u32>) -> Option<Channel> {
        self.epsilon(source).map(|epsilon| Channel::best(epsilon, self.parameters()))
    }

    /// What one report promises a person of the target.
    pub fn guarantee(&self) -> Guarantee {
        promise(self.epsilon)
    }

    /// What one report promises a person of an auxiliary source.
    pub fn guarantee_of_source(&self, source: u32) -> Option<Guarantee> {
        self.epsilon(Some(source)).map(promise)
    }
}

fn promise(epsilon: Epsilon) -> Guarantee {
    Guarantee::local(
        epsilon,
        "one report: the context, the arm and the reward of one person at one visit",
        "any two contexts, arms and rewards",
        "crates/baselines/src/gradient/agent/guarantee.md",
    )
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    dims: u32,
    arms: u32,
    model: Model,
    epsilon: Epsilon,
    #[serde(default)]
    sources: Vec<Epsilon>,
}

impl From<Spec> for Raw {
    fn from(spec: Spec) -> Raw {
        let Spec { dims, arms, model, epsilon, sources } = spec;
        Raw { dims, arms, model, epsilon, sources }
    }
}

impl TryFrom<Raw> for Spec {
    type Error = SpecError;
    fn try_from(raw: Raw) -> Result<Spec, SpecError> {
        Spec::new(raw.dims, raw.arms, raw.model, raw.epsilon, raw.sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_runs_the_same_checks_as_building() {
        let read = |text: &str| serde_json::from_str::<Spec>(text).map_err(|e| e.to_string());
        let spec = read(r#"{"dims":2,"arms":3,"model":{"hidden":{"units":8}},"epsilon":0.5,"sources":[4]}"#)
            .unwrap();
        assert_eq!(spec.parameters(), 8 * 3 + 9);
        assert_eq!(read(&serde_json::to_string(&spec).unwrap()).unwrap(), spec);
        let refused = |text| read(text).unwrap_err();
        assert!(
            refused(r#"{"dims":0,"arms":3,"model":"logistic","epsilon":1}"#).contains("context coordinates")
        );
        assert!(refused(r#"{"dims":2,"arms":65,"model":"logistic","epsilon":1}"#).contains("arms must lie"));
        assert!(
            refused(r#"{"dims":2,"arms":2,"model":{"hidden":{"units":0}},"epsilon":1}"#)
                .contains("hidden units")
        );
        assert!(
            refused(r#"{"dims":2,"arms":2,"model":"logistic","epsilon":-1}"#).contains("epsilon must be")
        );
        assert!(read(r#"{"dims":2,"arms":2,"model":"logistic","epsilon":1,"extra":1}"#).is_err());
        let too_many = vec![Epsilon::MAX; MAX_SOURCES + 1];
        assert!(Spec::new(2, 2, Model::Logistic, Epsilon::MAX, too_many).is_err());
    }

    #[test]
    fn each_source_has_its_own_loss() {
        let epsilon = |value| Epsilon::new(value).unwrap();
        let spec = Spec::new(2, 2, Model::Logistic, epsilon(1.0), vec![epsilon(4.0)]).unwrap();
        assert_eq!(spec.guarantee_of_source(0).unwrap().to_string(), "4-DP, local model");
        assert_eq!(spec.guarantee_of_source(1), None);
        assert_eq!(spec.channel(Some(1)), None);
        assert_eq!(spec.epsilon(None), Some(epsilon(1.0)));
    }
}
