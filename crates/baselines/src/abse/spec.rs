//! What all parties agree on before the first person takes part.

use reticent_privacy::{Epsilon, Guarantee};
use serde::{Deserialize, Serialize};

/// More arms than this make reports that nobody wants to send.
pub const MAX_ARMS: u32 = 1_000;
/// More dimensions than this cannot be binned by any number of people.
pub const MAX_DIMS: u32 = 1_000;
/// More auxiliary sources than this are pooled first.
pub const MAX_SOURCES: usize = 100;
/// A quarter of the loss must be whole billionths, and noise must be small beside 2^63 grid steps.
const MIN_NANO: u64 = 1_000;
/// People in all: sums of grid steps stay far inside their integers.
const MAX_PEOPLE: u64 = 1 << 40;

/// A data set of people who met other policies before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSpec {
    /// The loss of one report from this source; none for the open channel.
    pub epsilon: Option<Epsilon>,
    /// How many people it has.
    pub people: u64,
}

/// A contextual bandit experiment with contexts in the cube [0, 1]^dims.
///
/// ```
/// use reticent_privacy::Epsilon;
/// use reticent_baselines::abse::Spec;
/// let spec = Spec::new(2, 3, Some(Epsilon::new(1.0)?), 10_000, vec![])?;
/// assert_eq!(spec.guarantee().to_string(), "1-DP, local model");
/// assert!(Spec::new(0, 3, None, 10_000, vec![]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Spec {
    dims: u32,
    arms: u32,
    epsilon: Option<Epsilon>,
    horizon: u64,
    sources: Vec<SourceSpec>,
}

/// Why a spec was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No dimension, or more than [`MAX_DIMS`].
    #[error("contexts have 1 to {MAX_DIMS} dimensions, got {0}")]
    Dims(u32),
    /// No arm, or more than [`MAX_ARMS`].
    #[error("an experiment has 1 to {MAX_ARMS} arms, got {0}")]
    Arms(u32),
    /// No people, or too many.
    #[error("an experiment or source has 2 to 2^40 people, got {0}")]
    People(u64),
    /// More than [`MAX_SOURCES`].
    #[error("an experiment has at most {MAX_SOURCES} auxiliary sources, got {0}: pool some of them")]
    Sources(usize),
    /// The loss is too small to be split in four.
    #[error("epsilon must be at least 0.000001 here, got {0}")]
    Epsilon(Epsilon),
    /// Private and open channels in one experiment.
    #[error("either the experiment and all its sources have an epsilon, or none has")]
    Mixed,
}

impl Spec {
    /// Checks everything. `epsilon` none means the open channel, for simulations of the non-private baseline.
    pub fn new(
        dims: u32,
        arms: u32,
        epsilon: Option<Epsilon>,
        horizon: u64,
        sources: Vec<SourceSpec>,
    ) -> Result<Spec, SpecError> {
        if !(1..=MAX_DIMS).contains(&dims) {
            return Err(SpecError::Dims(dims));
        }
        if !(1..=MAX_ARMS).contains(&arms) {
            return Err(SpecError::Arms(arms));
        }
        if sources.len() > MAX_SOURCES {
            return Err(SpecError::Sources(sources.len()));
        }
        let target = SourceSpec { epsilon, people: horizon };
        for source in std::iter::once(&target).chain(&sources) {
            source.check(epsilon.is_some())?;
        }
        Ok(Spec { dims, arms, epsilon, horizon, sources })
    }

    /// The number of coordinates of a context.
    pub fn dims(&self) -> u32 {
        self.dims
    }

    /// How many arms there are; they are numbered from 0.
    pub fn arms(&self) -> u32 {
        self.arms
    }

    /// The loss of one report; none for the open channel.
    pub fn epsilon(&self) -> Option<Epsilon> {
        self.epsilon
    }

    /// How many people will take part.
    pub fn horizon(&self) -> u64 {
        self.horizon
    }

    /// The auxiliary sources, numbered from 0.
    pub fn sources(&self) -> &[SourceSpec] {
        &self.sources
    }

    /// The loss of one report of the target, or of a source.
    pub fn epsilon_of(&self, source: Option<u32>) -> Option<Epsilon> {
        match source {
            None => self.epsilon,
            Some(index) => self.sources.get(index as usize).and_then(|source| source.epsilon),
        }
    }

    /// The largest sample size, n in the paper.
    pub fn largest_sample(&self) -> u64 {
        self.sources.iter().map(|source| source.people).fold(self.horizon, u64::max)
    }

    /// What one report promises the person who sends it.
    pub fn guarantee(&self) -> Guarantee {
        promise(self.epsilon)
    }

    /// What one report of a source's person promises; none if there is no such source.
    pub fn source_guarantee(&self, source: u32) -> Option<Guarantee> {
        self.sources.get(source as usize).map(|source| promise(source.epsilon))
    }
}

impl SourceSpec {
    fn check(&self, private: bool) -> Result<(), SpecError> {
        if !(2..=MAX_PEOPLE).contains(&self.people) {
            return Err(SpecError::People(self.people));
        }
        match self.epsilon {
            Some(epsilon) if epsilon.nano() < MIN_NANO => Err(SpecError::Epsilon(epsilon)),
            epsilon if epsilon.is_some() != private => Err(SpecError::Mixed),
            _ => Ok(()),
        }
    }
}

fn promise(epsilon: Option<Epsilon>) -> Guarantee {
    let unit = "one report: the context, arm and reward of one person at one visit";
    match epsilon {
        Some(epsilon) => Guarantee::local(
            epsilon,
            unit,
            "any two triples of context, arm and reward",
            "crates/baselines/src/abse/agent/guarantee.md",
        ),
        None => Guarantee::none(unit),
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    dims: u32,
    arms: u32,
    epsilon: Option<Epsilon>,
    horizon: u64,
    #[serde(default)]
    sources: Vec<SourceSpec>,
}

impl From<Spec> for Raw {
    fn from(spec: Spec) -> Raw {
        let Spec { dims, arms, epsilon, horizon, sources } = spec;
        Raw { dims, arms, epsilon, horizon, sources }
    }
}

impl TryFrom<Raw> for Spec {
    type Error = SpecError;
    fn try_from(raw: Raw) -> Result<Spec, SpecError> {
        Spec::new(raw.dims, raw.arms, raw.epsilon, raw.horizon, raw.sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_runs_the_same_checks_as_building() {
        let read = |text: &str| serde_json::from_str::<Spec>(text).map_err(|e| e.to_string());
        let good = r#"{"dims":2,"arms":3,"epsilon":1,"horizon":100,"sources":[{"epsilon":0.5,"people":9}]}"#;
        let spec = read(good).unwrap();
        assert_eq!(read(&serde_json::to_string(&spec).unwrap()).unwrap(), spec);
        assert_eq!(spec.largest_sample(), 100);
        assert_eq!(spec.epsilon_of(Some(0)), Some(Epsilon::new(0.5).unwrap()));
        let bad = [
            (r#"{"dims":0,"arms":3,"epsilon":1,"horizon":100}"#, "dimensions"),
            (r#"{"dims":2,"arms":0,"epsilon":1,"horizon":100}"#, "arms"),
            (r#"{"dims":2,"arms":3,"epsilon":1,"horizon":1}"#, "people"),
            (r#"{"dims":2,"arms":3,"epsilon":1e-9,"horizon":100}"#, "0.000001"),
            (
                r#"{"dims":2,"arms":3,"epsilon":null,"horizon":9,"sources":[{"epsilon":1,"people":9}]}"#,
                "or none",
            ),
            (r#"{"dims":2,"arms":3,"epsilon":1,"horizon":9,"extra":0}"#, "extra"),
        ];
        for (text, word) in bad {
            let message = read(text).unwrap_err();
            assert!(message.contains(word), "{message}");
        }
    }

    #[test]
    fn the_open_channel_promises_nothing() {
        let open = Spec::new(1, 2, None, 10, vec![SourceSpec { epsilon: None, people: 5 }]).unwrap();
        assert_eq!(open.guarantee().to_string(), "not private");
        assert_eq!(open.source_guarantee(0).unwrap().to_string(), "not private");
        assert_eq!(open.source_guarantee(1), None);
    }
}
