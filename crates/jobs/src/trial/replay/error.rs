//! Why a replay cannot be run. Places are named, values never: they belong to people.

use reticent_curate::trial::TrialError;
use reticent_privacy::EntropyError;

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
    #[error("{file}, line {line}: {message}")]
    Syntax { file: String, line: usize, message: String },
    /// The plan cannot be carried out.
    #[error("{file}: {problem}")]
    Draft { file: String, problem: String },
    /// The table does not fit the plan.
    #[error("{file}: {fault}; nothing was assigned")]
    Data { file: String, fault: RowFault },
    /// A step of the trial.
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// No entropy, no noise.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// Somebody asked it to stop.
    #[error("stopped after {enrolled} people")]
    Interrupted { enrolled: u64 },
}

/// What is wrong in a table. Rows are counted from 1 after the header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are places")]
#[non_exhaustive]
pub enum RowFault {
    #[error("the header has no column `{column}`, which the plan names")]
    NoColumn { column: String },
    #[error("the header has more than one column `{column}`")]
    RepeatedColumn { column: String },
    #[error("row {row}: {got} columns where the header has {expected}")]
    Ragged { row: u64, expected: usize, got: usize },
    #[error("row {row}, column `{column}`: not one of the levels that the plan declares")]
    Level { row: u64, column: String },
    #[error("row {row}, column `{column}`: not one of `arm_values`")]
    Arm { row: u64, column: String },
    #[error("row {row}, column `{column}`: not a number")]
    NotANumber { row: u64, column: String },
    #[error(
        "row {row}, column `{column}`: outside the range that the plan declares (`outcome.low` to `outcome.high`, and only these two if it is binary)"
    )]
    OutOfRange { row: u64, column: String },
    #[error("there are no rows")]
    NoRows,
    #[error("there are more than {} rows", u32::MAX)]
    TooManyRows,
}
