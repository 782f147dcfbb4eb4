//! What an instance is made of.

use serde::{Deserialize, Serialize};

use crate::pricing::market::MarketError;
use crate::pricing::market::error::{check, check_alpha, check_zeta};
use crate::pricing::market::spec::check_dims;

/// An instance of the lower bound's construction. What is left out of the stored form is as in the default.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LowerBoundSpec {
    /// Coordinates of a context.
    pub dims: usize,
    /// Half the side of a cell, r: at most 0.45.
    pub radius: f64,
    /// The reward's smoothness, in (0, 1].
    pub beta: f64,
    /// The constant of that smoothness, `C_H`.
    pub holder: f64,
    /// The transfer exponent.
    pub alpha: f64,
    /// The constant of transfer, `C_alpha`: in (0, 1].
    pub transfer: f64,
    /// How much the log explores the bumps' price.
    pub zeta: f64,
    /// Signs of the bumps and their price are drawn from it.
    pub seed: u64,
}

impl Default for LowerBoundSpec {
    fn default() -> LowerBoundSpec {
        LowerBoundSpec {
            dims: 1,
            radius: 0.1,
            beta: 1.0,
            holder: 1.0,
            alpha: 1.0,
            transfer: 1.0,
            zeta: 0.5,
            seed: 0,
        }
    }
}

impl LowerBoundSpec {
    /// The same with the radius that is hardest for a log of so many records: (zeta n)^(-1 / (d + 1 + 2 beta + alpha)).
    #[must_use]
    pub fn hardest(self, records: u64) -> LowerBoundSpec {
        let power = self.dims as f64 + 1.0 + 2.0 * self.beta + self.alpha;
        LowerBoundSpec { radius: libm::pow(self.zeta * records as f64, -1.0 / power), ..self }
    }

    pub(super) fn check(&self) -> Result<(), MarketError> {
        let LowerBoundSpec { dims, radius, beta, holder, alpha, transfer, zeta, seed: _ } = *self;
        check_dims(dims)?;
        check("radius", "a finite number above 0", radius, radius.is_finite() && radius > 0.0)?;
        check("beta", "above 0 and at most 1", beta, beta > 0.0 && beta <= 1.0)?;
        check("holder", "a finite number above 0", holder, holder.is_finite() && holder > 0.0)?;
        check_alpha(alpha)?;
        let range = "above 0 and at most 1, or the log's density (23) is negative";
        check("transfer", range, transfer, transfer > 0.0 && transfer <= 1.0)?;
        check_zeta(zeta)
    }
}
