//! People who forge their reports, as part of a simulated world: what a share of them does to a learner.

mod contexts;
pub(crate) mod reproduce;

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What forgers do. They know the world, the policy and the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Bandits: a one for the worst arm, whatever the policy says. Prices: every context, sold at the top price.
    /// Contexts: the task and report that say most that the worst arms are good.
    Vote,
    /// Bandits: the arm that the policy drew, a one if it is the worst and a zero if not. Prices: a sale at the top
    /// price, by the device's own noise. Contexts: the arm that the policy gave, good if it is the worst and bad if
    /// not, by the device's own noise.
    Lie,
    /// Contexts: the same lie with no noise. Bandits: as liars, who use none. Prices: as voters, who use none.
    Outright,
    /// Bandits: votes for the worst arm only where its policy has it, so that none is refused. Prices: sales spread
    /// over all prices above the best, so that demand seems never to rise. Contexts: the public coins of an honest
    /// device, and the report that, given them, says most that the worst arms are good.
    Careful,
}

/// A share of people who forge.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forgers {
    /// Their share of all people.
    pub share: f64,
    /// What they do.
    pub strategy: Strategy,
}

/// Not a share, or no strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForgersError {
    /// Not a share.
    #[error("the share of forgers must lie between 0 and 1")]
    Share,
    /// No strategy.
    #[error("no forgers do {0:?}; use vote, lie, outright or careful")]
    Strategy(String),
}

impl Forgers {
    /// A share of people with a strategy.
    pub fn new(share: f64, strategy: Strategy) -> Result<Forgers, ForgersError> {
        // Also refuses NaN.
        if (0.0..1.0).contains(&share) { Ok(Forgers { share, strategy }) } else { Err(ForgersError::Share) }
    }
}

impl Strategy {
    /// All of them.
    pub const ALL: [Strategy; 4] = [Strategy::Vote, Strategy::Lie, Strategy::Outright, Strategy::Careful];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Vote => "vote",
            Strategy::Lie => "lie",
            Strategy::Outright => "outright",
            Strategy::Careful => "careful",
        }
    }
}

impl FromStr for Strategy {
    type Err = ForgersError;
    fn from_str(name: &str) -> Result<Strategy, ForgersError> {
        let found = Strategy::ALL.into_iter().find(|strategy| strategy.name() == name);
        found.ok_or_else(|| ForgersError::Strategy(name.to_string()))
    }
}

#[cfg(test)]
mod tests;
