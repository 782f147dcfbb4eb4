//! How likely a sale is at a price.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::name::one_of;
use super::{Best, MarketError};

/// The chance of a sale, given a price in [0, 1] and a score in [0, 1] that says how much someone would pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// 1 / (1 + exp(8 (t - 0.35 - 0.4 s))).
    #[default]
    Logit,
    /// 1 - t / c, or 0 above the price c = 0.8 + 0.8 s.
    Linear,
    /// 1 - t / (4 k) up to the price k = 0.3 + 0.4 s, from there 3/4 - 3 (t - k), or 0 where that is
    /// negative. Revenue has a kink at its maximum, which is k: it rises up to there and falls from there as
    /// 3 k > 3/4.
    Kinked,
}

/// Revenue is 1.6 times the price times the chance of a sale, so that it fills [0, 1] better.
pub const SCALE: f64 = 1.6;
/// How fast logit demand falls.
const SLOPE: f64 = 8.0;
/// Chance of a sale at the kink, and how fast it falls above.
const AT_KINK: f64 = 0.75;
const ABOVE_KINK: f64 = 3.0;
/// Of Newton's method: three leave an error of 1e-11, and each squares it.
const STEPS: usize = 4;

impl Curve {
    /// All of them.
    pub const ALL: [Curve; 3] = [Curve::Logit, Curve::Linear, Curve::Kinked];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Curve::Logit => "logit",
            Curve::Linear => "linear",
            Curve::Kinked => "kinked",
        }
    }

    /// The chance of a sale.
    #[inline]
    pub fn sale(self, score: f64, price: f64) -> f64 {
        match self {
            Curve::Logit => 1.0 / (1.0 + libm::exp(SLOPE * (price - middle(score)))),
            Curve::Linear => (1.0 - price / highest(score)).max(0.0),
            Curve::Kinked => {
                let kink = kink(score);
                let below = 1.0 - (1.0 - AT_KINK) * price / kink;
                below.min(AT_KINK - ABOVE_KINK * (price - kink)).max(0.0)
            }
        }
    }

    /// What the price earns: 1.6 t times the chance of a sale, clipped to [0, 1].
    #[inline]
    pub fn revenue(self, score: f64, price: f64) -> f64 {
        (SCALE * price * self.sale(score, price)).clamp(0.0, 1.0)
    }

    /// The price that earns most. Its revenue is below 1, so that clipping changes nothing there.
    pub fn best(self, score: f64) -> Best {
        match self {
            Curve::Logit => {
                // The derivative is 0 where w = 8 t - 1 solves w exp(w) = exp(8 c - 1) for the middle c;
                // demand is w / (1 + w) there.
                let w = product_log_of_exp(SLOPE * middle(score) - 1.0);
                Best { price: (1.0 + w) / SLOPE, revenue: SCALE * w / SLOPE }
            }
            Curve::Linear => {
                let price = 0.5 * highest(score);
                Best { price, revenue: SCALE * 0.5 * price }
            }
            Curve::Kinked => {
                let price = kink(score);
                Best { price, revenue: SCALE * AT_KINK * price }
            }
        }
    }
}

/// At this price logit demand is one half.
#[inline]
fn middle(score: f64) -> f64 {
    0.35 + 0.4 * score
}

/// At this price linear demand ends.
#[inline]
fn highest(score: f64) -> f64 {
    0.8 + 0.8 * score
}

/// Where kinked demand has its kink.
#[inline]
fn kink(score: f64) -> f64 {
    0.3 + 0.4 * score
}

/// The w with w + log w = z, for z of at least 1: by Newton's method from below the root, where this concave
/// function keeps it below.
#[inline]
fn product_log_of_exp(z: f64) -> f64 {
    let mut w = z - libm::log(z);
    for _ in 0..STEPS {
        w *= (1.0 + z - libm::log(w)) / (1.0 + w);
    }
    w
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Curve {
    type Err = MarketError;
    fn from_str(name: &str) -> Result<Curve, MarketError> {
        one_of("demand curve", &Curve::ALL, Curve::name, name)
    }
}
