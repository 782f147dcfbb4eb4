//! Demands by name, and what all names share.

use std::fmt;
use std::str::FromStr;

use super::{Curve, MarketError};

/// What kind of demand a market has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// A curve.
    Curve(Curve),
    /// The construction of the paper's lower bound.
    LowerBound,
}

impl Demand {
    /// All of them.
    pub const ALL: [Demand; 4] = [
        Demand::Curve(Curve::Logit),
        Demand::Curve(Curve::Linear),
        Demand::Curve(Curve::Kinked),
        Demand::LowerBound,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Demand::Curve(curve) => curve.name(),
            Demand::LowerBound => "lower-bound",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            Demand::Curve(Curve::Logit) => "demand falls smoothly around a price that moves with the context",
            Demand::Curve(Curve::Linear) => "demand falls in a line to a price that moves with the context",
            Demand::Curve(Curve::Kinked) => "demand breaks off at a price that moves with the context",
            Demand::LowerBound => {
                "the paper's hardest case: bumps of the reward at one price, up or down at random, in contexts the log has few of"
            }
        }
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Demand {
    type Err = MarketError;
    fn from_str(name: &str) -> Result<Demand, MarketError> {
        one_of("demand", &Demand::ALL, Demand::name, name)
    }
}

/// The one with the name.
pub(super) fn one_of<T: Copy>(
    what: &'static str,
    all: &[T],
    name: fn(T) -> &'static str,
    got: &str,
) -> Result<T, MarketError> {
    all.iter().copied().find(|&one| name(one) == got).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&one| name(one)).collect();
        unknown(what, &names.join(", "), got)
    })
}

pub(super) fn unknown(what: &'static str, names: &str, got: &str) -> MarketError {
    MarketError::Unknown { what, names: names.to_string(), got: got.to_string() }
}
