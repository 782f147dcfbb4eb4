//! How far a journal had come, to be kept elsewhere.

use std::fmt;
use std::str::FromStr;

use super::chain::digits;

/// How far a journal has come: how many lines it has, and the random mark of the last.
///
/// Whoever keeps the newest head somewhere else, on another machine say, notices when the file is replaced by
/// an older copy: opened as "not older than" the head, such a file is refused. Without a head that cannot be
/// noticed. Marks are drawn from the operating system's entropy: a head tells nothing about what lines say,
/// and may be kept by somebody who may not read them.
///
/// ```
/// use reticent_privacy::Epsilon;
/// use reticent_store::{DurableLedger, Head};
/// # let folder = tempfile::tempdir()?;
/// # let (path, backup) = (folder.path().join("budget"), folder.path().join("backup"));
/// let one = Epsilon::new(1.0)?;
/// let mut ledger = DurableLedger::open(&path, one)?;
/// std::fs::copy(&path, &backup)?;
/// ledger.answer("survey-7", one, |_paid| Ok(vec![1]))?;
/// let kept: String = ledger.head().to_string(); // store this elsewhere
/// # drop(ledger);
/// let head: Head = kept.parse()?;
/// assert!(DurableLedger::open_not_older_than(&path, one, head).is_ok());
/// assert!(DurableLedger::open_not_older_than(&backup, one, head).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub(super) lines: u64,
    /// None as long as the last line is a plain one: the first of a file, or one of version 1.
    pub(super) mark: Option<u64>,
}

/// A text that is no head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "this is no head of a journal: it must be as it was given, a number of lines and sixteen digits (12-0123456789abcdef)"
)]
pub struct NoHead;

impl Head {
    /// How many lines the file had.
    pub fn lines(self) -> u64 {
        self.lines
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.lines)?;
        self.mark.map_or(Ok(()), |mark| write!(f, "-{}", digits(mark)))
    }
}

impl FromStr for Head {
    type Err = NoHead;

    fn from_str(text: &str) -> Result<Head, NoHead> {
        let (lines, mark) = text.split_once('-').map_or((text, None), |(lines, mark)| (lines, Some(mark)));
        let mark = mark.map(|mark| u64::from_str_radix(mark, 16)).transpose().map_err(|_| NoHead)?;
        let head = Head { lines: lines.parse().map_err(|_| NoHead)?, mark };
        // Numbers can be written in other ways, and a head that was cut short must not pass for another.
        if head.to_string() == text { Ok(head) } else { Err(NoHead) }
    }
}
