//! Why a ledger refuses.

use reticent_privacy::Exhausted;

use crate::JournalError;

/// Why the ledger refuses. No message contains an answer or a request's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The budget does not cover the charge.
    #[error(transparent)]
    Budget(#[from] Exhausted),
    /// The file: in use elsewhere, unreadable, damaged.
    #[error("the ledger's file: {0}; nothing was released")]
    Journal(#[from] JournalError),
    /// The file has another limit than the one asked for.
    #[error(
        "the ledger's file has a limit of {stored_nano} nano-epsilon, not {asked_nano}; a lifetime budget cannot be changed"
    )]
    OtherLimit {
        /// In the file.
        stored_nano: u64,
        /// Asked for.
        asked_nano: u64,
    },
    /// A retry that is not one.
    #[error("this request was made before at another loss; give the new one a name of its own")]
    OtherLoss,
    /// A reservation of another ledger, or one that a later reservation of the same request has replaced.
    #[error(
        "the reservation is not the one that this ledger waits for; its charge stays spent where it was made"
    )]
    Stale,
    /// A name that is empty or longer than 256 bytes.
    #[error("a request's name must have 1 to 256 bytes")]
    Name,
    /// The answer could not be drawn. The charge stays spent.
    #[error("the answer could not be drawn: {0}; its charge stays spent")]
    Draw(Box<dyn std::error::Error + Send + Sync>),
}
