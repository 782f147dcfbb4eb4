//! A journal's bytes in the store.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use reticent_schema::Prefix;
use reticent_store::Storage;
use tokio::runtime::Handle;

use crate::store::{JournalName, Store};

/// A journal of one experiment. Its methods wait for the store: they run where waiting is allowed.
pub(super) struct InStore {
    store: Arc<dyn Store>,
    experiment: Prefix,
    name: JournalName,
    /// How long it is, as far as is known here.
    length: Arc<AtomicU64>,
    handle: Handle,
}

impl InStore {
    /// The journal, and how long it is known to be.
    pub(super) fn new(
        store: Arc<dyn Store>,
        experiment: Prefix,
        name: JournalName,
    ) -> (InStore, Arc<AtomicU64>) {
        let length = Arc::new(AtomicU64::new(0));
        let shared = Arc::clone(&length);
        (InStore { store, experiment, name, length, handle: Handle::current() }, shared)
    }
}

impl Storage for InStore {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let bytes = self.handle.block_on(self.store.journal(self.experiment, self.name));
        let bytes = bytes.map_err(|_| io::Error::other("the store cannot be read"))?;
        self.length.store(bytes.len() as u64, Ordering::SeqCst);
        Ok(bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = self.length.load(Ordering::SeqCst);
        let extended = self.handle.block_on(self.store.extend(self.experiment, self.name, length, bytes));
        match extended {
            Ok(true) => {
                self.length.store(length + bytes.len() as u64, Ordering::SeqCst);
                Ok(())
            }
            Ok(false) => Err(io::Error::other("another server wrote to it")),
            Err(_) => Err(io::Error::other("the store cannot be written")),
        }
    }

    /// A store has whole lines, or does not have them.
    fn settle(&mut self, length: u64) -> io::Result<()> {
        if length == self.length.load(Ordering::SeqCst) {
            Ok(())
        } else {
            Err(io::Error::other("it ends within a line"))
        }
    }
}
