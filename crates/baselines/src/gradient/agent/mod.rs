//! Contextual bandits by private stochastic gradient descent, after Han, Liang, Wang and Zhang (2021),
//! Algorithm 2: `ldp-glm`, and with a hidden layer `ldp-nn`.
//!
//! Each arm has parameters of its own; one person's report moves those of all arms, so that it does not tell
//! which arm was played (their synthetic update). [`Descent`] is the server's side. Proof of privacy:
//! `guarantee.md` beside this file.

mod descent;
mod steps;
#[cfg(test)]
mod tests;

pub use descent::Descent;

/// Why a report was refused. It changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AbsorbError {
    /// A gradient at parameters that were never published.
    #[error("the report answers policy {got}, but the latest is {now}; it was not counted")]
    Version {
        /// The version named.
        got: u64,
        /// The latest version.
        now: u64,
    },
    /// An auxiliary source that the experiment does not have.
    #[error("the report names an auxiliary source that the experiment does not have; it was not counted")]
    UnknownSource,
    /// Signs where steps belong, or the other way round.
    #[error("the report's answer is of another channel than the experiment's; it was not counted")]
    WrongKind,
    /// Another number of values, or places that the experiment does not have.
    #[error("the report's gradient does not have the experiment's shape; it was not counted")]
    Shape,
}
