//! The prices that a log can contain.

use serde::{Deserialize, Serialize};

use super::terms::sensible;

/// More prices than this are a range.
pub const MAX_POINTS: usize = 64;

/// Either every price between two ends, or a list.
///
/// Declaring the list matters: where prices lie between its points is then known, and nothing has to be
/// guessed about where in a coarse cell the log's prices are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub enum Prices {
    /// All prices from the first to the second.
    Range(f64, f64),
    /// These, in increasing order.
    Points(Vec<f64>),
}

/// Why prices were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PricesError {
    /// Ends that are no range.
    #[error("the price range needs finite ends with low below high, not too far apart")]
    Range,
    /// An invalid list.
    #[error("a list of prices has 2 to {MAX_POINTS} finite prices in increasing order")]
    Points,
}

impl Prices {
    /// All prices from `low` to `high`.
    pub fn range(low: f64, high: f64) -> Result<Prices, PricesError> {
        let fits = low < high && sensible(low, high);
        if fits { Ok(Prices::Range(low, high)) } else { Err(PricesError::Range) }
    }

    /// These prices alone.
    pub fn points(points: Vec<f64>) -> Result<Prices, PricesError> {
        let ordered = points.windows(2).all(|pair| pair[0] < pair[1]);
        let finite = points.iter().all(|price| price.is_finite());
        let fits = (2..=MAX_POINTS).contains(&points.len()) && ordered && finite;
        let width = points.last().zip(points.first()).map_or(f64::NAN, |(last, first)| last - first);
        if fits && width >= 0.0 && sensible(points[0], points[points.len() - 1]) {
            Ok(Prices::Points(points))
        } else {
            Err(PricesError::Points)
        }
    }

    /// The lowest price.
    pub fn low(&self) -> f64 {
        match self {
            Prices::Range(low, _) => *low,
            Prices::Points(points) => points[0],
        }
    }

    /// The highest price.
    pub fn high(&self) -> f64 {
        match self {
            Prices::Range(_, high) => *high,
            Prices::Points(points) => points[points.len() - 1],
        }
    }

    /// Is this one of the prices?
    pub fn holds(&self, price: f64) -> bool {
        match self {
            Prices::Range(low, high) => (*low..=*high).contains(&price),
            Prices::Points(points) => points.contains(&price),
        }
    }

    /// The place in [0, 1] of the nearest price: along the range, or in the middle of the i-th of equal cells
    /// for the i-th of a list.
    #[inline]
    pub fn unit(&self, price: f64) -> f64 {
        match self {
            Prices::Range(low, high) => ((price - low) / (high - low)).clamp(0.0, 1.0),
            Prices::Points(points) => {
                // The midpoints below the price, counted over the whole list: the time does not tell the price.
                let is_past = |pair: &[f64]| price - pair[0] > pair[1] - price;
                let nearest: usize = points.windows(2).map(|pair| usize::from(is_past(pair))).sum();
                (nearest as f64 + 0.5) / points.len() as f64
            }
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Raw {
    Range([f64; 2]),
    Points(Vec<f64>),
}

impl From<Prices> for Raw {
    fn from(prices: Prices) -> Raw {
        match prices {
            Prices::Range(low, high) => Raw::Range([low, high]),
            Prices::Points(points) => Raw::Points(points),
        }
    }
}

impl TryFrom<Raw> for Prices {
    type Error = PricesError;
    fn try_from(raw: Raw) -> Result<Prices, PricesError> {
        match raw {
            Raw::Range([low, high]) => Prices::range(low, high),
            Raw::Points(points) => Prices::points(points),
        }
    }
}
