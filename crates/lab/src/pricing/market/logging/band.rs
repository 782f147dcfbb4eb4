//! Prices of which some are rare.

use reticent_privacy::SimRng;

/// A density of `zeta` from `low` to `high` and the same larger one elsewhere in [0, 1], so that it
/// integrates to one: (24).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::pricing::market) struct Band {
    low: f64,
    high: f64,
    zeta: f64,
}

impl Band {
    /// The prices within `reach` of one, which must be less than 1/2.
    #[inline]
    pub(in crate::pricing::market) fn around(price: f64, reach: f64, zeta: f64) -> Band {
        Band { low: (price - reach).max(0.0), high: (price + reach).min(1.0), zeta }
    }

    fn elsewhere(&self) -> f64 {
        let width = self.high - self.low;
        (1.0 - self.zeta * width) / (1.0 - width)
    }

    pub(in crate::pricing::market) fn density(&self, price: f64) -> f64 {
        if (self.low..=self.high).contains(&price) { self.zeta } else { self.elsewhere() }
    }

    /// A price, by the inverse of the distribution function with the band put first.
    #[inline]
    pub(in crate::pricing::market) fn draw(&self, rng: &mut SimRng) -> f64 {
        let (width, u) = (self.high - self.low, rng.uniform());
        let inside = self.zeta * width;
        let price = if u < inside {
            self.low + u / self.zeta
        } else {
            let outside = (u - inside) / self.elsewhere();
            if outside < self.low { outside } else { outside + width }
        };
        price.min(1.0)
    }
}
