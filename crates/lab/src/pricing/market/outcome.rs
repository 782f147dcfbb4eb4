//! What a record says, and what a price can bring.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::MarketError;
use super::name::one_of;

/// What the outcome of a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// A coin whose mean is what the price earns: the paper's Y.
    #[default]
    Reward,
    /// Whether there was a sale.
    Sale,
}

/// What a record has beside its context.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Logged {
    /// The price that was asked.
    pub price: f64,
    /// 0 or 1.
    pub outcome: f64,
}

/// A best price.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// The price.
    pub price: f64,
    /// What it earns on average.
    pub revenue: f64,
}

impl OutcomeKind {
    /// Both.
    pub const ALL: [OutcomeKind; 2] = [OutcomeKind::Reward, OutcomeKind::Sale];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            OutcomeKind::Reward => "reward",
            OutcomeKind::Sale => "sale",
        }
    }
}

impl fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for OutcomeKind {
    type Err = MarketError;
    fn from_str(name: &str) -> Result<OutcomeKind, MarketError> {
        one_of("outcome", &OutcomeKind::ALL, OutcomeKind::name, name)
    }
}
