//! Why a journal cannot be used.

use std::io;
use std::time::Duration;

use reticent_privacy::EntropyError;

/// Why a journal cannot be used. No message contains what a line says.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Another process has the file open.
    #[error("the file is in use by another process{}; close it there first", waited_for(*waited))]
    Locked {
        /// For how long it was waited for.
        waited: Duration,
    },
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
    /// A version that this program does not know.
    #[error(
        "the file has version {found}, and this program reads up to version {newest}; use a later program"
    )]
    Version {
        /// In the file.
        found: u32,
        /// The newest that can be read.
        newest: u32,
    },
    /// No entropy for a line's mark.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// An older copy than the head that the caller kept, or another file.
    #[error(
        "the file is an older copy, or another file: line {line}, which was written to it, is not in it. Going on \
         would spend again what was spent since; use the newest copy"
    )]
    Older {
        /// The number of the line that was the last, from 1.
        line: u64,
    },
    /// A line that is not of this kind of journal, or not in its place.
    #[error("{}", damaged(*line))]
    Corrupt {
        /// The line's number, from 1.
        line: usize,
    },
}

fn waited_for(waited: Duration) -> String {
    if waited.is_zero() {
        String::new()
    } else {
        format!(", also after a wait of {} s", waited.as_secs_f64())
    }
}

/// Something else altogether fails at its first line: a plan, a table, another program's file.
fn damaged(line: usize) -> String {
    let restore = "restore it from a copy that is not older than its last use";
    match line {
        1 => format!(
            "the file is of another kind, or damaged at line 1: name one that was written for this, or {restore}"
        ),
        line => format!("the file is damaged at line {line}; {restore}"),
    }
}
