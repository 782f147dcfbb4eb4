//! What prices earn on average, as intervals.

use reticent_learn::pricing::{Fitted, Objective, Policy, Value};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// Candidates for the best single price are compared over so many contexts of the target.
const COMPARED: usize = 2000;

/// What is earned from a person on average: an estimate with an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worth {
    /// The mean.
    pub mean: f64,
    /// The interval's lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// One price for everybody.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Single {
    /// The price.
    pub price: f64,
    /// What it earns.
    #[serde(flatten)]
    pub worth: Worth,
}

/// How many deviations a two-sided interval of a normal posterior is wide on each side.
pub(super) fn deviations(confidence: f64) -> f64 {
    Normal::standard().inverse_cdf(f64::midpoint(1.0, confidence))
}

/// A fit with the market in which prices are quoted, and how sure to be.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub(super) fitted: &'a Fitted,
    pub(super) target: Option<&'a [Vec<f64>]>,
    pub(super) objective: &'a Objective,
}

impl Judge<'_> {
    /// What a policy earns.
    pub(super) fn policy(&self, policy: &Policy) -> Worth {
        self.worth(self.fitted.value(policy, self.target))
    }

    /// What one price for everybody earns.
    pub(super) fn single(&self, price: f64) -> Single {
        Single { price, worth: self.worth(self.at(price, self.target)) }
    }

    /// The single price that a policy was chosen against; the best one by this fit if the policy has none.
    pub(super) fn own_single(&self, policy: &Policy) -> Single {
        policy.choice().map_or_else(|| self.best_single(), |choice| self.single(choice.single))
    }

    /// The price to choose from whose interval has the highest lower end; the lowest of equals.
    pub(super) fn best_single(&self) -> Single {
        let few = self.target.map(|target| {
            let step = target.len().div_ceil(COMPARED).max(1);
            target.iter().step_by(step).cloned().collect::<Vec<_>>()
        });
        let mut best = (f64::NEG_INFINITY, self.objective.prices[0]);
        for &price in &self.objective.prices {
            let low = self.worth(self.at(price, few.as_deref())).low;
            if low > best.0 {
                best = (low, price);
            }
        }
        self.single(best.1)
    }

    /// How much more a policy earns than one price for everybody.
    pub(super) fn gain(&self, policy: &Policy, single: f64) -> Worth {
        self.worth(self.fitted.gain(policy, single, self.target))
    }

    /// The mean of the prices that a policy quotes.
    pub(super) fn mean_price(&self, policy: &Policy) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (weight, point) in self.fitted.people(self.target) {
            sum += weight * policy.quote_point(&point).price;
            weights += weight;
        }
        sum / weights
    }

    fn at(&self, price: f64, target: Option<&[Vec<f64>]>) -> Value {
        self.fitted.value_of(target, |_| price, |price| self.objective.margin(price))
    }

    /// The two-sided interval at the objective's confidence, from a normal posterior.
    pub(super) fn worth(&self, value: Value) -> Worth {
        let (low, high) = value.interval(deviations(self.objective.confidence));
        Worth { mean: value.mean, low, high }
    }
}
