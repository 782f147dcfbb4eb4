//! What all parties agree on before the first person takes part.

use std::sync::Arc;

use reticent_privacy::{Epsilon, Guarantee, LossError};
use reticent_schema::experiment::{self, AgentOptions, AxesError, Context, Contextual, Draft, Ends, Problem};
use reticent_schema::{
    Decimal, DecimalError, Digest, Encoding, Experiment, ExperimentError, Prefix, Range, RangeError,
};
use serde::{Deserialize, Serialize};

use super::Grid;

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
#[serde(try_from = "Stored", into = "Experiment")]
pub struct Spec {
    experiment: Arc<Experiment>,
    arms: u32,
    encoding: Encoding,
    reward: Range,
    sources: Vec<Source>,
    grid: Grid,
    arm_epsilon: Option<Epsilon>,
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
    /// Another problem's experiment.
    #[error("the experiment is of kind {0:?}, not \"contextual\"")]
    Kind(&'static str),
    /// Nothing to choose between, or too much.
    #[error("a contextual experiment has 2 to {MAX_ARMS} arms, got {0}")]
    Arms(u32),
    /// Nothing to tell people apart by.
    #[error(
        "a contextual experiment needs at least one column of context; without any, declare kind \"bandit\""
    )]
    NoContext,
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
    /// An invalid loss.
    #[error(transparent)]
    Loss(#[from] LossError),
    /// An invalid context.
    #[error(transparent)]
    Context(#[from] AxesError),
    /// A number that a document cannot hold.
    #[error(transparent)]
    Decimal(#[from] DecimalError),
    /// The document itself.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
}

impl Spec {
    /// An experiment whose arms are called 0, 1, ..., with rewards in [0, 1] and no sources.
    #[allow(clippy::needless_pass_by_value, reason = "a spec is made of what it is given")]
    pub fn new(arms: u32, encoding: Encoding, epsilon: Epsilon) -> Result<Spec, SpecError> {
        check_arms(arms as usize)?;
        let problem = Contextual {
            arms: (0..arms).map(|arm| arm.to_string()).collect(),
            context: Context::of(&encoding)?,
            reward: Ends::unit(),
            cells: None,
            arm_epsilon: None,
            sources: Vec::new(),
            agent: AgentOptions::default(),
        };
        Spec::of(&Draft::new("contextual", epsilon, Problem::Contextual(problem)))
    }

    /// The experiment of this document. The cells are chosen if the document leaves them out, and then part
    /// of it.
    pub fn of(draft: &Draft) -> Result<Spec, SpecError> {
        let mut draft = draft.clone();
        let Problem::Contextual(problem) = &mut draft.problem else {
            return Err(SpecError::Kind(draft.problem.kind()));
        };
        let arms = check_arms(problem.arms.len())?;
        let encoding = problem.context.encoding()?;
        if encoding.dimension() == 0 {
            return Err(SpecError::NoContext);
        }
        let epsilon = draft.epsilon.as_str().parse()?;
        let grid = grid(problem.cells.take(), &encoding, arms, epsilon)?;
        problem.cells = Some(grid.sizes().to_vec());
        let reward = problem.reward.range()?;
        if problem.sources.len() > MAX_SOURCES {
            return Err(SpecError::Sources(problem.sources.len()));
        }
        let sources =
            problem.sources.iter().map(|declared| source(declared, arms)).collect::<Result<_, _>>()?;
        let arm_epsilon = problem.arm_epsilon.as_ref().map(|epsilon| epsilon.as_str().parse()).transpose()?;
        let experiment = Arc::new(Experiment::new(draft)?);
        Ok(Spec { experiment, arms, encoding, reward, sources, grid, arm_epsilon })
    }

    /// With rewards in another range.
    pub fn with_rewards(self, low: f64, high: f64) -> Result<Spec, SpecError> {
        let reward = Ends::of(Range::new(low, high)?)?;
        self.changed(|problem| problem.reward = reward)
    }

    /// With sources.
    #[allow(clippy::needless_pass_by_value, reason = "a spec is made of what it is given")]
    pub fn with_sources(self, sources: Vec<Source>) -> Result<Spec, SpecError> {
        let declared = sources.iter().map(declared).collect::<Result<_, _>>()?;
        self.changed(|problem| problem.sources = declared)
    }

    /// With these cells per axis instead of those that were chosen.
    pub fn with_cells(self, cells: Vec<u32>) -> Result<Spec, SpecError> {
        self.changed(|problem| problem.cells = Some(cells))
    }

    /// With the arm that a person is seen to get hidden as well, at this loss: see `docs/contextual.md`.
    pub fn with_private_arms(self, epsilon: Epsilon) -> Result<Spec, SpecError> {
        let epsilon = epsilon.to_string().parse()?;
        self.changed(|problem| problem.arm_epsilon = Some(epsilon))
    }

    fn changed(self, change: impl FnOnce(&mut Contextual)) -> Result<Spec, SpecError> {
        let mut draft = self.experiment.draft().clone();
        if let Problem::Contextual(problem) = &mut draft.problem {
            change(problem);
        }
        Spec::of(&draft)
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

    /// How a raw context becomes a point of the unit cube.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The loss of one report of the target's people.
    pub fn epsilon(&self) -> Epsilon {
        self.experiment.epsilon()
    }

    /// The loss of the arm that a person is seen to get; none if it is not hidden.
    #[inline]
    pub fn arm_epsilon(&self) -> Option<Epsilon> {
        self.arm_epsilon
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
            None => Some(self.epsilon()),
            Some(source) => self.sources.get(source as usize).map(|s| s.epsilon),
        }
    }

    /// What one report promises a person of the target.
    pub fn guarantee(&self) -> Guarantee {
        guarantee(self.epsilon())
    }
}

fn check_arms(arms: usize) -> Result<u32, SpecError> {
    let arms = u32::try_from(arms).unwrap_or(u32::MAX);
    if (2..=MAX_ARMS).contains(&arms) { Ok(arms) } else { Err(SpecError::Arms(arms)) }
}

/// The cells that were declared, if they fit; otherwise the finest within the limits.
fn grid(
    cells: Option<Vec<u32>>,
    encoding: &Encoding,
    arms: u32,
    epsilon: Epsilon,
) -> Result<Grid, SpecError> {
    let sizes = cells.unwrap_or_else(|| Grid::fitting(encoding, arms, epsilon));
    Grid::sized(encoding, &sizes).ok_or(SpecError::Grid)
}

/// A declared source, checked.
fn source(declared: &experiment::Source, arms: u32) -> Result<Source, SpecError> {
    let behaviour: Vec<f64> = declared.behaviour.iter().map(Decimal::value).collect();
    let total: f64 = behaviour.iter().sum();
    let sound = behaviour.iter().all(|&p| (0.0..=1.0).contains(&p)) && (total - 1.0).abs() < 1e-6;
    if !sound || behaviour.len() != arms as usize || declared.people == 0 {
        return Err(SpecError::Behaviour(declared.name.clone()));
    }
    let epsilon = declared.epsilon.as_str().parse()?;
    Ok(Source { name: declared.name.clone(), epsilon, people: declared.people, behaviour })
}

fn declared(source: &Source) -> Result<experiment::Source, DecimalError> {
    Ok(experiment::Source {
        name: source.name.clone(),
        epsilon: source.epsilon.to_string().parse()?,
        people: source.people,
        behaviour: source.behaviour.iter().map(|&p| Decimal::from_f64(p)).collect::<Result<_, _>>()?,
    })
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

impl From<Spec> for Experiment {
    fn from(spec: Spec) -> Experiment {
        Arc::unwrap_or_clone(spec.experiment)
    }
}

/// The document, or what version 1 stored.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Experiment(Box<Draft>),
    Version1(Box<Version1>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Version1 {
    arms: u32,
    epsilon: Epsilon,
    encoding: Encoding,
    #[serde(default = "unit")]
    reward: Range,
    #[serde(default)]
    sources: Vec<Source>,
    #[serde(default)]
    cells: Option<Vec<u32>>,
}

fn unit() -> Range {
    Range::UNIT
}

impl TryFrom<Stored> for Spec {
    type Error = SpecError;
    fn try_from(stored: Stored) -> Result<Spec, SpecError> {
        let Version1 { arms, epsilon, encoding, reward, sources, cells } = match stored {
            Stored::Experiment(draft) => return Spec::of(&draft),
            Stored::Version1(stored) => *stored,
        };
        let spec = Spec::new(arms, encoding, epsilon)?.with_rewards(reward.low(), reward.high())?;
        let spec = spec.with_sources(sources)?;
        match cells {
            Some(cells) => spec.with_cells(cells),
            None => Ok(spec),
        }
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
        let text = spec().experiment().to_json().unwrap();
        let read = |text: &str| -> Result<Spec, SpecError> { Spec::of(&serde_json::from_str(text).unwrap()) };
        assert_eq!(read(&text).unwrap(), spec());
        assert_eq!(serde_json::from_str::<Spec>(&serde_json::to_string(&spec()).unwrap()).unwrap(), spec());
        let broken = |from: &str, to: &str| {
            assert!(text.contains(from), "{text}");
            read(&text.replace(from, to)).unwrap_err().to_string()
        };
        assert!(broken(r#"["0","1","2"]"#, r#"["0"]"#).contains("2 to 50 arms"));
        assert!(broken(r#""0.5","0.25""#, r#""0.6","0.25""#).contains("last year"));
        assert!(broken("\"people\":5000", "\"people\":0").contains("people"));
        assert!(broken("\"-1\"", "\"3\"").contains("low below high"));
        assert!(broken("[16,16]", "[16]").contains("cells per axis"));
        assert!(broken("[16,16]", "[99,99]").contains("cells per axis"));
    }

    #[test]
    fn version_1_is_read() {
        let text = r#"{"arms":3,"epsilon":1.0,"encoding":{"fields":[{"numeric":{"name":"x1","low":0.0,"high":1.0}},
            {"numeric":{"name":"x2","low":0.0,"high":1.0}}],"axes":[{"field":"x1"},{"field":"x2"}]},
            "reward":{"low":-1.0,"high":2.0},"sources":[{"name":"last year","epsilon":8.0,"people":5000,
            "behaviour":[0.5,0.25,0.25]}],"cells":[16,16]}"#;
        assert_eq!(serde_json::from_str::<Spec>(text).unwrap(), spec());
        assert!(serde_json::from_str::<Spec>(&text.replace("\"arms\":3", "\"arms\":1")).is_err());
        assert!(serde_json::from_str::<Spec>(&text.replace("[16,16]", "[16]")).is_err());
    }
}
