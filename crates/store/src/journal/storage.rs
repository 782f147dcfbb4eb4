//! Where a journal's bytes are kept.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use super::{JournalError, owner};

/// Bytes that only grow. A file and memory are here; a browser or a phone brings its own.
pub trait Storage: Send {
    /// All bytes so far.
    fn read(&mut self) -> io::Result<Vec<u8>>;

    /// Appends: when this returns the bytes survive a crash, or as much as this storage can promise.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Cuts off what comes after `length`: an unfinished line, which was never acknowledged. Called once at the
    /// most, before the first append. Also makes sure that what was read survives a crash.
    fn settle(&mut self, length: u64) -> io::Result<()>;
}

/// Bytes in memory: for tests, and for who needs no more.
#[derive(Default)]
pub struct Memory(Vec<u8>);

impl Memory {
    /// These bytes.
    pub fn new(bytes: Vec<u8>) -> Memory {
        Memory(bytes)
    }
}

/// How many, not which.
impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").field("bytes", &self.0.len()).finish()
    }
}

impl Storage for Memory {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        Ok(self.0.clone())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.extend(bytes);
        Ok(())
    }

    fn settle(&mut self, length: u64) -> io::Result<()> {
        self.0.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        Ok(())
    }
}

/// A file that is locked against other processes and closed to other users.
pub(super) struct Disk {
    file: File,
    folder: File,
}

impl Disk {
    /// Opens the file, or makes it if `create` says so. If another process has it, waits for so long.
    pub(super) fn open(path: &Path, create: bool, patience: Duration) -> Result<Disk, JournalError> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(create);
        let file = owner::alone(&mut options).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(JournalError::File(io::Error::other("not a regular file")));
        }
        lock(&file, patience)?;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = File::open(parent.unwrap_or(Path::new(".")))?;
        Ok(Disk { file, folder })
    }

    /// A file that other users may read is closed to them.
    pub(super) fn close_to_others(&self) -> Result<(), JournalError> {
        owner::close_to_others(&self.file)
    }
}

/// A thread blocks on the lock, so that the system hands it on in turn. If it comes too late, the thread gives
/// it back at once.
fn lock(file: &File, patience: Duration) -> Result<(), JournalError> {
    match file.try_lock() {
        Ok(()) => return Ok(()),
        Err(TryLockError::Error(error)) => return Err(error.into()),
        Err(TryLockError::WouldBlock) => {}
    }
    let late = JournalError::Locked { waited: patience };
    if patience.is_zero() {
        return Err(late);
    }
    let (clone, (sender, receiver)) = (file.try_clone()?, mpsc::channel());
    std::thread::spawn(move || sender.send(clone.lock()));
    receiver.recv_timeout(patience).map_err(|_| late)?.map_err(JournalError::from)
}

impl Storage for Disk {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.sync_data()
    }

    fn settle(&mut self, length: u64) -> io::Result<()> {
        if self.file.metadata()?.len() > length {
            self.file.set_len(length)?;
            self.file.seek(SeekFrom::End(0))?;
        }
        // What was read may still be on its way to the disk, from a process that died before it had flushed. A
        // new file is durable only when its folder is.
        self.file.sync_all()?;
        self.folder.sync_all()
    }
}
