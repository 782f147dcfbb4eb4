//! Why a world could not be made.

use super::data::{DataFault, MAX_LABELS};
use super::law::NAMES;
use super::{MAX_ARMS, MAX_DIMS};
use reticent_jobs::columns::ColumnsError;
use reticent_store::files::FileError;

/// Why a world, or its sources, could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// Neither a built-in name nor `data:`.
    #[error("no world is called {0:?}; use one of {names}, or data:FILE.csv", names = NAMES.join(", "))]
    Unknown(String),
    /// A number of coordinates out of range.
    #[error("a context has between 1 and {MAX_DIMS} coordinates, got {0}")]
    Dims(usize),
    /// A number of arms out of range.
    #[error("a made-up world has between 2 and {MAX_ARMS} arms, got {0}")]
    Arms(u32),
    /// The symmetric world with other than two arms.
    #[error("the symmetric world has 2 arms, got {0}; leave the number of arms out")]
    TwoArms(u32),
    /// Dimensions or arms of a world that has its own.
    #[error("{0} has its own coordinates and arms; leave both out")]
    FixedWorld(String),
    /// Sources for a world that has none.
    #[error("sources are made up for the exponential worlds and the symmetric one alone")]
    NoMadeUpSources,
    /// Dimensions or arms asked of a file.
    #[error("the file decides on coordinates and arms; leave both out")]
    FileDecides,
    /// A target group asked of a made-up world.
    #[error("{0} has no groups; only data:FILE.csv takes a target group")]
    NoGroups(String),
    /// Source specs for data.
    #[error(
        "the sources of a data world are its other groups; name a target group instead of specifying sources"
    )]
    SourcesAreGroups,
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The table cannot be read.
    #[error(transparent)]
    Columns(#[from] ColumnsError),
    /// The file is wrong.
    #[error("{file}: {fault}")]
    Data {
        /// The file's name.
        file: String,
        /// What is wrong in it.
        fault: DataFault,
    },
}

/// The labels that a file may hold, in words.
pub(super) fn label_range() -> String {
    format!("a whole number from 0 to {}", MAX_LABELS - 1)
}
