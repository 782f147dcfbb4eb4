mod learning;
mod promises;
mod refusals;
mod values;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use reticent_learn::pricing::{Earns, Policy};
use reticent_privacy::{Epsilon, SimSeed, Stream};

use super::*;
use crate::columns::RawTable;
use crate::price::tests::{Folder, files};
use crate::price::{Privatise, read_market};
use crate::{Progress, Silent};

struct Stopped;

impl Progress for Stopped {
    fn trial(&self, _: usize, _: usize) {}
    fn stop(&self) -> bool {
        true
    }
}

/// The share of people with an income who buy at a price: the richer pay more.
fn demand(income: f64, price: f64) -> f64 {
    1.0 / (1.0 + libm::exp((price - 8.0 - 0.1 * income) / 2.0))
}

impl Folder {
    /// A privatised log of so many people with incomes up to `most`, by this seed.
    fn log(&self, name: &str, seed: u64, epsilon: f64, people: usize, most: f64) -> PathBuf {
        let mut rng = SimSeed(seed).stream(0, Stream::Environment);
        let mut rows = String::from("income,price,bought\n");
        for _ in 0..people {
            let (income, price) = (most * rng.uniform(), 5.0 + 20.0 * rng.uniform());
            let bought = u8::from(rng.uniform() < demand(income, price));
            let _ = writeln!(rows, "{income},{price},{bought}");
        }
        let table = self.write("sales.csv", &rows);
        let market = read_market(&self.path("market.toml")).unwrap();
        let epsilon = Epsilon::new(epsilon).unwrap();
        let job = Privatise { market: &market, table: files(&table), epsilon, records: None, clip: false };
        let mut noise = SimSeed(seed).stream(0, Stream::Noise);
        job.run_with(&self.path(name), &mut noise, &Silent).unwrap();
        self.path(name)
    }
}

/// Two shops' logs and one that nothing is learned from, made once.
struct Shops {
    folder: Folder,
    logs: [PathBuf; 3],
}

static SHOPS: LazyLock<Shops> = LazyLock::new(|| {
    let folder = Folder::new();
    let logs = [
        folder.log("a.rpl", 1, 4.0, 30_000, 100.0),
        folder.log("b.rpl", 2, 2.0, 20_000, 100.0),
        folder.log("held-out.rpl", 3, 4.0, 30_000, 100.0),
    ];
    Shops { folder, logs }
});

/// A table that is written plainly.
fn raw(path: &Path) -> RawTable {
    RawTable::plain(path).unwrap()
}

fn fitted(logs: &[&Path], wish: &Wish, target: Option<&Path>) -> Result<FittedLogs, PolicyFileError> {
    let target = target.map(raw);
    FitLogs { logs, wish, target: target.as_ref() }.run(&Silent)
}

/// What was learned from both shops, whose noise came from a seed.
static FITTED: LazyLock<FittedLogs> = LazyLock::new(|| {
    let [a, b, _] = &SHOPS.logs;
    fitted(&[a, b], &Wish::default(), None).unwrap()
});

/// Its policy.
static POLICY: LazyLock<Policy> = LazyLock::new(|| FITTED.policy.clone());

/// Why it was refused: the sentinel 4711 is in tables only and must not be told.
fn told<T>(result: Result<T, PolicyFileError>) -> String {
    let error = result.err().unwrap().to_string();
    assert!(!error.contains("4711"), "{error}");
    error
}
