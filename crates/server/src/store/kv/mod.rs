//! A store on sorted keys and values with transactions: the embedded store ([`Embedded`], on redb) and the memory of
//! tests ([`Memory`]). All rules are here, once; a backend knows only bytes.

pub(super) mod codec;
mod embedded;
mod journals;
mod memory;
mod policies;
mod registry;
mod reports;

use std::sync::Arc;

use async_trait::async_trait;
use reticent_schema::Prefix;

use super::{Leases, Store, StoreError};
pub use embedded::Embedded;
pub use memory::{Fault, Memory};
pub(super) use reports::fate_by;

/// What a key belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Table {
    /// The format.
    Meta,
    /// Prefix: the experiment.
    Entries,
    /// Name: prefix.
    Names,
    /// Prefix: how far it has come.
    Marks,
    /// Prefix, policy, id: nothing. A report's id lives as long as its policy is open.
    Ids,
    /// Prefix, number of the first: reports that came together.
    Reports,
    /// Prefix, version: when, and the policy.
    Policies,
    /// Prefix: the learner, saved.
    States,
    /// Prefix: what it knows.
    Insights,
    /// Id: a key.
    Keys,
    /// Number: a deed.
    Deeds,
    /// Prefix, name, place of the first byte: bytes.
    Journals,
}

impl Table {
    pub(crate) const ALL: [Table; 12] = [
        Table::Meta,
        Table::Entries,
        Table::Names,
        Table::Marks,
        Table::Ids,
        Table::Reports,
        Table::Policies,
        Table::States,
        Table::Insights,
        Table::Keys,
        Table::Deeds,
        Table::Journals,
    ];
}

type Outcome<T> = Result<T, StoreError>;
/// A key and its value.
type Pair = (Vec<u8>, Vec<u8>);

/// Reads in a transaction.
pub(crate) trait Read {
    fn get(&self, table: Table, key: &[u8]) -> Outcome<Option<Vec<u8>>>;

    /// Pairs from `from` on and below `to`, in order, until `each` says no.
    fn scan(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Outcome<()>;

    /// The last pair below `to`, if it is not before `from`.
    fn last(&self, table: Table, from: &[u8], to: &[u8]) -> Outcome<Option<Pair>>;
}

/// Reads and writes in a transaction.
pub(crate) trait Write: Read {
    /// Puts a value, and says whether there was one.
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Outcome<bool>;

    fn remove(&mut self, table: Table, key: &[u8]) -> Outcome<()>;
}

/// Where bytes are kept. A write is there as a whole when `write` returns, or not at all unless it failed.
pub(crate) trait Backend: Send + Sync + 'static {
    fn read(&self, look: &mut dyn FnMut(&dyn Read) -> Outcome<()>) -> Outcome<()>;
    fn write(&self, change: &mut dyn FnMut(&mut dyn Write) -> Outcome<()>) -> Outcome<()>;
    fn called(&self) -> &'static str;

    /// Whether the last write failed for want of the disk.
    fn is_failing(&self) -> bool {
        false
    }
}

/// The store on a backend.
#[derive(Debug)]
pub struct KvStore<B> {
    backend: Arc<B>,
}

impl<B> Clone for KvStore<B> {
    fn clone(&self) -> KvStore<B> {
        KvStore { backend: Arc::clone(&self.backend) }
    }
}

const FORMAT: &[u8] = b"format";
/// The format that this program writes and reads.
const VERSION: u32 = 1;

#[allow(private_bounds, reason = "backends are of this crate")]
impl<B: Backend> KvStore<B> {
    /// A store on this backend: a new one, or one of this format.
    fn on(backend: Arc<B>) -> Outcome<KvStore<B>> {
        backend.write(&mut |tables| match tables.get(Table::Meta, FORMAT)? {
            None => tables.put(Table::Meta, FORMAT, VERSION.to_string().as_bytes()).map(|_| ()),
            Some(found) if found == VERSION.to_string().as_bytes() => Ok(()),
            Some(found) => {
                Err(StoreError::Format { found: String::from_utf8_lossy(&found).into(), known: VERSION })
            }
        })?;
        Ok(KvStore { backend })
    }

    /// Reads are of memory or of pages that are mostly there: they need no thread of their own.
    fn look<T>(&self, look: impl FnOnce(&dyn Read) -> Outcome<T>) -> Outcome<T> {
        let (mut look, mut found) = (Some(look), None);
        self.backend.read(&mut |tables| {
            found = look.take().map(|look| look(tables)).transpose()?;
            Ok(())
        })?;
        found.ok_or_else(not_run)
    }

    /// Writes wait for the disk.
    async fn alter<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut dyn Write) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let backend = Arc::clone(&self.backend);
        let work = move || {
            let (mut change, mut done) = (Some(change), None);
            backend.write(&mut |tables| {
                done = change.take().map(|change| change(tables)).transpose()?;
                Ok(())
            })?;
            done.ok_or_else(not_run)
        };
        tokio::task::spawn_blocking(work).await.map_err(|_| not_run())?
    }
}

fn not_run() -> StoreError {
    StoreError::Unavailable("a step did not run to its end".into())
}

#[async_trait]
impl<B: Backend> Store for KvStore<B> {
    async fn check(&self) -> Outcome<()> {
        // A disk that was full is tried with an empty step; otherwise whoever asks costs no flush.
        if self.backend.is_failing() {
            self.backend.write(&mut |_| Ok(()))?;
        }
        self.look(|tables| tables.get(Table::Meta, FORMAT).map(|_| ()))
    }

    fn called(&self) -> &'static str {
        self.backend.called()
    }
}

/// One process has the store, so that whoever asks holds every lease.
#[async_trait]
impl<B: Backend> Leases for KvStore<B> {
    async fn lease(&self, _: Prefix, _: &str, _: u32) -> Outcome<bool> {
        Ok(true)
    }

    async fn give_back(&self, _: Prefix, _: &str) -> Outcome<()> {
        Ok(())
    }
}
