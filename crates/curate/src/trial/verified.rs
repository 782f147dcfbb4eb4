//! Whether a trial's file is what was written: every line's checksum, every step's fit, and that each arm was
//! possible. It needs the bytes alone, and changes nothing.

use reticent_privacy::Provenance;
use reticent_store::{Head, Journal, Memory};

use super::lines::{KIND, Reading, Times};
use super::{Release, TrialError};

/// A file that holds together.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// What anybody may see of the trial.
    pub release: Release,
    /// How far the file has come: compare it with the head that was kept elsewhere.
    pub head: Head,
    /// Where its noise comes from.
    pub noise: Provenance,
    /// When its lines were written and by whom: the curator's own.
    pub times: Times,
    /// Whether its last line was never finished. It was acknowledged to nobody, and is not counted.
    pub torn: bool,
}

/// Reads a trial's file to its end. A line that was changed, moved, removed or put in between is damage, and so
/// is a step that does not fit those before it.
pub fn verify(bytes: Vec<u8>) -> Result<Verified, TrialError> {
    let torn = bytes.last().is_some_and(|&byte| byte != b'\n');
    let (journal, lines) = Journal::over(Memory::new(bytes), KIND, None)?;
    let Reading { books, times, noise, .. } = Reading::of(lines)?;
    Ok(Verified { release: books.release().clone(), head: journal.head(), noise, times, torn })
}
