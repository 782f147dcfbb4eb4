mod logs;
mod markets;
mod tables;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};

use super::*;
use crate::Progress;
use crate::columns::TableFiles;

pub(super) const MARKET: &str = include_str!("tests/market.toml");

/// Counts what was served, and stops after so many.
struct Counting {
    served: AtomicU64,
    most: u64,
}

impl Counting {
    fn new(most: u64) -> Counting {
        Counting { served: AtomicU64::new(0), most }
    }
}

impl Progress for Counting {
    fn served(&self, people: u64) {
        self.served.fetch_add(people, Ordering::Relaxed);
    }
    fn trial(&self, _: usize, _: usize) {}
    fn stop(&self) -> bool {
        self.served.load(Ordering::Relaxed) >= self.most
    }
}

fn quiet() -> Counting {
    Counting::new(u64::MAX)
}

pub(super) struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with the market.
    pub(super) fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("market.toml", MARKET);
        folder
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn market(&self) -> Market {
        read_market(&self.path("market.toml")).unwrap()
    }

    /// A table of so many sales, with a column that nobody asks for.
    fn table(&self, rows: usize) -> PathBuf {
        let row = |i: usize| format!("{},{},x,{}\n", i % 2, 5.0 + (i % 2001) as f64 / 100.0, (i * 7) % 101);
        let rows: String = (0..rows).map(row).collect();
        self.write("sales.csv", &format!("bought,price,name,income\n{rows}"))
    }

    pub(super) fn files(&self) -> usize {
        std::fs::read_dir(self.0.path()).unwrap().count()
    }
}

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn noise() -> SimRng {
    SimSeed(3).stream(0, Stream::Noise)
}

/// A table for as long as the tests run.
pub(super) fn files(path: &Path) -> &'static TableFiles {
    Box::leak(Box::new(TableFiles::one(path).unwrap()))
}

fn job<'a>(market: &'a Market, table: &Path) -> Privatise<'a> {
    Privatise { market, table: files(table), epsilon: epsilon(1.0), records: None, clip: false }
}

/// Writes a log from a seed and reads its bytes.
fn seeded(job: &Privatise, out: &Path) -> Result<(Privatised, Vec<u8>), PricingFileError> {
    let done = job.run_with(out, &mut noise(), &quiet())?;
    Ok((done, std::fs::read(out).unwrap()))
}
