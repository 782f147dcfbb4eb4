//! redb: a copy-on-write tree in one file, pure Rust, one writer at a time, readers that never wait.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, StorageError, TableDefinition};

use super::{Backend, KvStore, Outcome, Pair, Read, Table, Write};
use crate::store::StoreError;

/// The store in a folder of its own: no other server is needed.
pub type Embedded = KvStore<Redb>;

/// The file in the folder.
const FILE: &str = "reticent.redb";

/// The file, open. After a write that failed redb wants to be opened again: what was not committed did not happen, and
/// nobody was told that it had.
pub struct Redb {
    file: PathBuf,
    cache: usize,
    /// None while it could not be opened again.
    database: RwLock<Option<Database>>,
    /// It must be opened again.
    is_stale: AtomicBool,
    /// The last write failed.
    is_failing: AtomicBool,
}

impl std::fmt::Debug for Redb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redb")
    }
}

impl Embedded {
    /// Opens the store of a folder, or makes one. `cache` bytes of it are kept in memory.
    pub fn open(folder: &Path, cache: usize) -> Result<Embedded, StoreError> {
        let unusable = |error: &dyn Display| StoreError::Unavailable(error.to_string());
        std::fs::create_dir_all(folder).map_err(|error| unusable(&error))?;
        let file = folder.join(FILE);
        close_to_others(&file).map_err(|error| unusable(&error))?;
        let database = RwLock::new(Some(opened(&file, cache)?));
        let (is_stale, is_failing) = (AtomicBool::new(false), AtomicBool::new(false));
        KvStore::on(Arc::new(Redb { file, cache, database, is_stale, is_failing }))
    }
}

fn opened(file: &Path, cache: usize) -> Result<Database, StoreError> {
    let mut builder = Database::builder();
    builder.set_cache_size(cache);
    builder.create(file).map_err(|error| match error {
        DatabaseError::DatabaseAlreadyOpen => StoreError::InUse,
        DatabaseError::Storage(error) => trouble(error),
        other => StoreError::Damaged(other.to_string()),
    })
}

impl Redb {
    /// Works with the open file; opens it again first if the last write failed.
    fn with<T>(&self, work: impl FnOnce(&Database) -> Outcome<T>) -> Outcome<T> {
        if self.is_stale.load(Ordering::SeqCst) {
            let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
            // Another thread may have been here meanwhile.
            if self.is_stale.load(Ordering::SeqCst) {
                drop(database.take());
                *database = Some(opened(&self.file, self.cache)?);
                self.is_stale.store(false, Ordering::SeqCst);
            }
        }
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let open = database.as_ref().ok_or_else(|| StoreError::Unavailable("the file is closed".into()))?;
        work(open)
    }
}

/// The file may hold records of people: from its first byte on it is its owner's alone.
fn close_to_others(file: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(file)?;
    #[cfg(unix)]
    opened.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    drop(opened);
    Ok(())
}

fn trouble(error: impl Into<redb::Error>) -> StoreError {
    match error.into() {
        redb::Error::Corrupted(text) => StoreError::Damaged(text),
        other => StoreError::Unavailable(other.to_string()),
    }
}

fn definition(table: Table) -> TableDefinition<'static, &'static [u8], &'static [u8]> {
    TableDefinition::new(match table {
        Table::Meta => "meta",
        Table::Entries => "entries",
        Table::Names => "names",
        Table::Marks => "marks",
        Table::Ids => "ids",
        Table::Reports => "reports",
        Table::Policies => "policies",
        Table::States => "states",
        Table::Insights => "insights",
        Table::Keys => "keys",
        Table::Deeds => "deeds",
        Table::Journals => "journals",
    })
}

impl Backend for Redb {
    fn read(&self, look: &mut dyn FnMut(&dyn Read) -> Outcome<()>) -> Outcome<()> {
        self.with(|database| look(&Reading(database.begin_read().map_err(trouble)?)))
    }

    fn write(&self, change: &mut dyn FnMut(&mut dyn Write) -> Outcome<()>) -> Outcome<()> {
        let done = self.with(|database| {
            let transaction = database.begin_write().map_err(trouble)?;
            {
                let open = |table| transaction.open_table(definition(table)).map_err(trouble);
                let tables = Table::ALL.into_iter().map(open).collect::<Outcome<Vec<_>>>()?;
                change(&mut Writing(tables))?;
            }
            transaction.commit().map_err(trouble)
        });
        let failed = matches!(done, Err(StoreError::Unavailable(_)));
        self.is_stale.fetch_or(failed, Ordering::SeqCst);
        self.is_failing.store(failed, Ordering::SeqCst);
        done
    }

    fn is_failing(&self) -> bool {
        self.is_failing.load(Ordering::SeqCst)
    }

    fn called(&self) -> &'static str {
        "embedded"
    }
}

struct Reading(redb::ReadTransaction);

type Bytes = &'static [u8];

impl Reading {
    fn table(&self, table: Table) -> Outcome<redb::ReadOnlyTable<Bytes, Bytes>> {
        self.0.open_table(definition(table)).map_err(trouble)
    }
}

impl Read for Reading {
    fn get(&self, table: Table, key: &[u8]) -> Outcome<Option<Vec<u8>>> {
        get(&self.table(table)?, key)
    }

    fn scan(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Outcome<()> {
        scan(&self.table(table)?, from, to, each)
    }

    fn last(&self, table: Table, from: &[u8], to: &[u8]) -> Outcome<Option<Pair>> {
        last(&self.table(table)?, from, to)
    }
}

/// All tables, in their order: opening one for each row would cost more than the row.
struct Writing<'t>(Vec<redb::Table<'t, Bytes, Bytes>>);

impl Read for Writing<'_> {
    fn get(&self, table: Table, key: &[u8]) -> Outcome<Option<Vec<u8>>> {
        get(&self.0[table as usize], key)
    }

    fn scan(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Outcome<()> {
        scan(&self.0[table as usize], from, to, each)
    }

    fn last(&self, table: Table, from: &[u8], to: &[u8]) -> Outcome<Option<Pair>> {
        last(&self.0[table as usize], from, to)
    }
}

impl Write for Writing<'_> {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Outcome<bool> {
        Ok(self.0[table as usize].insert(key, value).map_err(trouble)?.is_some())
    }

    fn remove(&mut self, table: Table, key: &[u8]) -> Outcome<()> {
        self.0[table as usize].remove(key).map_err(trouble).map(|_| ())
    }
}

fn get(table: &impl ReadableTable<Bytes, Bytes>, key: &[u8]) -> Outcome<Option<Vec<u8>>> {
    Ok(table.get(key).map_err(trouble)?.map(|value| value.value().to_vec()))
}

fn scan(
    table: &impl ReadableTable<Bytes, Bytes>,
    from: &[u8],
    to: &[u8],
    each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
) -> Outcome<()> {
    for pair in table.range::<&[u8]>(from..to).map_err(trouble)? {
        let (key, value) = pair.map_err(|error: StorageError| trouble(error))?;
        if !each(key.value(), value.value()) {
            break;
        }
    }
    Ok(())
}

fn last(table: &impl ReadableTable<Bytes, Bytes>, from: &[u8], to: &[u8]) -> Outcome<Option<Pair>> {
    let pair = table.range::<&[u8]>(from..to).map_err(trouble)?.next_back();
    let pair = pair.transpose().map_err(|error: StorageError| trouble(error))?;
    Ok(pair.map(|(key, value)| (key.value().to_vec(), value.value().to_vec())))
}
