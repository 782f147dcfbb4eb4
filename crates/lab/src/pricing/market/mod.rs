//! Markets in which what a price earns is known: to draw a log from, and to measure what a price policy loses.
//!
//! A record of a log has a context in [0, 1]^d from the source market P, a price in [0, 1] that the logging
//! policy drew and an outcome of 0 or 1. Policies are measured on contexts from the target market Q. What a
//! price earns in a context is the same in both (covariate shift).

mod contexts;
mod curve;
mod error;
mod exam;
mod logging;
mod lower_bound;
mod name;
mod outcome;
mod smooth;
mod spec;
#[cfg(test)]
mod tests;

use reticent_privacy::SimRng;
use serde::{Deserialize, Serialize};

pub use contexts::{Source, Target};
pub use curve::{Curve, SCALE};
pub use error::MarketError;
pub use exam::Exam;
pub use logging::Logging;
pub use lower_bound::LowerBoundSpec;
pub use name::Demand;
pub use outcome::{Best, Logged, OutcomeKind};
pub use spec::{CurveSpec, MAX_DIMS, MarketSpec};

use lower_bound::LowerBound;
use smooth::Smooth;

/// A market with its log, and the market that prices are for.
///
/// ```
/// use reticent_lab::pricing::market::{CurveSpec, Market};
/// let market = Market::new(CurveSpec::default())?;
/// let best = market.best(&[0.5]);
/// assert!(market.revenue(&[0.5], best.price) > market.revenue(&[0.5], best.price + 0.01));
/// # Ok::<(), reticent_lab::pricing::market::MarketError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "MarketSpec", into = "MarketSpec")]
pub struct Market(Law);

#[derive(Debug, Clone, PartialEq)]
enum Law {
    Smooth(Smooth),
    LowerBound(LowerBound),
}

/// The same call of whichever law it is.
macro_rules! of {
    ($market:expr, $law:ident => $call:expr) => {
        match &$market.0 {
            Law::Smooth($law) => $call,
            Law::LowerBound($law) => $call,
        }
    };
}

impl Market {
    /// Makes a market of a [`CurveSpec`], a [`LowerBoundSpec`] or either.
    pub fn new(spec: impl Into<MarketSpec>) -> Result<Market, MarketError> {
        Ok(Market(match spec.into() {
            MarketSpec::Curve(spec) => Law::Smooth(Smooth::new(spec)?),
            MarketSpec::LowerBound(spec) => Law::LowerBound(LowerBound::new(spec)?),
        }))
    }

    /// What it was made of.
    pub fn spec(&self) -> MarketSpec {
        of!(self, law => (*law.spec()).into())
    }

    /// What demand it has.
    pub fn kind(&self) -> Demand {
        match &self.0 {
            Law::Smooth(law) => Demand::Curve(law.spec().demand),
            Law::LowerBound(_) => Demand::LowerBound,
        }
    }

    /// How many coordinates a context has.
    pub fn dims(&self) -> usize {
        of!(self, law => law.spec().dims)
    }

    /// What the outcome of a record is.
    pub fn outcome(&self) -> OutcomeKind {
        match &self.0 {
            Law::Smooth(law) => law.spec().outcome,
            Law::LowerBound(_) => OutcomeKind::Reward,
        }
    }

    /// One record of the log: the context is put in `context`.
    ///
    /// # Panics
    /// If `context` does not have [`dims`](Market::dims) coordinates.
    #[inline]
    pub fn draw(&self, rng: &mut SimRng, context: &mut [f64]) -> Logged {
        assert_eq!(context.len(), self.dims(), "a context has as many coordinates as its market");
        of!(self, law => law.draw(rng, context))
    }

    /// A context of the target market, put in `context`.
    ///
    /// # Panics
    /// If `context` does not have [`dims`](Market::dims) coordinates.
    pub fn draw_target(&self, rng: &mut SimRng, context: &mut [f64]) {
        assert_eq!(context.len(), self.dims(), "a context has as many coordinates as its market");
        of!(self, law => law.draw_target(rng, context));
    }

    /// What a price earns on average in a context, f(x, t) in [0, 1]. A price is clipped to [0, 1].
    pub fn revenue(&self, context: &[f64], price: f64) -> f64 {
        of!(self, law => law.revenue(context, price.clamp(0.0, 1.0)))
    }

    /// The chance of a sale at a price in a context; `None` in the construction of the lower bound, which has
    /// rewards alone.
    pub fn demand(&self, context: &[f64], price: f64) -> Option<f64> {
        match &self.0 {
            Law::Smooth(law) => Some(law.sale(context, price.clamp(0.0, 1.0))),
            Law::LowerBound(_) => None,
        }
    }

    /// The best price in a context, the smallest one if there are several.
    pub fn best(&self, context: &[f64]) -> Best {
        of!(self, law => law.best(context))
    }

    /// The first of the best among given prices; `None` without a price.
    pub fn best_of(&self, context: &[f64], prices: &[f64]) -> Option<Best> {
        let mut offers = prices.iter().map(|&price| Best { price, revenue: self.revenue(context, price) });
        let first = offers.next()?;
        Some(offers.fold(first, |best, next| if next.revenue > best.revenue { next } else { best }))
    }

    /// The density of contexts in the log's market P.
    pub fn source_density(&self, context: &[f64]) -> f64 {
        of!(self, law => law.source_density(context))
    }

    /// The density of contexts in the target market Q.
    pub fn target_density(&self, context: &[f64]) -> f64 {
        of!(self, law => law.target_density(context))
    }

    /// The density with which the log has a price in a context.
    pub fn logging_density(&self, context: &[f64], price: f64) -> f64 {
        of!(self, law => law.logging_density(context, price))
    }
}

impl TryFrom<MarketSpec> for Market {
    type Error = MarketError;
    fn try_from(spec: MarketSpec) -> Result<Market, MarketError> {
        Market::new(spec)
    }
}

impl From<Market> for MarketSpec {
    fn from(market: Market) -> MarketSpec {
        market.spec()
    }
}
