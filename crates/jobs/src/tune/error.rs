//! Why tuning stops. Places are named, values never: they belong to people.

use reticent_curate::kernel::{DraftError, ReadError, ReleaseError, Singular};
use reticent_privacy::EntropyError;
use reticent_store::accounts::AccountsError;

use crate::columns::{ColumnsError, FormatError};
use reticent_store::files::FileError;

/// Why tuning stops.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are names and counts")]
#[non_exhaustive]
pub enum TuneError {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table is not one of numbers, or not with these columns.
    #[error(transparent)]
    Columns(#[from] ColumnsError),
    /// How the table is written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The plan's file is not one.
    #[error("{file}: {message}\n`reticent tune plan --example` shows a plan")]
    PlanFile { file: String, message: String },
    /// The plan cannot be followed.
    #[error("{file}: {fault}")]
    Draft { file: String, fault: DraftError },
    /// The released function's file is not one.
    #[error("{file}: {fault}")]
    Function { file: String, fault: ReadError },
    /// The released function's file is broken.
    #[error(
        "{file}: the released function is damaged ({message}); take another copy, or fit again: that is free with the same account"
    )]
    Damaged { file: String, message: String },
    /// Nothing can be released.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// A pilot's release cannot be read.
    #[error(transparent)]
    Pilot(#[from] ReadError),
    /// The account refuses.
    #[error(transparent)]
    Account(#[from] AccountsError),
    /// The account's stored answer is none.
    #[error("the account's stored release cannot be read: {0}")]
    Stored(String),
    /// The feature map failed.
    #[error(transparent)]
    Singular(#[from] Singular),
    /// The operating system gave no entropy.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// Stopped by Ctrl-C.
    #[error("interrupted; nothing was released and nothing was spent")]
    Interrupted,
    /// Somebody writes to the log.
    #[error(
        "the log changed between two passes over it; fit when nobody writes to it. Nothing was released and nothing was spent"
    )]
    Changed,
    /// The same when the pilot was paid for.
    #[error("the log could not be read again after its pilot ({0}): what was paid stays spent")]
    AfterPayment(Box<TuneError>),
    /// A file for two purposes.
    #[error("{flag} {file}: this is the {what}; {why}")]
    SameFile { flag: &'static str, file: String, what: &'static str, why: &'static str },
    /// A context outside the declared range.
    #[error(
        "{file}: row {row}, column `{column}`: outside the range that the plan declares, so nothing was learned about it; correct the row or leave it out"
    )]
    Outside { file: String, row: u64, column: String },
    /// Values on the command line that do not fit the plan.
    #[error("{flag}: {fault}")]
    Asked { flag: &'static str, fault: String },
}

impl TuneError {
    /// The same trouble, once something is paid.
    pub(super) fn after_payment(self) -> TuneError {
        TuneError::AfterPayment(Box::new(self))
    }

    /// Whether the answer is no: the account does not allow it.
    pub fn is_refusal(&self) -> bool {
        matches!(self, TuneError::Account(error) if error.is_refusal())
    }
}
