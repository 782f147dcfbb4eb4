//! Why there is no policy, no quote or no value. Places are named, values never: they belong to people.

use reticent_learn::pricing::{FitError, ObjectiveError, PolicyError, RulesError};

use crate::columns::{ColumnsError, FormatError};
use crate::price::PricingFileError;
use reticent_store::files::FileError;

/// Why there is no policy, no quote or no value.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are names and places")]
#[non_exhaustive]
pub enum PolicyFileError {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table is not one of numbers, or not with these columns.
    #[error(transparent)]
    Columns(#[from] ColumnsError),
    /// A log.
    #[error(transparent)]
    Logs(#[from] PricingFileError),
    /// A context outside the declared range.
    #[error(
        "{file}: row {row}, column `{column}`: outside the range that the log declared, so the log says nothing about it; correct the row or leave it out"
    )]
    Outside { file: String, row: u64, column: String },
    /// How the table is written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A context on the command line.
    #[error("--at: {0}")]
    Asked(String),
    /// What was asked for does not fit the market.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// Bounds that exclude everything.
    #[error("--min and --max leave no price to choose from")]
    NoPrice,
    /// A policy that looks at nothing.
    #[error("the policy's prices look at no context: everybody has the same, so ask with --at")]
    SeesNothing,
    /// A column for two purposes.
    #[error("the column `{column}` is a context of the market, so it is no price; name the price's column")]
    PriceIsContext { column: String },
    /// No price is so rounded.
    #[error("there are no {rounding} to choose from; widen --min and --max, or round otherwise")]
    NoRounded { rounding: String },
    /// A fallback that is not rounded.
    #[error("the fallback price is none of the {rounding}")]
    RoundFallback { rounding: String },
    /// Rules that cannot be kept.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Nothing was learned.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// No quote.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The policy's file is none.
    #[error("{file}: {fault}")]
    Stored { file: String, fault: PolicyError },
    /// The policy's file is broken.
    #[error("{file}: the policy is damaged ({message}); take another copy, or fit again")]
    Damaged { file: String, message: String },
    /// The policy's file was written by a later program.
    #[error(
        "{file}: the policy has version {got}, and this program knows up to {known}; update the program",
        known = super::stored::VERSION
    )]
    Version { file: String, got: u64 },
    /// A log of another market.
    #[error(
        "{log} and the policy {policy} were made with different market files: contexts, prices or outcomes differ, so one says nothing about the other"
    )]
    OtherMarket { log: String, policy: String },
    /// Stopped by Ctrl-C.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl PolicyFileError {
    /// Whether somebody stopped it.
    pub fn is_interrupt(&self) -> bool {
        matches!(self, PolicyFileError::Interrupted | PolicyFileError::Logs(PricingFileError::Interrupted))
    }
}
