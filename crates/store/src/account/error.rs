//! Why an account refuses.

use reticent_privacy::{Delta, Epsilon};

use crate::JournalError;

/// Why an account refuses.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccountError {
    /// Not enough is left.
    #[error(
        "the account's limit is epsilon {epsilon} and delta {delta}; this release would exceed it, since {spent}. Nothing was released"
    )]
    Exhausted {
        /// The limit.
        epsilon: Epsilon,
        /// The limit.
        delta: Delta,
        /// What was spent, in words.
        spent: String,
    },
    /// The file has another limit than the one asked for.
    #[error(
        "the account's file has a limit of epsilon {epsilon} and delta {delta}; a data set's budget cannot be changed, so state that one"
    )]
    OtherLimit {
        /// In the file.
        epsilon: Epsilon,
        /// In the file.
        delta: Delta,
    },
    /// The file: in use elsewhere, unreadable, damaged.
    #[error("the account's file: {0}; nothing was released")]
    Journal(#[from] JournalError),
    /// The answer could not be made. What was paid stays spent.
    #[error("the release failed after it was paid for: {0}")]
    Draw(Box<dyn std::error::Error + Send + Sync>),
}
