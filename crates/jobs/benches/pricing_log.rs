//! Sales privatised and counted a second: `cargo bench -p reticent-jobs`.
//!
//! `device` is one core's share of privatising; `privatise` is the whole command with its two threads, from a
//! file to a file; `tally` counts reports in memory and `counted` those of a log.

use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use divan::{Bencher, counter::ItemsCount};
use parquet::data_type::DoubleType;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use reticent_device::pricing::Device;
use reticent_jobs::Progress;
use reticent_jobs::account::Purse;
use reticent_jobs::columns::TableFiles;
use reticent_jobs::price::{EXAMPLE, Market, Privatise, count, read_market};
use reticent_learn::pricing::Tally;
use reticent_privacy::{Epsilon, Generator, Ledger, NoiseRng, SimRng, SimSeed, Stream};
use reticent_protocol::pricing::Spec;
use reticent_protocol::pricing::log::LogWriter;
use reticent_store::accounts::{Accounts, Permission};

const ROWS: u64 = 10_000_000;
const REPORTS: u64 = 100_000_000;

struct Quiet;

impl Progress for Quiet {
    fn trial(&self, _: usize, _: usize) {}
    fn stop(&self) -> bool {
        false
    }
}

fn main() {
    divan::main();
}

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).expect("a valid epsilon")
}

fn market(folder: &Path) -> Market {
    std::fs::write(folder.join("market.toml"), EXAMPLE).expect("a folder of ours");
    read_market(&folder.join("market.toml")).expect("the example")
}

fn spec(loss: f64) -> Spec {
    let folder = tempfile::tempdir().expect("a folder");
    Spec::designed(market(folder.path()).terms().clone(), epsilon(loss), ROWS).expect("a spec")
}

/// Income, price and whether somebody bought.
fn sales(rows: u64) -> Vec<[f64; 3]> {
    let mut rng = SimSeed(1).stream(0, Stream::Environment);
    let mut sale = || {
        let (income, price) =
            ((1e5 * rng.uniform()).floor(), (500.0 + 2000.0 * rng.uniform()).floor() / 100.0);
        [income, price, f64::from(u8::from(rng.uniform() < 0.5))]
    };
    (0..rows).map(|_| sale()).collect()
}

fn csv(folder: &Path) -> PathBuf {
    let mut text = String::from("income,price,bought\n");
    for [income, price, bought] in sales(ROWS) {
        writeln!(text, "{income},{price},{bought}").expect("a string");
    }
    std::fs::write(folder.join("sales.csv"), text).expect("a folder of ours");
    folder.join("sales.csv")
}

fn parquet(folder: &Path) -> PathBuf {
    let path = folder.join("sales.parquet");
    let schema = "message sales { required double income; required double price; required double bought; }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let file = File::create(&path).expect("a folder of ours");
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::builder().build()))
        .expect("a file");
    for part in sales(ROWS).chunks(1 << 20) {
        let mut group = writer.next_row_group().expect("room");
        for place in 0..3 {
            let cells: Vec<f64> = part.iter().map(|row| row[place]).collect();
            let mut column = group.next_column().expect("room").expect("a column");
            column.typed::<DoubleType>().write_batch(&cells, None, None).expect("room");
            column.close().expect("room");
        }
        group.close().expect("room");
    }
    writer.close().expect("room");
    path
}

#[divan::bench(args = [0.5, 1.0, 2.0, 4.0], sample_count = 3)]
fn device(bencher: Bencher<'_, '_>, loss: f64) {
    let (spec, sales, mut noise) = (spec(loss), sales(1_000_000), NoiseRng::from_os().expect("entropy"));
    let mut device = Device::with_noise(&spec, Ledger::new(spec.epsilon()), &mut noise);
    bencher.counter(ItemsCount::new(sales.len())).bench_local(|| {
        let mut sum = 0_u64;
        for &[income, price, bought] in &sales {
            device.next_person(spec.epsilon());
            let record = device.record_numbers(&[income], price).expect("one number");
            let report = device.answer(record, bought).expect("within budget");
            let report = spec.received(&report).expect("its own report");
            sum += u64::from(spec.code(report).expect("one of the spec's"));
        }
        sum
    });
}

/// The same under an account, which looks at every row to know it again.
#[divan::bench(args = ["csv", "csv, one pass", "parquet", "parquet, one pass"], sample_count = 3, sample_size = 1)]
fn privatise_paid(bencher: Bencher<'_, '_>, form: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let table = if form.starts_with("csv") { csv(folder.path()) } else { parquet(folder.path()) };
    let table = TableFiles::one(&table).expect("a file of ours");
    let (market, out) = (market(folder.path()), folder.path().join("sales.rpl"));
    let records = form.ends_with("one pass").then_some(ROWS);
    let job = Privatise { market: &market, table: &table, epsilon: epsilon(1.0), records, clip: false };
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| {
        // Each time a curator who has never seen the table.
        let accounts = tempfile::tempdir().expect("a folder");
        let accounts = Accounts::open(accounts.path()).expect("a folder of ours");
        let purse = Purse { accounts: &accounts, allowed: Permission::default(), notice: &|_| {} };
        assert!(!job.run_paid(&out, &purse, &Quiet).expect("a sound table").stored);
    });
}

#[divan::bench(args = ["csv", "csv, one pass", "parquet", "parquet, one pass"], sample_count = 3, sample_size = 1)]
fn privatise(bencher: Bencher<'_, '_>, form: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let table = if form.starts_with("csv") { csv(folder.path()) } else { parquet(folder.path()) };
    let table = TableFiles::one(&table).expect("a file of ours");
    let market = market(folder.path());
    let records = form.ends_with("one pass").then_some(ROWS);
    let job = Privatise { market: &market, table: &table, epsilon: epsilon(1.0), records, clip: false };
    bencher
        .counter(ItemsCount::new(ROWS))
        .bench_local(|| job.run(&folder.path().join("sales.rpl"), &Quiet).expect("a sound table"));
}

#[divan::bench(sample_count = 5)]
fn tally(bencher: Bencher<'_, '_>) {
    let spec = spec(1.0);
    assert_eq!(spec.report_bytes(), 2);
    let payload: Vec<u8> = codes(&spec, 1 << 16).flat_map(|code| (code as u16).to_le_bytes()).collect();
    let mut tally = Tally::new(&spec);
    bencher.counter(ItemsCount::new(100_u64 << 16)).bench_local(|| {
        for _ in 0..100 {
            tally.add_payload(&payload).expect("the spec's codes");
        }
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn counted(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, spec) = (folder.path().join("sales.rpl"), spec(1.0));
    let file = std::io::BufWriter::new(File::create(&path).expect("a folder of ours"));
    let mut log = LogWriter::new(file, &spec, SimRng::PROVENANCE).expect("room");
    for code in codes(&spec, REPORTS) {
        log.push_code(code).expect("room");
    }
    log.finish().expect("room");
    bencher.counter(ItemsCount::new(REPORTS)).bench_local(|| count(&[&path], &Quiet).expect("a sound log"));
}

fn codes(spec: &Spec, reports: u64) -> impl Iterator<Item = u32> {
    let codes = u64::from(spec.codes());
    (0..reports).map(move |i| ((i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % codes) as u32)
}
