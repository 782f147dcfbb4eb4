//! What a policy is learnt from.

use reticent_privacy::UnitGrid;

use super::PricingError;

/// Logged sales, one after the other; all numbers are in [0, 1].
#[derive(Debug, Clone, Copy)]
pub struct Sales<'a> {
    /// How many coordinates a context has.
    pub dims: usize,
    /// The contexts, `dims` numbers a sale.
    pub contexts: &'a [f64],
    /// The prices.
    pub prices: &'a [f64],
    /// What each sale brought.
    pub rewards: &'a [f64],
}

/// Where two prices or contexts are near, and how smooth the mean reward is taken to be (Assumption 1 and
/// Proposition 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smoothness {
    /// The bandwidth h.
    pub bandwidth: f64,
    /// The Hölder constant.
    pub holder: f64,
    /// The Hölder exponent beta, in (0, 1].
    pub beta: f64,
}

const MAX_SALES: usize = 1 << 29;

impl Sales<'_> {
    pub(super) fn check(&self) -> Result<(), PricingError> {
        let sales = self.prices.len();
        if !(1..=MAX_SALES).contains(&sales) {
            return Err(PricingError::Sales(sales));
        }
        let coordinates = sales.checked_mul(self.dims);
        if self.dims == 0 || coordinates != Some(self.contexts.len()) || self.rewards.len() != sales {
            return Err(PricingError::Shape { sales, dims: self.dims });
        }
        let fits = |x: &f64| (0.0..=1.0).contains(x);
        let contexts = self.contexts.chunks_exact(self.dims);
        let bad =
            contexts.zip(self.prices.iter().zip(self.rewards)).position(|(context, (price, reward))| {
                !(context.iter().all(fits) && fits(price) && fits(reward))
            });
        bad.map_or(Ok(()), |place| Err(PricingError::Range(place)))
    }

    /// The rewards in grid steps: their sums are exact, whatever the order.
    pub(super) fn steps(&self) -> Vec<u32> {
        // Checked numbers are finite.
        self.rewards.iter().map(|&reward| UnitGrid::clip(reward).map_or(0, UnitGrid::steps)).collect()
    }
}

impl Smoothness {
    pub(super) fn check(&self) -> Result<(), PricingError> {
        let Smoothness { bandwidth, holder, beta } = *self;
        if !(bandwidth > 0.0 && bandwidth.is_finite()) {
            return Err(PricingError::Bandwidth(bandwidth));
        }
        if !(holder >= 0.0 && holder.is_finite()) {
            return Err(PricingError::Holder(holder));
        }
        if beta > 0.0 && beta <= 1.0 { Ok(()) } else { Err(PricingError::Beta(beta)) }
    }
}
