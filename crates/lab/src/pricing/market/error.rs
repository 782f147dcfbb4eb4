//! Why a market could not be made.

use super::lower_bound::{C_M, MAX_CELLS};
use super::spec::MAX_DIMS;

/// Why a market, or a part of it, could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MarketError {
    /// A name that nothing has.
    #[error("no {what} is called {got:?}; use one of {names}")]
    Unknown {
        /// What was looked for.
        what: &'static str,
        /// Its names.
        names: String,
        /// What was given.
        got: String,
    },
    /// A number of coordinates out of range.
    #[error("a context has between 1 and {MAX_DIMS} coordinates, got {0}")]
    Dims(usize),
    /// A number that is not in its range.
    #[error("{field} must be {range}, got {got}")]
    Range {
        /// What it is called.
        field: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it was.
        got: f64,
    },
    /// A radius with which not one bump has room.
    #[error(
        "the lower bound has no bump for a radius above {C_M}, got {0}; take more records or a smaller radius"
    )]
    NoBump(f64),
    /// A radius with too many bumps to store.
    #[error(
        "a radius of {radius} in {dims} coordinates makes more than {MAX_CELLS} bumps; take a larger radius"
    )]
    TooManyBumps {
        /// The radius.
        radius: f64,
        /// Coordinates of a context.
        dims: usize,
    },
}

/// Refuses what is not true of a number; NaN makes every comparison false.
pub(super) fn check(
    field: &'static str,
    range: &'static str,
    got: f64,
    right: bool,
) -> Result<(), MarketError> {
    if right { Ok(()) } else { Err(MarketError::Range { field, range, got }) }
}

/// An exponent of transfer.
pub(super) fn check_alpha(alpha: f64) -> Result<(), MarketError> {
    check("alpha", "a finite number of at least 0", alpha, alpha.is_finite() && alpha >= 0.0)
}

/// A coefficient of exploration.
pub(super) fn check_zeta(zeta: f64) -> Result<(), MarketError> {
    check("zeta", "between 0 and 1", zeta, (0.0..=1.0).contains(&zeta))
}
