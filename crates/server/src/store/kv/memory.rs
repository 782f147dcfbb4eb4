//! Bytes in memory, with faults on order: what simulations of crashes run on.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Backend, KvStore, Outcome, Pair, Read, Table, Write};
use crate::store::StoreError;

/// The store in memory.
pub type Memory = KvStore<Shelf>;

/// What goes wrong with a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// The process dies, or the disk is full, before the step is durable: it did not happen.
    Before,
    /// The process dies after the step is durable and before anybody hears of it.
    After,
}

type Tables = BTreeMap<Table, BTreeMap<Vec<u8>, Vec<u8>>>;

/// The bytes. Clones of the store share them: a process that dies loses only its own memory.
#[derive(Default)]
pub struct Shelf {
    tables: Mutex<Tables>,
    faults: Mutex<VecDeque<Fault>>,
    gone: Mutex<bool>,
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shelf")
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    /// An empty store.
    pub fn new() -> Result<Memory, StoreError> {
        let shelf = Shelf::default();
        shelf.write(&mut |tables| super::sign(tables))?;
        KvStore::on(Arc::new(shelf))
    }

    /// What goes wrong with the next writes, one after the other.
    pub fn plan_faults(&self, faults: impl IntoIterator<Item = Fault>) {
        locked(&self.backend.faults).extend(faults);
    }

    /// All keys and values as text, a line each: what the embedded store writes as well.
    pub fn written(&self) -> String {
        let tables = locked(&self.backend.tables);
        let lines = tables.iter().flat_map(|(table, pairs)| {
            pairs.iter().map(move |(key, value)| {
                let (number, key, value) = (*table as u8, key.escape_ascii(), value.escape_ascii());
                format!("{number} {key} = {value}\n")
            })
        });
        lines.collect()
    }

    /// Whether the database is gone: until it is back nothing can be read or written.
    pub fn set_gone(&self, gone: bool) {
        *locked(&self.backend.gone) = gone;
    }
}

impl Shelf {
    fn check(&self) -> Outcome<()> {
        if *locked(&self.gone) { Err(StoreError::Unavailable("gone on order".into())) } else { Ok(()) }
    }
}

impl Backend for Shelf {
    fn read(&self, look: &mut dyn FnMut(&dyn Read) -> Outcome<()>) -> Outcome<()> {
        self.check()?;
        look(&*locked(&self.tables))
    }

    fn write(&self, change: &mut dyn FnMut(&mut dyn Write) -> Outcome<()>) -> Outcome<()> {
        self.check()?;
        let fault = locked(&self.faults).pop_front().unwrap_or(Fault::None);
        let failed = || StoreError::Unavailable("failed on order".into());
        let mut tables = locked(&self.tables);
        let mut changing = tables.clone();
        change(&mut changing)?;
        if fault == Fault::Before {
            return Err(failed());
        }
        *tables = changing;
        if fault == Fault::After { Err(failed()) } else { Ok(()) }
    }

    fn called(&self) -> &'static str {
        "memory"
    }
}

impl Read for Tables {
    fn get(&self, table: Table, key: &[u8]) -> Outcome<Option<Vec<u8>>> {
        Ok(BTreeMap::get(self, &table).and_then(|pairs| pairs.get(key)).cloned())
    }

    fn scan(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Outcome<()> {
        let pairs = BTreeMap::get(self, &table).filter(|_| from < to);
        for (key, value) in pairs.into_iter().flat_map(|pairs| pairs.range(from.to_vec()..to.to_vec())) {
            if !each(key, value) {
                break;
            }
        }
        Ok(())
    }

    fn last(&self, table: Table, from: &[u8], to: &[u8]) -> Outcome<Option<Pair>> {
        let pairs = BTreeMap::get(self, &table).filter(|_| from < to);
        let pair = pairs.and_then(|pairs| pairs.range(from.to_vec()..to.to_vec()).next_back());
        Ok(pair.map(|(key, value)| (key.clone(), value.clone())))
    }
}

impl Write for Tables {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Outcome<()> {
        self.entry(table).or_default().insert(key.to_vec(), value.to_vec());
        Ok(())
    }

    fn add(&mut self, table: Table, key: &[u8]) -> Outcome<bool> {
        Ok(self.entry(table).or_default().insert(key.to_vec(), Vec::new()).is_none())
    }

    fn remove(&mut self, table: Table, key: &[u8]) -> Outcome<()> {
        self.entry(table).or_default().remove(key);
        Ok(())
    }
}
