//! Damage in the middle of the tree's log.
//!
//! The tree takes the first thing in its log that it cannot read for the torn end of a last write, and cuts the log
//! there. After a crash that is right: one write is in flight at a time, and nobody was told that it was done. But
//! where whole writes follow the place, they were answered, and cutting would take them back in silence.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The tree's log files end so.
const ENDING: &str = "jnl";
/// A write ends with four letters, and the next one begins with a one.
const NEXT: &[u8] = b"FJL\x03\x01";

/// The logs of a folder as they are before the tree opens them; their sizes are bounded (`LOG`).
pub(super) struct Logs(Vec<(PathBuf, Vec<u8>)>);

impl Logs {
    pub(super) fn of(folder: &Path) -> io::Result<Logs> {
        let mut logs = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                logs.push((path.clone(), fs::read(path)?));
            }
        }
        Ok(Logs(logs))
    }

    /// Whether opening cut a log before writes that were whole.
    pub(super) fn lost_writes(&self) -> bool {
        self.0.iter().any(|(path, before)| is_cut_before_a_write(path, before))
    }

    /// Puts the logs back that were cut, so that whoever looks at the damage finds all that is left.
    pub(super) fn put_back(&self) -> io::Result<()> {
        let mut cut = self.0.iter().filter(|(path, before)| is_cut_before_a_write(path, before));
        cut.try_for_each(|(path, before)| fs::write(path, before))
    }
}

fn is_cut_before_a_write(path: &Path, before: &[u8]) -> bool {
    // One that is gone was sorted into files: all of it had been read.
    let Ok(left) = fs::metadata(path) else { return false };
    let cut = before.get(left.len() as usize..).unwrap_or_default();
    cut.windows(NEXT.len()).any(|bytes| bytes == NEXT)
}
