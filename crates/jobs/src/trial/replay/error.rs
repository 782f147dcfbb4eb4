//! Why a replay cannot be run. Places are named, values never: they belong to people.

use reticent_curate::trial::TrialError;
use reticent_privacy::EntropyError;

use crate::columns::ColumnsError;
use crate::plan_text::PlanFault;
use reticent_store::accounts::AccountsError;
use reticent_store::files::FileError;

/// Why a replay cannot be run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are places")]
#[non_exhaustive]
pub enum ReplayError {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The plan's file is not what it should be.
    #[error("{file}: {fault}")]
    Syntax { file: String, fault: PlanFault },
    /// The plan cannot be carried out.
    #[error("{file}: {problem}")]
    Draft { file: String, problem: String },
    /// The table does not fit the plan.
    #[error("{0}; nothing was assigned")]
    Data(#[from] ColumnsError),
    /// More people than can be counted here.
    #[error("there are more than {} rows; nothing was assigned", u32::MAX)]
    TooManyRows,
    /// A table of potential outcomes where one of a finished trial is needed.
    #[error(
        "a finished trial's table shows the one arm that each person got: name it by `arm_column` and `arm_values` in [replay]"
    )]
    NotRandomised,
    /// A step of the trial.
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// The account refuses, or cannot be used.
    #[error(transparent)]
    Account(#[from] AccountsError),
    /// What the account keeps is no release.
    #[error("the account's stored release cannot be read: {0}")]
    Stored(String),
    /// No entropy, no noise.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// Somebody asked it to stop.
    #[error("stopped after {enrolled} people")]
    Interrupted { enrolled: u64 },
}
