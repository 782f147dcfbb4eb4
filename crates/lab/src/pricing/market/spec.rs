//! What a market is made of.

use serde::{Deserialize, Serialize};

use super::{Curve, Logging, LowerBoundSpec, MarketError, OutcomeKind, Source, Target};

/// Most coordinates of a context.
pub const MAX_DIMS: usize = 16;

/// What a market is made of: the stored form.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarketSpec {
    /// A demand curve.
    Curve(CurveSpec),
    /// The construction of the paper's lower bound, which has contexts and prices of its own, and rewards alone.
    LowerBound(LowerBoundSpec),
}

/// A market with a demand curve. What is left out of the stored form is as in the default: logit demand of
/// one coordinate, all uniform, rewards.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CurveSpec {
    /// The chance of a sale.
    pub demand: Curve,
    /// Coordinates of a context.
    pub dims: usize,
    /// The market that prices are for.
    pub target: Target,
    /// The market of the log.
    pub source: Source,
    /// The log's prices.
    pub logging: Logging,
    /// What the log says of each.
    pub outcome: OutcomeKind,
}

impl Default for CurveSpec {
    fn default() -> CurveSpec {
        CurveSpec {
            demand: Curve::Logit,
            dims: 1,
            target: Target::Uniform,
            source: Source::Uniform,
            logging: Logging::Uniform,
            outcome: OutcomeKind::Reward,
        }
    }
}

impl CurveSpec {
    pub(super) fn check(&self) -> Result<(), MarketError> {
        check_dims(self.dims)?;
        self.source.check()?;
        self.logging.check()
    }
}

pub(super) fn check_dims(dims: usize) -> Result<(), MarketError> {
    if (1..=MAX_DIMS).contains(&dims) { Ok(()) } else { Err(MarketError::Dims(dims)) }
}

impl From<CurveSpec> for MarketSpec {
    fn from(spec: CurveSpec) -> MarketSpec {
        MarketSpec::Curve(spec)
    }
}

impl From<LowerBoundSpec> for MarketSpec {
    fn from(spec: LowerBoundSpec) -> MarketSpec {
        MarketSpec::LowerBound(spec)
    }
}
