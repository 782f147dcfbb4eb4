//! A file of JSON lines that only grows: each is flushed to the disk before anything depends on it. Budgets
//! and trials are kept so.

mod chain;
mod error;
mod head;
mod kind;
pub(crate) mod owner;
mod storage;

use std::marker::PhantomData;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use chain::Chain;
pub use error::JournalError;
pub use head::{Head, NoHead};
pub use kind::JournalKind;
use storage::Disk;
pub use storage::{Memory, Storage};

/// Lines of one type, which must not be written as a JSON array, in a file that is locked against other
/// processes, or in a [`Storage`] of the caller's.
///
/// Each line after the first carries a checksum of all bytes before it: a line that was removed, moved,
/// edited or put in between is [`JournalError::Corrupt`]. This notices accidents, not a forger, who can
/// compute checksums anew. Lines that are missing at the end, as in an older copy of the whole file, are
/// noticed only by a caller who kept the [`Head`] elsewhere
/// ([`open_not_older_than`](Journal::open_not_older_than)).
pub struct Journal<L> {
    storage: Box<dyn Storage>,
    chain: Chain,
    /// Lines for the next flush.
    waiting: Vec<u8>,
    /// A write failed: what the disk holds is unknown until the file is read again.
    broken: bool,
    lines: PhantomData<fn(L)>,
}

/// Without the file, whose name may be a person's.
impl<L> std::fmt::Debug for Journal<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines = self.chain.head().lines();
        f.debug_struct("Journal").field("lines", &lines).field("broken", &self.broken).finish_non_exhaustive()
    }
}

impl<L: Serialize + DeserializeOwned> Journal<L> {
    /// Opens or creates the file and reads what it holds. One of another kind is left as it is. An unfinished
    /// last line was never acknowledged: it is cut off. A file that other users may read is closed to them.
    pub fn open(path: &Path, kind: JournalKind) -> Result<(Journal<L>, Vec<L>), JournalError> {
        Journal::open_after(path, kind, None, Duration::ZERO)
    }

    /// The same, but if another process has the file open, waits for so long at the most. Those who wait get
    /// it one after the other.
    pub fn open_waiting(
        path: &Path,
        kind: JournalKind,
        patience: Duration,
    ) -> Result<(Journal<L>, Vec<L>), JournalError> {
        Journal::open_after(path, kind, None, patience)
    }

    /// The same for a file that has come at least as far as `head`, which was kept elsewhere; an older copy
    /// is refused, and no file is made.
    pub fn open_not_older_than(
        path: &Path,
        kind: JournalKind,
        head: Head,
    ) -> Result<(Journal<L>, Vec<L>), JournalError> {
        Journal::open_after(path, kind, Some(head), Duration::ZERO)
    }

    fn open_after(
        path: &Path,
        kind: JournalKind,
        head: Option<Head>,
        patience: Duration,
    ) -> Result<(Journal<L>, Vec<L>), JournalError> {
        let mut disk = Disk::open(path, head.is_none(), patience)?;
        let found = Found::read(&mut disk, kind, head)?;
        disk.close_to_others()?;
        found.settle(Box::new(disk))
    }

    /// The same for lines in a storage of the caller's, which no other process may use meanwhile.
    pub fn over(
        mut storage: impl Storage + 'static,
        kind: JournalKind,
        head: Option<Head>,
    ) -> Result<(Journal<L>, Vec<L>), JournalError> {
        Found::read(&mut storage, kind, head)?.settle(Box::new(storage))
    }

    /// Appends one line; when this returns it is on the disk, and so are all lines before it.
    pub fn append(&mut self, line: &L) -> Result<(), JournalError> {
        self.append_later(line)?;
        self.flush()
    }

    /// Appends one line that is on the disk when [`flush`](Journal::flush) returns, and not before: many lines
    /// cost one flush. Nothing may depend on it until then; dropped before, it was never there.
    pub fn append_later(&mut self, line: &L) -> Result<(), JournalError> {
        if self.broken {
            return Err(JournalError::Broken);
        }
        let said = serde_json::to_vec(line).map_err(|_| JournalError::Broken)?;
        self.waiting.extend(self.chain.write(&said)?);
        Ok(())
    }

    /// Puts every line on the disk that waits for it.
    pub fn flush(&mut self) -> Result<(), JournalError> {
        if self.broken {
            return Err(JournalError::Broken);
        }
        if self.waiting.is_empty() {
            return Ok(());
        }
        // Until the lines are known to be on the disk, assume the worst.
        self.broken = true;
        self.storage.append(&self.waiting)?;
        self.waiting.clear();
        self.broken = false;
        Ok(())
    }

    /// How far the file has come, with lines that wait for a flush. Whoever keeps the newest head elsewhere can
    /// tell an older copy of the file.
    pub fn head(&self) -> Head {
        self.chain.head()
    }
}

/// What a storage holds, before anything is changed.
struct Found<L> {
    chain: Chain,
    lines: Vec<L>,
    /// Bytes of whole lines.
    whole: u64,
}

impl<L: DeserializeOwned> Found<L> {
    fn read(
        storage: &mut impl Storage,
        kind: JournalKind,
        head: Option<Head>,
    ) -> Result<Found<L>, JournalError> {
        let bytes = storage.read()?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (lines, torn) = bytes.split_at(whole);
        let (chain, lines) = read_lines(lines, kind, head)?;
        let start = kind.start();
        if lines.is_empty() && !start.as_bytes().starts_with(&torn[..torn.len().min(start.len())]) {
            return Err(JournalError::Corrupt { line: 1 });
        }
        Ok(Found { chain, lines, whole: whole as u64 })
    }

    fn settle(self, mut storage: Box<dyn Storage>) -> Result<(Journal<L>, Vec<L>), JournalError> {
        storage.settle(self.whole)?;
        let (chain, waiting) = (self.chain, Vec::new());
        let journal = Journal { storage, chain, waiting, broken: false, lines: PhantomData };
        Ok((journal, self.lines))
    }
}

fn read_lines<L: DeserializeOwned>(
    bytes: &[u8],
    kind: JournalKind,
    head: Option<Head>,
) -> Result<(Chain, Vec<L>), JournalError> {
    let (mut chain, mut lines) = (Chain::default(), Vec::new());
    let mut is_met = head.is_none_or(|head| head == chain.head());
    let mut version = None;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if lines.is_empty() {
            version = kind.version_of(line)?;
        }
        let said = chain.read(line).and_then(|said| serde_json::from_slice(said).ok());
        lines.push(said.ok_or(JournalError::Corrupt { line: lines.len() + 1 })?);
        is_met |= head == Some(chain.head());
    }
    // Only files that version 1 began have further lines without a checksum.
    if version.is_some_and(|version| version > 1) && chain.plain_lines() > 1 {
        return Err(JournalError::Corrupt { line: 2 });
    }
    match head {
        Some(head) if !is_met => Err(JournalError::Older { line: head.lines() }),
        _ => Ok((chain, lines)),
    }
}
