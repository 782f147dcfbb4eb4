//! The policy in a file: whole numbers of small steps, so that it stays small.

use reticent_protocol::pricing::Terms;
use serde::{Deserialize, Serialize};

use super::learn::points;
use super::quote::strides;
use super::{Choice, Learned, Policy, PolicyError};
use crate::pricing::axes::Axes;
use crate::pricing::objective::Objective;

const FORMAT: &str = "reticent-price-policy";
/// The version that is written. Version 1, which chose by the pessimistic value, is read.
pub(super) const VERSION: u32 = 2;
const BY_LOWER: u32 = 1;
/// Steps in the largest value that a price can earn.
const STEPS: f64 = 100_000.0;

/// The stored form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    format: String,
    version: u32,
    terms: Terms,
    objective: Objective,
    learned: Learned,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    choice: Option<Choice>,
    mean: Vec<i64>,
    lower: Vec<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<Vec<i64>>,
    /// In thousandths.
    density: Vec<u32>,
}

/// Values as they are stored.
pub(super) struct Table {
    pub(super) mean: Vec<i64>,
    pub(super) lower: Vec<i64>,
    pub(super) score: Vec<i64>,
    pub(super) density: Vec<u32>,
}

/// What one step is worth: a hundred-thousandth of the largest outcome at the largest margin.
pub(super) fn step(terms: &Terms, objective: &Objective) -> f64 {
    let range = terms.outcome();
    let outcome = range.low().abs().max(range.high().abs());
    let margins = objective.prices.iter().map(|&price| objective.margin(price).abs());
    // Prices that earn nothing at all have values of 0 in any step.
    margins.fold(1e-100, f64::max) * outcome / STEPS
}

impl Table {
    /// Rounds to whole steps, pessimistic values and what decides down: a policy and its file give the same
    /// quotes.
    pub(super) fn rounded(
        terms: &Terms,
        objective: &Objective,
        [mean, lower, score]: [&[f64]; 3],
        density: &[f64],
    ) -> Table {
        let step = step(terms, objective);
        let down = |values: &[f64]| values.iter().map(|value| (value / step).floor() as i64).collect();
        Table {
            mean: mean.iter().map(|value| (value / step).round() as i64).collect(),
            lower: down(lower),
            score: down(score),
            density: density.iter().map(|density| (density * 1000.0).round() as u32).collect(),
        }
    }
}

impl Policy {
    /// The policy of these values, one for each node and price.
    pub(super) fn assembled(
        terms: Terms,
        objective: Objective,
        learned: Learned,
        choice: Option<Choice>,
        table: &Table,
    ) -> Policy {
        let axes = Axes::new(&terms);
        let strides = strides(axes.contexts());
        let step = step(&terms, &objective);
        let scaled = |values: &[i64]| values.iter().map(|&value| value as f64 * step).collect();
        let (mean, lower, score) = (scaled(&table.mean), scaled(&table.lower), scaled(&table.score));
        let density = table.density.iter().map(|&value| f64::from(value) / 1000.0).collect();
        Policy { terms, objective, learned, axes, strides, mean, lower, score, choice, density }
    }
}

impl From<Policy> for Stored {
    fn from(policy: Policy) -> Stored {
        let step = step(&policy.terms, &policy.objective);
        let steps = |values: &[f64]| values.iter().map(|value| (value / step).round() as i64).collect();
        Stored {
            format: FORMAT.into(),
            version: if policy.choice.is_some() { VERSION } else { BY_LOWER },
            mean: steps(&policy.mean),
            lower: steps(&policy.lower),
            score: policy.choice.map(|_| steps(&policy.score)),
            choice: policy.choice,
            density: policy.density.iter().map(|density| (density * 1000.0).round() as u32).collect(),
            terms: policy.terms,
            objective: policy.objective,
            learned: policy.learned,
        }
    }
}

impl TryFrom<Stored> for Policy {
    type Error = PolicyError;

    fn try_from(stored: Stored) -> Result<Policy, PolicyError> {
        let Stored { format, version, terms, objective, learned, choice, mean, lower, score, density } =
            stored;
        if format != FORMAT {
            return Err(PolicyError::Stored("its format has another name"));
        }
        let score = match (version, choice, score) {
            (BY_LOWER, None, None) => lower.clone(),
            (VERSION, Some(choice), Some(score)) if objective.prices.contains(&choice.single) => score,
            (BY_LOWER | VERSION, ..) => {
                return Err(PolicyError::Stored("it does not say how its prices were chosen"));
            }
            _ => return Err(PolicyError::Version(version)),
        };
        objective.check(&terms)?;
        let nodes = points(&Axes::new(&terms)).len();
        let values = nodes * objective.prices.len();
        let each = [&mean, &lower, &score];
        if density.len() != nodes || each.iter().any(|each| each.len() != values) {
            return Err(PolicyError::Stored("it has not one value for each context and price"));
        }
        Ok(Policy::assembled(terms, objective, learned, choice, &Table { mean, lower, score, density }))
    }
}
