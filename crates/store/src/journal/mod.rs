//! A file of JSON lines that only grows: each is flushed to the disk before anything depends on it. Budgets
//! and trials are kept so.

mod error;
mod owner;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use error::JournalError;

/// The open file, locked against other processes, with lines of one type.
pub struct Journal<L> {
    file: File,
    /// A write failed: what the disk holds is unknown until the file is read again.
    broken: bool,
    lines: PhantomData<fn(L)>,
}

/// Without the file, whose name may be a person's.
impl<L> std::fmt::Debug for Journal<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Journal").field("broken", &self.broken).finish_non_exhaustive()
    }
}

impl<L: Serialize + DeserializeOwned> Journal<L> {
    /// Opens or creates the file and reads what it holds. `start` is how every file of this kind begins: one
    /// that begins otherwise is left as it is. An unfinished last line was never acknowledged: it is cut off.
    /// A file that other users may read is closed to them.
    pub fn open(path: &Path, start: &[u8]) -> Result<(Journal<L>, Vec<L>), JournalError> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = owner::alone(&mut options).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(JournalError::File(io::Error::other("not a regular file")));
        }
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Locked,
            TryLockError::Error(error) => JournalError::File(error),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (lines, torn) = bytes.split_at(whole);
        let lines = read_lines(lines)?;
        if lines.is_empty() && !start.starts_with(&torn[..torn.len().min(start.len())]) {
            return Err(JournalError::Corrupt { line: 1 });
        }
        owner::close_to_others(&file)?;
        if !torn.is_empty() {
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        // What was read may still be on its way to the disk, from a process that died before it had flushed.
        file.sync_all()?;
        sync_folder(path)?;
        Ok((Journal { file, broken: false, lines: PhantomData }, lines))
    }

    /// Appends one line; when this returns it is on the disk.
    pub fn append(&mut self, line: &L) -> Result<(), JournalError> {
        if self.broken {
            return Err(JournalError::Broken);
        }
        let mut text = serde_json::to_vec(line).map_err(|_| JournalError::Broken)?;
        text.push(b'\n');
        // Until the line is known to be on the disk, assume the worst.
        self.broken = true;
        self.file.write_all(&text)?;
        self.file.sync_data()?;
        self.broken = false;
        Ok(())
    }
}

fn read_lines<L: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<L>, JournalError> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    let read = lines.map(|(number, line)| {
        serde_json::from_slice(line).map_err(|_| JournalError::Corrupt { line: number + 1 })
    });
    read.collect()
}

/// A new file is durable only when its folder is.
fn sync_folder(path: &Path) -> Result<(), JournalError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()?;
    Ok(())
}
