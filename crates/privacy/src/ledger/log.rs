//! The ledger's file: one JSON line for each step, appended and flushed to the disk before anything depends on it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::LedgerError;

/// One line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Line {
    /// The first line.
    ReticentLedger {
        /// The format's version.
        version: u32,
        /// The lifetime budget.
        limit_micro: u64,
    },
    /// A charge, before its answer is drawn.
    Reserve {
        /// The caller's name for the request.
        request: String,
        /// What it costs.
        micro: u64,
    },
    /// The answer that the last reservation of this request paid for.
    Commit {
        /// The same name.
        request: String,
        /// The answer's bytes in hexadecimal digits.
        answer: String,
    },
}

/// The open file, locked against other processes.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    /// A write failed: what the disk holds is unknown until the file is read again.
    broken: bool,
}

impl Log {
    /// Opens or creates the file and reads what it holds. An unfinished last line was never acknowledged: it is cut off.
    pub(super) fn open(path: &Path) -> Result<(Log, Vec<Line>), LedgerError> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LedgerError::Locked,
            TryLockError::Error(error) => LedgerError::File(error),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (lines, torn) = bytes.split_at(whole);
        let lines = read_lines(lines)?;
        // A file that never was a ledger is left as it is.
        if lines.is_empty() && !START.starts_with(&torn[..torn.len().min(START.len())]) {
            return Err(LedgerError::Corrupt { line: 1 });
        }
        if !torn.is_empty() {
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        // What was read may still be on its way to the disk, from a process that died before it had flushed.
        file.sync_all()?;
        sync_folder(path)?;
        Ok((Log { file, broken: false }, lines))
    }

    /// Appends one line; when this returns it is on the disk.
    pub(super) fn append(&mut self, line: &Line) -> Result<(), LedgerError> {
        if self.broken {
            return Err(LedgerError::Broken);
        }
        let mut text = serde_json::to_vec(line).map_err(|_| LedgerError::Broken)?;
        text.push(b'\n');
        // Until the line is known to be on the disk, assume the worst.
        self.broken = true;
        self.file.write_all(&text)?;
        self.file.sync_data()?;
        self.broken = false;
        Ok(())
    }
}

/// How every ledger begins.
const START: &[u8] = b"{\"reticent-ledger\":";

fn read_lines(bytes: &[u8]) -> Result<Vec<Line>, LedgerError> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    let read = lines.map(|(number, line)| {
        serde_json::from_slice(line).map_err(|_| LedgerError::Corrupt { line: number + 1 })
    });
    read.collect()
}

/// A new file is durable only when its folder is.
fn sync_folder(path: &Path) -> Result<(), LedgerError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()?;
    Ok(())
}

pub(super) fn to_hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|d| char::from_digit(d.into(), 16))
        .collect()
}

pub(super) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|c| Some(c.to_digit(16)? as u8)).collect::<Option<_>>()?;
    let pairs = digits.chunks_exact(2);
    pairs.remainder().is_empty().then(|| pairs.map(|pair| pair[0] << 4 | pair[1]).collect())
}
