//! What all parties agree on before the first person takes part.

use reticent_privacy::{Epsilon, Guarantee};
use serde::{Deserialize, Serialize};

use super::Grid;
use reticent_schema::{Encoding, Range, RangeError};

/// More arms than this are more than a contextual experiment can tell apart.
pub const MAX_ARMS: u32 = 50;
/// More sources than this are more than anybody has.
pub const MAX_SOURCES: usize = 32;

/// A contextual bandit experiment: context, arm and reward stay on the device.
///
/// ```
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::contextual::Spec;
/// use reticent_schema::Encoding;
/// let spec = Spec::new(3, Encoding::unit(2)?, Epsilon::new(1.0)?)?;
/// assert_eq!(spec.grid().cells(), 256);
/// assert_eq!(spec.guarantee().to_string(), "1-DP, local model");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Spec {
    arms: u32,
    encoding: Encoding,
    epsilon: Epsilon,
    reward: Range,
    sources: Vec<Source>,
    grid: Grid,
}

/// People of another market or an earlier time, who have their arm and reward already.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its name in reports to people.
    pub name: String,
    /// The loss of each of its people's reports.
    pub epsilon: Epsilon,
    /// How many people it has, about: questions are as fine as so many can answer.
    pub people: u64,
    /// The probability with which each arm was given there.
    pub behaviour: Vec<f64>,
}

/// Why a spec was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// Nothing to choose between, or too much.
    #[error("a contextual experiment has 2 to {MAX_ARMS} arms, got {0}")]
    Arms(u32),
    /// Too many categories.
    #[error("the categories make more cells than {max}; merge levels or drop a field", max = super::MAX_CELLS)]
    Cells,
    /// Cells that do not belong to the encoding.
    #[error("the cells per axis do not fit the encoding's axes; leave them out to have them chosen")]
    Grid,
    /// No range of rewards.
    #[error("the reward: {0}")]
    Reward(#[from] RangeError),
    /// Too many sources.
    #[error("an experiment has at most {MAX_SOURCES} sources, got {0}")]
    Sources(usize),
    /// A source's arms.
    #[error(
        "source {0:?}: behaviour needs one probability for each arm, not negative, adding up to 1, and people must be 1 or more"
    )]
    Behaviour(String),
}

impl Spec {
    /// An experiment with rewards in [0, 1] and no sources.
    pub fn new(arms: u32, encoding: Encoding, epsilon: Epsilon) -> Result<Spec, SpecError> {
        let grid = Grid::fitting(&encoding, arms).ok_or(SpecError::Cells)?;
        let reward = Range::UNIT;
        Spec { arms, encoding, epsilon, reward, sources: Vec::new(), grid }.checked()
    }

    /// With rewards in another range.
    pub fn with_rewards(mut self, low: f64, high: f64) -> Result<Spec, SpecError> {
        self.reward = Range::new(low, high)?;
        self.checked()
    }

    /// With sources.
    pub fn with_sources(mut self, sources: Vec<Source>) -> Result<Spec, SpecError> {
        self.sources = sources;
        self.checked()
    }

    fn checked(self) -> Result<Spec, SpecError> {
        if !(2..=MAX_ARMS).contains(&self.arms) {
            return Err(SpecError::Arms(self.arms));
        }
        if self.sources.len() > MAX_SOURCES {
            return Err(SpecError::Sources(self.sources.len()));
        }
        for source in &self.sources {
            let total: f64 = source.behaviour.iter().sum();
            let sound =
                source.behaviour.iter().all(|&p| (0.0..=1.0).contains(&p)) && (total - 1.0).abs() < 1e-6;
            if !sound || source.behaviour.len() != self.arms as usize || source.people == 0 {
                return Err(SpecError::Behaviour(source.name.clone()));
            }
        }
        Ok(self)
    }

    /// How many arms there are; they are numbered from 0.
    pub fn arms(&self) -> u32 {
        self.arms
    }

    /// How a raw context becomes a point of the unit cube.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The loss of one report of the target's people.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// Where rewards lie.
    pub fn reward(&self) -> Range {
        self.reward
    }

    /// Other people's data that may help.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The cells that a policy tells apart.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The loss of a report: the target's for `None`, a source's otherwise.
    pub fn epsilon_of(&self, source: Option<u32>) -> Option<Epsilon> {
        match source {
            None => Some(self.epsilon),
            Some(source) => self.sources.get(source as usize).map(|s| s.epsilon),
        }
    }

    /// What one report promises a person of the target.
    pub fn guarantee(&self) -> Guarantee {
        guarantee(self.epsilon)
    }
}

/// What one report at this loss promises.
pub fn guarantee(epsilon: Epsilon) -> Guarantee {
    Guarantee::local(
        epsilon,
        "one report: context, arm and reward of one person at one visit",
        "any two contexts, arms and rewards",
        "crates/learn/src/contextual/guarantee.md",
    )
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    arms: u32,
    epsilon: Epsilon,
    encoding: Encoding,
    #[serde(default = "unit")]
    reward: Range,
    #[serde(default)]
    sources: Vec<Source>,
    /// Cells per axis; chosen if left out, and then part of the spec.
    #[serde(default)]
    cells: Option<Vec<u32>>,
}

fn unit() -> Range {
    Range::UNIT
}

impl From<Spec> for Raw {
    fn from(spec: Spec) -> Raw {
        let cells = Some(spec.grid.sizes().to_vec());
        Raw {
            arms: spec.arms,
            epsilon: spec.epsilon,
            encoding: spec.encoding,
            reward: spec.reward,
            sources: spec.sources,
            cells,
        }
    }
}

impl TryFrom<Raw> for Spec {
    type Error = SpecError;
    fn try_from(raw: Raw) -> Result<Spec, SpecError> {
        let mut spec = Spec::new(raw.arms, raw.encoding, raw.epsilon)?;
        if let Some(cells) = raw.cells {
            spec.grid = Grid::new(cells).ok_or(SpecError::Grid)?;
            let fits = spec.encoding.axes().zip(spec.grid.sizes()).all(|(axis, &size)| match axis.kind {
                reticent_schema::AxisKind::Category(levels) => size as usize == levels,
                reticent_schema::AxisKind::Numeric => true,
            });
            if !fits || spec.grid.sizes().len() != spec.encoding.dimension() {
                return Err(SpecError::Grid);
            }
        }
        spec.reward = raw.reward;
        spec.with_sources(raw.sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> Spec {
        let spec = Spec::new(3, Encoding::unit(2).unwrap(), Epsilon::new(1.0).unwrap()).unwrap();
        let source = Source {
            name: "last year".into(),
            epsilon: Epsilon::new(8.0).unwrap(),
            people: 5000,
            behaviour: vec![0.5, 0.25, 0.25],
        };
        spec.with_sources(vec![source]).unwrap().with_rewards(-1.0, 2.0).unwrap()
    }

    #[test]
    fn reading_runs_the_same_checks_as_building() {
        let text = serde_json::to_string(&spec()).unwrap();
        assert_eq!(serde_json::from_str::<Spec>(&text).unwrap(), spec());
        let broken = |from: &str, to: &str| {
            assert!(text.contains(from), "{text}");
            serde_json::from_str::<Spec>(&text.replace(from, to)).unwrap_err().to_string()
        };
        assert!(broken("\"arms\":3", "\"arms\":1").contains("2 to 50 arms"));
        assert!(broken("0.5,0.25", "0.6,0.25").contains("last year"));
        assert!(broken("\"people\":5000", "\"people\":0").contains("people"));
        assert!(broken("-1.0", "3.0").contains("low below high"));
        assert!(broken("[16,16]", "[16]").contains("cells per axis"));
        assert!(broken("[16,16]", "[99,99]").contains("cells per axis"));
        assert!(serde_json::from_str::<Spec>(&text.replace("\"arms\"", "\"x\":1,\"arms\"")).is_err());
    }
}
