//! `nw-lcb`: prices learnt from raw sales (equations (2) and (3), Algorithm 2 of offline dynamic pricing
//! under covariate shift and local differential privacy). **Not private**: a baseline. Whoever sees its
//! quotes learns about single sales.
//!
//! A price is as good as the mean reward of the sales near it, less a radius and a bias, and [`NwLcb::quote`]
//! gives the smallest of the best prices. What the text leaves open:
//!
//! - A sale is near a context x if |X - x| <= h on each axis, and near a price t if max(0, p - h) <= t <=
//!   min(1, p + h), both in floating point. So a sale counts at the breakpoints it makes itself, whatever the
//!   rounding.
//! - Equation (3) asks for the smallest maximiser, which need not exist: where a sale stops being near, the
//!   objective jumps just after a breakpoint. As in Algorithm 2 the prices compared are the breakpoints of
//!   all sales, whether or not these are near the context.
//! - Where no sale is near the estimator is 0, and elsewhere it may be negative: an unexplored price is
//!   preferred to a badly explored one. This is kept as published; [`Quote::lower`] tells.
//! - Rewards are rounded to the grid of 2^-30, so that sums are exact and do not depend on the order of the sales.

mod best;
mod candidates;
mod cells;
mod error;
mod index;
mod objective;
mod pieces;
mod ranks;
mod sales;
mod search;
mod sweep;
mod table;
#[cfg(test)]
mod tests;

pub use error::PricingError;
use index::{Index, Shape};
pub use sales::{Sales, Smoothness};

/// The non-private pricing policy, with an index that makes a quote take far less than a look at all sales.
///
/// ```
/// use reticent_baselines::nw_lcb::raw::{NwLcb, Sales, Smoothness};
/// let contexts: Vec<f64> = (0..1000).map(|i| f64::from(i) / 1000.0).collect();
/// let prices = vec![0.25; 1000];
/// let sales = Sales { dims: 1, contexts: &contexts, prices: &prices, rewards: &[1.0; 1000] };
/// let policy = NwLcb::new(&sales, Smoothness { bandwidth: 0.25, holder: 0.5, beta: 1.0 })?;
/// let quote = policy.quote(&[0.5])?;
/// assert_eq!(quote.price, 0.0, "the smallest price that the sales are near to");
/// assert!(quote.lower.is_some_and(|lower| lower > 0.6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NwLcb {
    dims: usize,
    index: Index,
}

/// What to ask of a person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quote {
    /// The price in [0, 1].
    pub price: f64,
    /// The pessimistic mean reward of the price; none where no sale is near, so that nothing is known.
    pub lower: Option<f64>,
}

impl NwLcb {
    /// Learns from all sales.
    pub fn new(sales: &Sales<'_>, smoothness: Smoothness) -> Result<NwLcb, PricingError> {
        sales.check()?;
        smoothness.check()?;
        let shape = Shape::of(sales.prices.len(), sales.dims);
        Ok(NwLcb { dims: sales.dims, index: Index::new(sales, smoothness, shape) })
    }

    /// The smallest of the best prices for a context.
    pub fn quote(&self, context: &[f64]) -> Result<Quote, PricingError> {
        if context.len() != self.dims || !context.iter().all(|x| (0.0..=1.0).contains(x)) {
            return Err(PricingError::Context(self.dims));
        }
        let best = self.index.best(context);
        let price = self.index.candidates.prices[best.candidate as usize];
        Ok(Quote { price, lower: best.seen.then_some(best.value) })
    }
}
