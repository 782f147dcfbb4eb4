//! Why a journal cannot be used.

use std::io;

/// Why a journal cannot be used. No message contains what a line says.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Another process has the file open.
    #[error("the file is in use by another process; close it there first")]
    Locked,
    /// The file cannot be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// Not only its owner can read the file, and this could not be changed.
    #[error(
        "other users can read or change the file, and this could not be forbidden: {0}; its owner must \
         (`chmod 600`), on a disk that keeps permissions"
    )]
    OpenToOthers(io::Error),
    /// A write failed earlier.
    #[error("an earlier write failed; open the file again before you go on")]
    Broken,
    /// A line that is not of this kind of journal.
    #[error("the file is damaged at line {line}; restore it from a copy that is not older than its last use")]
    Corrupt {
        /// The line's number, from 1.
        line: usize,
    },
}
