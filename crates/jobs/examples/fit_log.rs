//! How long the steps of `tune fit` and `tune predict --contexts` take on a file, and a mark of what comes of them with
//! noise from a seed: a change that only speeds up leaves it alone.
//!
//! ```sh
//! cargo run --release -p reticent-jobs --example fit_log -- dose.toml log.csv 2 [contexts.csv]
//! cargo run --release -p reticent-jobs --example fit_log -- parquet log.csv log.parquet dose age weight response
//! ```
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for whoever measures")]

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use parquet::data_type::DoubleType;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use reticent_curate::kernel::{Collector, Population, ReleaseLoss, Surface};
use reticent_jobs::Silent;
use reticent_jobs::columns::{ColumnsError, RawTable, read};
use reticent_jobs::tune::{Function, Log, Plan, read_plan, write_table};
use reticent_privacy::{Delta, Epsilon, SimSeed, Stream};
use reticent_store::Fingerprint;
use reticent_store::accounts::Accounts;

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn now() -> Instant {
    Instant::now()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words[0] == "parquet" {
        return parquet(&words[1], &words[2], &words[3..]);
    }
    let threads: usize = words[2].parse().unwrap();
    let Plan { setting, table } = read_plan(Path::new(&words[0])).unwrap();
    let log = RawTable { format: table.clone(), ..RawTable::plain(Path::new(&words[1])).unwrap() };
    let folder = tempfile::tempdir().unwrap();
    let accounts = Accounts::open(&folder.path().join("accounts")).unwrap();

    let start = now();
    let (counted, _) = Log::new(&log, &setting).look(accounts.key(), &Silent).unwrap();
    println!("checked, {} rows: {:.2} s", counted.rows, start.elapsed().as_secs_f64());

    let budget = ReleaseLoss::new(Epsilon::new(1.0).unwrap(), Delta::new(1e-6).unwrap()).unwrap();
    let start = now();
    let mut collector =
        Collector::new(&setting, &Population::Uniform, counted.rows, budget, threads).unwrap();
    println!("designed: {:.2} s", start.elapsed().as_secs_f64());
    let start = now();
    Log::new(&log, &setting).each(counted.rows, &Silent, |records| Ok(collector.add(records)?)).unwrap();
    println!("added up: {:.2} s", start.elapsed().as_secs_f64());
    let release = collector.release_with(&mut SimSeed(1).stream(0, Stream::Noise)).unwrap();
    let mut mark = Fingerprint::default();
    for number in release.noisy() {
        mark.add(&number.to_le_bytes());
    }
    println!("  mark of the {} numbers: {:016x}", release.rank(), mark.value());

    let start = now();
    let surface = Surface::read(&release, threads).unwrap();
    println!("read: {:.2} s, error {:.12}", start.elapsed().as_secs_f64(), surface.typical_error());

    if let Some(contexts) = words.get(3) {
        let function = Function::of(release, threads).unwrap();
        let contexts = RawTable { format: table, ..RawTable::plain(Path::new(contexts)).unwrap() };
        let (start, out) = (now(), folder.path().join("out.csv"));
        let rows = write_table(&function, &contexts, None, &out, threads, &Silent).unwrap();
        println!("predicted, {rows} rows: {:.2} s", start.elapsed().as_secs_f64());
        let mut mark = Fingerprint::default();
        mark.add(&std::fs::read(&out).unwrap());
        println!("  mark of the predictions: {:016x}", mark.value());
    }
}

/// The same table as Parquet.
fn parquet(from: &str, to: &str, names: &[String]) {
    let fields: Vec<String> = names.iter().map(|name| format!("required double {name};")).collect();
    let schema = Arc::new(parse_message_type(&format!("message log {{ {} }}", fields.join(" "))).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(File::create(to).unwrap(), schema, properties).unwrap();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut columns = vec![Vec::new(); names.len()];
    read(Path::new(from), &names, |batch| -> Result<(), ColumnsError> {
        columns
            .iter_mut()
            .enumerate()
            .for_each(|(place, cells)| cells.extend_from_slice(batch.column(place)));
        Ok(())
    })
    .unwrap();
    let mut group = writer.next_row_group().unwrap();
    for cells in &columns {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(cells, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}
