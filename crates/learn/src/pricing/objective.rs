//! What a price is chosen for.

use serde::{Deserialize, Serialize};

use reticent_protocol::pricing::Terms;

/// What to earn, with which prices, and how sure to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objective {
    /// What the outcome is worth.
    pub earns: Earns,
    /// The prices to choose from, in increasing order, within the log's.
    pub prices: Vec<f64>,
    /// The probability with which the band holds for all contexts and prices at once.
    pub confidence: f64,
    /// Whether outcomes never grow with the price.
    pub monotone: bool,
    /// The price where nothing is known to earn anything; without it, prices are chosen there as elsewhere.
    pub fallback: Option<f64>,
}

/// What an outcome is worth at a price.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Earns {
    /// The outcome is the reward itself.
    Outcome,
    /// The outcome is demand, and each unit earns the price less this cost: revenue when it is 0.
    Margin {
        /// What a unit costs.
        cost: f64,
    },
}

/// Why an objective was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectiveError {
    /// No prices, not in order, or others than the log's.
    #[error(
        "the prices to choose from must be 1 to {MAX_PRICES} in increasing order, within the prices of the log"
    )]
    Prices,
    /// A fallback that is not allowed.
    #[error("the fallback price must lie between the lowest and the highest price to choose from")]
    Fallback,
    /// No probability.
    #[error("the confidence must lie between 0.5 and 0.999")]
    Confidence,
    /// An invalid cost.
    #[error("the cost must be a finite number")]
    Cost,
}

/// More prices than this make a policy large.
pub const MAX_PRICES: usize = 128;
/// Prices of a range, when none are named: with few context axes, and with many, where each node of the
/// contexts has a value for each.
const DEFAULT_PRICES: usize = 49;
const FEW_PRICES: usize = 25;

impl Objective {
    /// Evenly spaced prices over the log's range, or all of its list; 95 % confidence.
    pub fn new(terms: &Terms, earns: Earns) -> Objective {
        let (low, high) = (terms.prices().low(), terms.prices().high());
        let prices = match terms.prices() {
            reticent_protocol::pricing::Prices::Points(points) => points.clone(),
            reticent_protocol::pricing::Prices::Range(..) => {
                let count = if terms.context().dimension() <= 2 { DEFAULT_PRICES } else { FEW_PRICES };
                (0..count).map(|i| low + (high - low) * i as f64 / (count - 1) as f64).collect()
            }
        };
        Objective { earns, prices, confidence: 0.95, monotone: false, fallback: None }
    }

    /// Is it one for this market?
    pub fn check(&self, terms: &Terms) -> Result<(), ObjectiveError> {
        let (low, high) = (terms.prices().low(), terms.prices().high());
        let inside = self.prices.iter().all(|price| (low..=high).contains(price));
        let ordered = self.prices.windows(2).all(|pair| pair[0] < pair[1]);
        if !(1..=MAX_PRICES).contains(&self.prices.len()) || !inside || !ordered {
            return Err(ObjectiveError::Prices);
        }
        let allowed = self.prices[0]..=self.prices[self.prices.len() - 1];
        if self.fallback.is_some_and(|price| !allowed.contains(&price)) {
            return Err(ObjectiveError::Fallback);
        }
        if !(0.5..=0.999).contains(&self.confidence) {
            return Err(ObjectiveError::Confidence);
        }
        match self.earns {
            Earns::Margin { cost } if !cost.is_finite() => Err(ObjectiveError::Cost),
            _ => Ok(()),
        }
    }

    /// Whether outcomes are taken to fall with the price where prices are chosen: demand does, and so does what
    /// is said to. What is promised takes that for granted only if it was said.
    pub(super) fn falls(&self) -> bool {
        self.monotone || matches!(self.earns, Earns::Margin { .. })
    }

    /// What one unit of outcome earns at a price.
    pub fn margin(&self, price: f64) -> f64 {
        match self.earns {
            Earns::Outcome => 1.0,
            Earns::Margin { cost } => price - cost,
        }
    }
}
