//! What a user wants of a policy, before the log says what its market is.

use reticent_learn::pricing::{Earns, Objective};
use reticent_protocol::pricing::{Prices, Terms};

use super::{Asked, PolicyFileError};

/// What is left open follows from the log.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// What to earn; revenue where outcomes lie between 0 and 1 and so are sales, the outcome itself otherwise.
    pub earns: Option<Earns>,
    /// The prices to choose from, in any order; all of the log's list, or even steps over its range, if empty.
    pub prices: Vec<f64>,
    /// No price below this.
    pub min: Option<f64>,
    /// No price above this.
    pub max: Option<f64>,
    /// How sure to be; 0.95 if none.
    pub confidence: Option<f64>,
    /// Whether outcomes never grow with the price.
    pub monotone: bool,
    /// The price where nothing is known to earn anything.
    pub fallback: Option<f64>,
    /// What prices must keep to.
    pub asked: Asked,
}

/// A log does not say what its outcomes are, but a sale lies between 0 and 1.
pub(super) fn usual(terms: &Terms) -> Earns {
    let range = terms.outcome();
    if range.low() >= 0.0 && range.high() <= 1.0 { Earns::Margin { cost: 0.0 } } else { Earns::Outcome }
}

impl Wish {
    /// The objective in a market, checked.
    pub(super) fn objective(&self, terms: &Terms) -> Result<Objective, PolicyFileError> {
        let mut objective = Objective::new(terms, self.earns.unwrap_or_else(|| usual(terms)));
        objective.prices = self.choice(terms, objective.prices)?;
        objective.confidence = self.confidence.unwrap_or(objective.confidence);
        objective.monotone = self.monotone;
        objective.fallback = self.fallback;
        objective.check(terms)?;
        if let (Some(price), Some(rounding)) = (self.fallback, &self.asked.rounding)
            && !rounding.holds(price)
        {
            return Err(PolicyFileError::RoundFallback { rounding: rounding.to_string() });
        }
        Ok(objective)
    }

    fn choice(&self, terms: &Terms, usual: Vec<f64>) -> Result<Vec<f64>, PolicyFileError> {
        let (low, high) = (terms.prices().low(), terms.prices().high());
        let (min, max) = (self.min.unwrap_or(low), self.max.unwrap_or(high));
        let mut prices = match terms.prices() {
            _ if !self.prices.is_empty() => self.prices.clone(),
            // Bounds narrower than the range: as many steps between them.
            Prices::Range(..) if (min > low || max < high) && min <= max => {
                let (min, max, last) = (min.max(low), max.min(high), (usual.len() - 1) as f64);
                (0..usual.len()).map(|i| min + (max - min) * i as f64 / last).collect()
            }
            _ => usual,
        };
        if let Some(rounding) = &self.asked.rounding {
            prices = match terms.prices() {
                Prices::Range(..) if self.prices.is_empty() => {
                    rounding.prices((min.max(low), max.min(high)), &prices)
                }
                _ => prices.into_iter().filter(|price| rounding.holds(*price)).collect(),
            };
            if prices.is_empty() {
                return Err(PolicyFileError::NoRounded { rounding: rounding.to_string() });
            }
        }
        // Only what the user excludes is left out: a price that the log does not have is refused later.
        prices.retain(|price| {
            self.min.is_none_or(|min| *price >= min) && self.max.is_none_or(|max| *price <= max)
        });
        prices.sort_by(f64::total_cmp);
        prices.dedup();
        if prices.is_empty() { Err(PolicyFileError::NoPrice) } else { Ok(prices) }
    }
}

/// What a policy earns, in a word.
pub fn earned(objective: &Objective) -> &'static str {
    match objective.earns {
        Earns::Outcome => "outcome",
        Earns::Margin { cost: 0.0 } => "revenue",
        Earns::Margin { .. } => "profit",
    }
}
