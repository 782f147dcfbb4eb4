//! What a market's log is about: contexts, prices, outcomes.

use serde::{Deserialize, Serialize};

use super::Prices;
use reticent_schema::{AxisKind, Encoding, Range};

/// More finest cells than this make a fit slow: at most ten numeric axes, fewer with categories.
pub const MAX_FINEST: usize = 1 << 16;
/// More levels of a category than this have too few records each, and take a fit too long.
const MAX_CELLS: u32 = 64;

/// A market as all parties know it. Public.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Terms {
    context: Encoding,
    prices: Prices,
    outcome: Range,
}

/// Why terms were refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TermsError {
    /// An invalid range.
    #[error("the outcome range needs finite ends with low below high")]
    Outcome,
    /// Too much to tell apart.
    #[error(
        "contexts with so many axes or levels cannot be told apart by any log; use at most ten numeric axes (a projection is one) and 64 levels of a category"
    )]
    Axes,
}

/// Cuts of a numeric context axis, finest last, by the number of axes: the finest cells of all axes together stay few.
fn cuts(axes: usize) -> &'static [u32] {
    match axes {
        0 | 1 => &[1, 2, 3, 4, 6, 8, 12, 24],
        2 => &[1, 2, 3, 4, 6, 12],
        3 => &[1, 2, 3, 6],
        4 | 5 => &[1, 3],
        _ => &[1, 2],
    }
}

impl Terms {
    /// Checks the outcome's range and the number of cells.
    pub fn new(context: Encoding, prices: Prices, outcome: Range) -> Result<Terms, TermsError> {
        if !sensible(outcome.low(), outcome.high()) {
            return Err(TermsError::Outcome);
        }
        let terms = Terms { context, prices, outcome };
        let cells = terms.finest().iter().try_fold(1_usize, |p, &size| p.checked_mul(size as usize));
        let few = terms.finest().iter().all(|&size| size <= MAX_CELLS);
        if few && cells.is_some_and(|cells| cells <= MAX_FINEST) { Ok(terms) } else { Err(TermsError::Axes) }
    }

    /// How contexts are encoded.
    pub fn context(&self) -> &Encoding {
        &self.context
    }

    /// The prices of the log.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// Where outcomes lie; others are clipped on the device.
    pub fn outcome(&self) -> Range {
        self.outcome
    }

    /// How many axes a record has: those of the context, then the price.
    pub fn axes(&self) -> usize {
        self.context.dimension() + 1
    }

    /// The finest cells of each axis: every question's parts are unions of them.
    pub fn finest(&self) -> Vec<u32> {
        (0..self.axes()).map(|axis| self.cuts(axis).into_iter().max().unwrap_or(1)).collect()
    }

    /// Into how many parts a question may cut an axis, in increasing order.
    pub fn cuts(&self, axis: usize) -> Vec<u32> {
        match self.context.axes().nth(axis).map(|view| view.kind) {
            Some(AxisKind::Numeric) => cuts(self.context.dimension()).to_vec(),
            Some(AxisKind::Category(levels)) => divisors(levels as u32),
            None => match &self.prices {
                Prices::Range(..) => cuts(1).to_vec(),
                // Parts of a list may differ by one price: each still consists of whole prices.
                Prices::Points(points) => (1..=points.len() as u32).collect(),
            },
        }
    }
}

/// Whether numbers of a range, their differences and the inverses of these stay far from overflow.
pub(super) fn sensible(low: f64, high: f64) -> bool {
    low.abs().max(high.abs()) <= 1e100 && high - low >= 1e-100
}

/// What cuts levels evenly.
fn divisors(levels: u32) -> Vec<u32> {
    (1..=levels).filter(|parts| levels.is_multiple_of(*parts)).collect()
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    context: Encoding,
    prices: Prices,
    outcome: Range,
}

impl From<Terms> for Raw {
    fn from(terms: Terms) -> Raw {
        let Terms { context, prices, outcome } = terms;
        Raw { context, prices, outcome }
    }
}

impl TryFrom<Raw> for Terms {
    type Error = TermsError;
    fn try_from(raw: Raw) -> Result<Terms, TermsError> {
        Terms::new(raw.context, raw.prices, raw.outcome)
    }
}
