//! Who comes, and what comes of it. Made up: the same for everybody who plays the same document with the same seed.

use reticent_privacy::SimRng;
use reticent_protocol::{contextual, mab, pricing};
use reticent_schema::experiment::Problem;
use reticent_schema::{Encoding, Experiment, Field, Range, Value};

/// Outcomes of made-up people.
#[derive(Debug, Clone, PartialEq)]
pub enum World {
    /// Each arm has its chance of a full reward; rewards are one end of their range or the other.
    Bandit {
        /// The experiment.
        spec: mab::Spec,
        /// The chance of each arm.
        chances: Vec<f64>,
    },
    /// People are even over their ranges and levels. Along the first axis each arm has a place of its own where it is
    /// best: a chance of 0.8 there, and less the farther away.
    Contextual {
        /// The experiment.
        spec: contextual::Spec,
    },
    /// Prices are even; who comes from farther along the first axis buys at higher prices.
    Pricing {
        /// The experiment.
        spec: pricing::Spec,
    },
}

/// Why there is no such world.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// Trials and tuning have no devices.
    #[error(
        "experiments of kind {0} have no devices: their records go to a trusted curator (docs/service.md, \"Central kinds\")"
    )]
    Kind(&'static str),
    /// The document does not say what people need.
    #[error("the experiment cannot be taken part in: {0}")]
    Spec(String),
    /// One chance an arm.
    #[error("{given} chances for {arms} arms; give one from 0 to 1 for each arm")]
    Chances {
        /// How many there were.
        given: usize,
        /// How many there should be.
        arms: usize,
    },
}

/// The chance of an arm where it is best.
const BEST: f64 = 0.8;
/// What it loses a whole axis away.
const SLOPE: f64 = 0.9;

impl World {
    /// The world of an experiment. A bandit's chances are evenly spread from 0.3 to 0.6, the last arm's the highest,
    /// unless they are given.
    pub fn of(experiment: &Experiment, chances: Option<Vec<f64>>) -> Result<World, WorldError> {
        let wrong = |error: &dyn std::fmt::Display| WorldError::Spec(error.to_string());
        match experiment.problem() {
            Problem::Bandit(bandit) => {
                let arms = bandit.arms.len();
                let spread = |arm: usize| 0.3 + 0.3 * arm as f64 / (arms.max(2) - 1) as f64;
                let chances = chances.unwrap_or_else(|| (0..arms).map(spread).collect());
                if chances.len() != arms || chances.iter().any(|chance| !(0.0..=1.0).contains(chance)) {
                    return Err(WorldError::Chances { given: chances.len(), arms });
                }
                let spec = mab::Spec::of(experiment.clone()).map_err(|error| wrong(&error))?;
                Ok(World::Bandit { spec, chances })
            }
            Problem::Contextual(_) => {
                let spec = contextual::Spec::of(experiment.draft()).map_err(|error| wrong(&error))?;
                Ok(World::Contextual { spec })
            }
            Problem::Pricing(_) => {
                let spec = pricing::Spec::of(experiment.draft()).map_err(|error| wrong(&error))?;
                Ok(World::Pricing { spec })
            }
            other => Err(WorldError::Kind(other.kind())),
        }
    }

    /// The arm that is best for a person at this place along the first axis; nobody's where arms are prices.
    pub(super) fn best_arm(&self, place: f64) -> Option<u32> {
        let chances: Vec<f64> = (0..self.arms()).map(|arm| self.chance(arm, place)).collect();
        let best = chances.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        best.map(|(arm, _)| arm as u32)
    }

    /// The chance of a full reward.
    pub(super) fn chance(&self, arm: u32, place: f64) -> f64 {
        match self {
            World::Bandit { chances, .. } => chances.get(arm as usize).copied().unwrap_or(0.0),
            World::Contextual { spec } => {
                let own = (f64::from(arm) + 0.5) / f64::from(spec.arms());
                (BEST - SLOPE * (place - own).abs()).max(0.0)
            }
            World::Pricing { .. } => 0.0,
        }
    }

    fn arms(&self) -> u32 {
        match self {
            World::Bandit { spec, .. } => spec.arms(),
            World::Contextual { spec } => spec.arms(),
            World::Pricing { .. } => 0,
        }
    }
}

/// A person, evenly drawn from what is declared, and where they are along the first axis.
pub(super) fn somebody(encoding: &Encoding, people: &mut SimRng) -> (Vec<Value>, f64) {
    let values: Vec<Value> = encoding.fields().iter().map(|field| value(field, people)).collect();
    let mut place = vec![0.0; encoding.dimension()];
    // As many values as there are fields: it cannot fail, and a person in the middle is one too.
    let first =
        encoding.encode_values(&values, &mut place).map_or(0.5, |()| place.first().copied().unwrap_or(0.5));
    (values, first)
}

fn value(field: &Field, people: &mut SimRng) -> Value {
    match field {
        Field::Numeric { low, high, .. } => Value::Number(low + people.uniform() * (high - low)),
        Field::Category { levels, .. } => {
            let level = (people.uniform() * levels.len() as f64) as usize;
            Value::Category(levels[level.min(levels.len() - 1)].clone())
        }
    }
}

/// One end of a range, by a coin.
pub(super) fn flip(range: Range, chance: f64, people: &mut SimRng) -> f64 {
    if people.uniform() < chance { range.high() } else { range.low() }
}

/// The chance that somebody at this place buys at this price, both as shares of their ranges.
pub(super) fn demand(place: f64, price: f64) -> f64 {
    1.0 / (1.0 + libm::exp(8.0 * (price - 0.35 - 0.4 * place)))
}
