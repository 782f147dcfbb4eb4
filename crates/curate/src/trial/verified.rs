//! Whether a trial's file is what was written: every line's checksum, every step's fit, and that each arm was
//! possible. It needs the bytes alone, and changes nothing.

use reticent_privacy::Provenance;
use reticent_store::{Head, Journal, Memory};

use super::books::Books;
use super::durable::{KIND, first, replay};
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
}

/// Reads a trial's file to its end. A line that was changed, moved, removed or put in between is damage, and so
/// is a step that does not fit those before it.
pub fn verify(bytes: Vec<u8>) -> Result<Verified, TrialError> {
    let (journal, lines) = Journal::over(Memory::new(bytes), KIND, None)?;
    let mut lines = lines.into_iter();
    let (spec, noise) = first(lines.next())?;
    let mut books = Books::new(spec, noise);
    let mut patients = std::collections::BTreeMap::new();
    for (number, line) in lines.enumerate() {
        replay(&mut books, &mut patients, line).ok_or(TrialError::Damaged(number + 2))?;
    }
    Ok(Verified { release: books.release().clone(), head: journal.head(), noise })
}
