//! A store on sorted keys and values with transactions: the embedded store ([`Embedded`], on fjall) and the memory of
//! tests ([`Memory`]). All rules are here, once; a backend knows only bytes.

pub(super) mod codec;
mod cut;
mod embedded;
mod journals;
mod memory;
mod policies;
mod registry;
mod reports;
mod writer;

use std::sync::Arc;

use async_trait::async_trait;
use reticent_schema::Prefix;

use super::{Leases, Store, StoreError};
pub use embedded::Embedded;
pub use memory::{Fault, Memory};
pub(super) use reports::fate_by;
use writer::Writer;

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
    /// Prefix, place among them: when, version, and the policy.
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
    /// Prefix, table: where what is not forgotten begins. What is forgotten takes a while to be gone from a
    /// log-structured tree, and is not looked through again.
    Forgotten,
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
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Outcome<()>;

    /// Adds a key without a value; no if it was there.
    fn add(&mut self, table: Table, key: &[u8]) -> Outcome<bool>;

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
    writer: Writer,
}

impl<B> Clone for KvStore<B> {
    fn clone(&self) -> KvStore<B> {
        KvStore { backend: Arc::clone(&self.backend), writer: self.writer.clone() }
    }
}

const FORMAT: &[u8] = b"format";
/// What is written to see whether there is room again.
const TRIAL: &[u8] = b"trial";
const TRIAL_BYTES: usize = 1 << 20;
/// The format that this program writes and reads.
const VERSION: u32 = 2;

#[allow(private_bounds, reason = "backends are of this crate")]
impl<B: Backend> KvStore<B> {
    /// A store on this backend, which was signed when it was made.
    fn on(backend: Arc<B>) -> Outcome<KvStore<B>> {
        backend.read(&mut |tables| match tables.get(Table::Meta, FORMAT)? {
            None => Err(codec::damaged("its format")),
            Some(found) if found == VERSION.to_string().as_bytes() => Ok(()),
            Some(found) => {
                Err(StoreError::Format { found: String::from_utf8_lossy(&found).into(), known: VERSION })
            }
        })?;
        Ok(KvStore { backend, writer: Writer::start()? })
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

    /// Writes wait for the disk, in the writer's thread. It lets go of the backend before anybody hears of the write:
    /// who drops the store then can open its folder again.
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
        self.writer.run(work).await.ok_or_else(not_run)?
    }
}

/// Says of a new store which format it has.
fn sign(tables: &mut dyn Write) -> Outcome<()> {
    tables.put(Table::Meta, FORMAT, VERSION.to_string().as_bytes())
}

fn not_run() -> StoreError {
    StoreError::Unavailable("a step did not run to its end".into())
}

#[async_trait]
impl<B: Backend> Store for KvStore<B> {
    async fn check(&self) -> Outcome<()> {
        // A disk that was full is tried with as much as a request brings; otherwise whoever asks costs no flush.
        if self.backend.is_failing() {
            self.alter(|tables| tables.put(Table::Meta, TRIAL, &vec![0; TRIAL_BYTES])).await?;
            self.alter(|tables| tables.remove(Table::Meta, TRIAL)).await?;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A store of an earlier or a later program is refused, and says which formats there are.
    #[tokio::test]
    async fn another_format_is_refused() {
        for found in ["1", "3"] {
            let store = Memory::new().unwrap();
            store.alter(move |tables| tables.put(Table::Meta, FORMAT, found.as_bytes())).await.unwrap();
            let refused = KvStore::on(store.backend).unwrap_err();
            let told = refused.to_string();
            assert!(told.contains(&format!("format {found}")) && told.contains("reads format 2"), "{told}");
        }
        let store = Memory::new().unwrap();
        store.alter(|tables| tables.remove(Table::Meta, FORMAT)).await.unwrap();
        assert!(matches!(KvStore::on(store.backend), Err(StoreError::Damaged(_))));
    }
}
