//! fjall: a log-structured tree in a folder, pure Rust. Random ids are written one after the other, and not all over
//! the pages of a tree: that is most of what an append costs.

use std::fmt::Display;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use fjall::config::PartitioningPolicy;
use fjall::{
    Guard, Iter, KeyspaceCreateOptions, PersistMode, Readable, SingleWriterTxDatabase,
    SingleWriterTxKeyspace, SingleWriterWriteTx, Snapshot,
};

use reticent_store::guard::guarded;

use super::cut::Logs;
use super::{Backend, KvStore, Outcome, Pair, Read, Table, Write};
use crate::store::StoreError;

/// The store in a folder of its own: no other server is needed.
pub type Embedded = KvStore<Fjall>;

/// The tree, in the data folder.
const FOLDER: &str = "store";
/// The same while it is made: it gets its name when it is whole.
const UNFINISHED: &str = "store.new";
/// Whoever holds it has the store.
const LOCK: &str = "store.lock";
/// What programs before the first release wrote.
const EARLIER: &str = "reticent.redb";
/// All tables are in one space of keys, each under a byte of its own: what was written together is forgotten together.
const PAIRS: &str = "pairs";
/// Bytes in memory before they are sorted into files.
const UNSORTED: u64 = 16 << 20;
/// Bytes of the log that is read again after a crash.
const LOG: u64 = 128 << 20;

/// Of the tree's files, so many are open at once.
const OPEN_FILES: usize = 256;

/// The folder, open. After a write that failed it wants to be opened again: what was not committed did not happen, and
/// nobody was told that it had.
pub struct Fjall {
    folder: PathBuf,
    cache: usize,
    /// None while it could not be opened again.
    tree: RwLock<Option<Tree>>,
    /// It must be opened again.
    is_stale: AtomicBool,
    /// The last write failed.
    is_failing: AtomicBool,
    _lock: File,
}

struct Tree {
    pairs: SingleWriterTxKeyspace,
    database: SingleWriterTxDatabase,
}

impl std::fmt::Debug for Fjall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Fjall")
    }
}

impl Embedded {
    /// Opens the store of a folder, or makes one. `cache` bytes of it are kept in memory.
    pub fn open(data: &Path, cache: usize) -> Result<Embedded, StoreError> {
        let unusable = |error: io::Error| StoreError::Unavailable(format!("{}: {error}", data.display()));
        std::fs::create_dir_all(data).map_err(unusable)?;
        let lock = lock(&data.join(LOCK))?;
        if data.join(EARLIER).exists() {
            return Err(StoreError::Format { found: format!("1 ({EARLIER})"), known: super::VERSION });
        }
        let folder = data.join(FOLDER);
        if !folder.exists() {
            make(data, cache)?;
        }
        check(&folder)?;
        let tree = RwLock::new(Some(opened_whole(&folder, cache)?));
        let (is_stale, is_failing) = (AtomicBool::new(false), AtomicBool::new(false));
        KvStore::on(Arc::new(Fjall { folder, cache, tree, is_stale, is_failing, _lock: lock }))
    }
}

/// Makes a store beside its place, and puts it there when it is whole: one that is there was never half made.
fn make(data: &Path, cache: usize) -> Outcome<()> {
    let unusable = |error: io::Error| StoreError::Unavailable(error.to_string());
    let unfinished = data.join(UNFINISHED);
    match std::fs::remove_dir_all(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(error)),
        _ => {}
    }
    // It may hold records of people: from its first byte on it is its owner's alone.
    let mut folder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(&unfinished).map_err(unusable)?;
    let tree = opened(&unfinished, cache)?;
    write(&tree, &mut |tables| super::sign(tables))?;
    drop(tree);
    std::fs::rename(&unfinished, data.join(FOLDER)).map_err(unusable)?;
    File::open(data).and_then(|data| data.sync_all()).map_err(unusable)
}

/// A tree that lost its mark would be begun anew over what is left of it.
fn check(folder: &Path) -> Outcome<()> {
    let mark = std::fs::metadata(folder.join("version"));
    if mark.is_ok_and(|mark| mark.len() > 0) {
        return Ok(());
    }
    Err(StoreError::Damaged(format!("{} has no mark of its version", folder.display())))
}

fn lock(path: &Path) -> Outcome<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let unusable = |error: io::Error| StoreError::Unavailable(format!("{}: {error}", path.display()));
    let file = options.open(path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// Refuses a log that is damaged in its middle: the tree panics at it, or cuts it there.
fn opened_whole(folder: &Path, cache: usize) -> Outcome<Tree> {
    let unusable = |error: io::Error| StoreError::Unavailable(error.to_string());
    let logs = Logs::of(folder).map_err(unusable)?;
    match guarded(|| opened(folder, cache)) {
        Some(opened) if !logs.lost_writes() => return opened,
        cut => drop(cut),
    }
    logs.put_back().map_err(unusable)?;
    Err(StoreError::Damaged(format!(
        "the log in {} is damaged, and not at its end alone, so that writes would be lost that were answered",
        folder.display()
    )))
}

fn opened(folder: &Path, cache: usize) -> Outcome<Tree> {
    let database = SingleWriterTxDatabase::builder(folder)
        .cache_size(cache as u64)
        .max_journaling_size(LOG)
        .max_cached_files(Some(OPEN_FILES))
        .open()
        .map_err(trouble)?;
    // A look for an id reads a part of a filter: whole ones of many ids would not be in the cache together.
    let options = || {
        KeyspaceCreateOptions::default()
            .max_memtable_size(UNSORTED)
            .filter_block_partitioning_policy(PartitioningPolicy::new([false, true]))
            .index_block_partitioning_policy(PartitioningPolicy::new([false, false, true]))
    };
    let pairs = database.keyspace(PAIRS, options).map_err(trouble)?;
    Ok(Tree { pairs, database })
}

impl Fjall {
    /// Works with the open tree; opens it again first if the last write failed.
    fn with<T>(&self, work: impl FnOnce(&Tree) -> Outcome<T>) -> Outcome<T> {
        // Files that are open outlive their folder, and nothing else does: what goes there is lost. Nor is a folder
        // that is gone begun anew.
        check(&self.folder).map_err(|_| StoreError::Unavailable("its folder is gone".into()))?;
        if self.is_stale.load(Ordering::SeqCst) {
            let mut tree = self.tree.write().unwrap_or_else(PoisonError::into_inner);
            // Another thread may have been here meanwhile.
            if self.is_stale.load(Ordering::SeqCst) {
                drop(tree.take());
                *tree = Some(opened_whole(&self.folder, self.cache)?);
                self.is_stale.store(false, Ordering::SeqCst);
            }
        }
        let tree = self.tree.read().unwrap_or_else(PoisonError::into_inner);
        let open = tree.as_ref().ok_or_else(|| StoreError::Unavailable("the store is closed".into()))?;
        work(open)
    }
}

fn trouble(error: fjall::Error) -> StoreError {
    let unusable = |error: &dyn Display| StoreError::Unavailable(error.to_string());
    match error {
        fjall::Error::Io(error) | fjall::Error::Storage(fjall::LsmError::Io(error)) => unusable(&error),
        fjall::Error::Poisoned => unusable(&"a write failed before"),
        fjall::Error::Locked => StoreError::InUse,
        other => StoreError::Damaged(other.to_string()),
    }
}

impl Backend for Fjall {
    fn read(&self, look: &mut dyn FnMut(&dyn Read) -> Outcome<()>) -> Outcome<()> {
        self.with(|tree| look(&Reading { snapshot: tree.database.read_tx(), pairs: &tree.pairs }))
    }

    fn write(&self, change: &mut dyn FnMut(&mut dyn Write) -> Outcome<()>) -> Outcome<()> {
        let done = self.with(|tree| write(tree, change));
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

/// A table's key among all keys.
fn whole(table: Table, key: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(1 + key.len());
    whole.push(table as u8);
    whole.extend_from_slice(key);
    whole
}

struct Reading<'t> {
    snapshot: Snapshot,
    pairs: &'t SingleWriterTxKeyspace,
}

impl Read for Reading<'_> {
    fn get(&self, table: Table, key: &[u8]) -> Outcome<Option<Vec<u8>>> {
        get(&self.snapshot, self.pairs, table, key)
    }

    fn scan(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Outcome<()> {
        scan(range(&self.snapshot, self.pairs, table, from, to), each)
    }

    fn last(&self, table: Table, from: &[u8], to: &[u8]) -> Outcome<Option<Pair>> {
        range(&self.snapshot, self.pairs, table, from, to).next_back().map(pair).transpose()
    }
}

struct Writing<'t> {
    transaction: SingleWriterWriteTx<'t>,
    pairs: &'t SingleWriterTxKeyspace,
}

/// All of a change, on the disk, or nothing of it.
fn write(tree: &Tree, change: &mut dyn FnMut(&mut dyn Write) -> Outcome<()>) -> Outcome<()> {
    let transaction = tree.database.write_tx().durability(Some(PersistMode::SyncData));
    let mut writing = Writing { transaction, pairs: &tree.pairs };
    change(&mut writing)?;
    writing.transaction.commit().map_err(trouble)
}

impl Read for Writing<'_> {
    fn get(&self, table: Table, key: &[u8]) -> Outcome<Option<Vec<u8>>> {
        get(&self.transaction, self.pairs, table, key)
    }

    fn scan(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Outcome<()> {
        scan(range(&self.transaction, self.pairs, table, from, to), each)
    }

    fn last(&self, table: Table, from: &[u8], to: &[u8]) -> Outcome<Option<Pair>> {
        range(&self.transaction, self.pairs, table, from, to).next_back().map(pair).transpose()
    }
}

impl Write for Writing<'_> {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Outcome<()> {
        self.transaction.insert(self.pairs, whole(table, key), value);
        Ok(())
    }

    fn add(&mut self, table: Table, key: &[u8]) -> Outcome<bool> {
        let key = whole(table, key);
        let is_new = !self.transaction.contains_key(self.pairs, &key).map_err(trouble)?;
        if is_new {
            self.transaction.insert(self.pairs, key, []);
        }
        Ok(is_new)
    }

    fn remove(&mut self, table: Table, key: &[u8]) -> Outcome<()> {
        self.transaction.remove(self.pairs, whole(table, key));
        Ok(())
    }
}

fn get(
    from: &impl Readable,
    pairs: &SingleWriterTxKeyspace,
    table: Table,
    key: &[u8],
) -> Outcome<Option<Vec<u8>>> {
    Ok(from.get(pairs, whole(table, key)).map_err(trouble)?.map(|value| value.to_vec()))
}

fn range(
    reader: &impl Readable,
    pairs: &SingleWriterTxKeyspace,
    table: Table,
    from: &[u8],
    to: &[u8],
) -> Iter {
    let (from, to) = (whole(table, from), whole(table, to));
    let to = to.max(from.clone());
    reader.range(pairs, from..to)
}

fn scan(pairs: Iter, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Outcome<()> {
    for guard in pairs {
        let (key, value) = guard.into_inner().map_err(trouble)?;
        if !each(&key[1..], &value) {
            break;
        }
    }
    Ok(())
}

fn pair(guard: Guard) -> Outcome<Pair> {
    let (key, value) = guard.into_inner().map_err(trouble)?;
    Ok((key[1..].to_vec(), value.to_vec()))
}
