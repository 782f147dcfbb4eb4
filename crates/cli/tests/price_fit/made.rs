//! Logs of a made-up market, and the command.

use std::fmt::Write;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;

use parquet::data_type::FloatType;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use reticent_privacy::{SimSeed, Stream};
use serde_json::Value;

const MARKET: &str = include_str!("../../../jobs/src/price/tests/market.toml");

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// Logs of two sites with 12,000 people each, and a sample of contexts.
    pub(crate) fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("market.toml", MARKET);
        folder.log("a.rpl", 12_000, "12", 100.0);
        folder.log("b.rpl", 12_000, "2", 100.0);
        let rows = (0..101).map(|i| format!("{i}\n")).collect::<Vec<String>>().concat();
        folder.write("target.csv", &format!("income\n{rows}"));
        folder
    }

    /// Privatises sales to people with incomes up to `most`, of whom the richer pay more.
    pub(crate) fn log(&self, name: &str, people: usize, epsilon: &str, most: f64) {
        let mut rng = SimSeed(people as u64).stream(0, Stream::Environment);
        let mut rows = String::from("income,price,bought\n");
        for _ in 0..people {
            let (income, price) = (most * rng.uniform(), 5.0 + 20.0 * rng.uniform());
            let share = (0.5 + (8.0 + 0.1 * income - price) / 4.0).clamp(0.02, 0.98);
            writeln!(rows, "{income},{price},{}", u8::from(rng.uniform() < share)).unwrap();
        }
        self.write("sales.csv", &rows);
        let call = ["privatise", "market.toml", "sales.csv", "--epsilon", epsilon, "--out", name, "--again"];
        assert!(self.price(&call).status.success());
        std::fs::remove_file(self.path("sales.csv")).unwrap();
    }

    /// The sample of contexts as Parquet, in single precision.
    pub(crate) fn parquet(&self, name: &str) {
        let schema = "message people { required float income; }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let properties = Arc::new(WriterProperties::builder().build());
        let file = File::create(self.path(name)).unwrap();
        let mut writer = SerializedFileWriter::new(file, schema, properties).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let cells: Vec<f32> = (0..101_u8).map(f32::from).collect();
        column.typed::<FloatType>().write_batch(&cells, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, in order; accounts are not among them.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name != "accounts");
        names.sort();
        names
    }

    /// Runs `reticent price` in the folder.
    pub(crate) fn price(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
        command.env("RETICENT_ACCOUNTS", "accounts");
        command.current_dir(self.0.path()).arg("price").args(args).output().unwrap()
    }

    /// Runs what must be refused with these words. The sentinel 4711 is in tables and contexts only.
    pub(crate) fn refused(&self, args: &[&str], words: &str) {
        let before = self.files();
        let output = self.price(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(words), "{words}: {error}");
        assert!(!error.contains("4711") && output.stdout.is_empty(), "{error}");
        assert_eq!(self.files(), before, "no file and no part of one");
    }
}

/// What was printed, if all was well.
pub(crate) fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_str(&said(output)).unwrap()
}
