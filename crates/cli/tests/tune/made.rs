//! A folder with a plan and a log of an easy world.

use std::fmt::Write;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;

use parquet::data_type::DoubleType;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use reticent_privacy::{SimSeed, Stream};
use serde_json::Value;

const PLAN: &str = "
[[action]]
column = \"dose\"
low = 0.0
high = 10.0
length = 0.5

[[context]]
column = \"age\"
low = 18.0
high = 90.0
length = 0.5

[reward]
column = \"response\"
low = 0.0
high = 1.0
noise = 0.2

[kernel]
family = \"squared-exponential\"
rank = 48
";

/// From 3 at the youngest to 7 at the oldest.
pub(super) fn best_dose(age: f64) -> f64 {
    3.0 + 4.0 * (age - 18.0) / 72.0
}

/// Dose, age and response: 0.9 at the best dose and less by the square of the distance, with even noise of +-0.1.
fn rows(count: usize) -> Vec<[f64; 3]> {
    let mut rng = SimSeed(11).stream(0, Stream::Environment);
    let mut row = || {
        let (dose, age) = (10.0 * rng.uniform(), 18.0 + 72.0 * rng.uniform());
        let apart = (dose - best_dose(age)) / 10.0;
        [dose, age, 0.9 - 1.2 * apart * apart + 0.2 * (rng.uniform() - 0.5)]
    };
    (0..count).map(|_| row()).collect()
}

pub(super) struct Folder(tempfile::TempDir);

impl Folder {
    /// A plan and a log of so many people.
    pub(super) fn new(people: usize) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("plan.toml", PLAN);
        let mut text = "dose,age,response\n".to_string();
        for [dose, age, response] in rows(people) {
            writeln!(text, "{dose},{age},{response}").unwrap();
        }
        folder.write("log.csv", &text);
        folder
    }

    /// The same log as Parquet, its columns in another order.
    pub(super) fn parquet(&self, people: usize) -> PathBuf {
        let path = self.path("log.parquet");
        let schema = "message log { required double response; required double dose; required double age; }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let properties = Arc::new(WriterProperties::builder().build());
        let mut writer = SerializedFileWriter::new(File::create(&path).unwrap(), schema, properties).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let rows = rows(people);
        for place in [2, 0, 1] {
            let mut column = group.next_column().unwrap().unwrap();
            let cells: Vec<f64> = rows.iter().map(|row| row[place]).collect();
            column.typed::<DoubleType>().write_batch(&cells, None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        path
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(super) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, in order; accounts are not among them.
    pub(super) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name != "accounts");
        names.sort();
        names
    }

    /// Runs `reticent tune` in the folder.
    pub(super) fn tune(&self, args: &[&str]) -> Output {
        self.reticent("tune", args)
    }

    /// Runs a command in the folder.
    pub(super) fn reticent(&self, command: &str, args: &[&str]) -> Output {
        let mut call = Command::new(env!("CARGO_BIN_EXE_reticent"));
        call.env("RETICENT_ACCOUNTS", "accounts");
        call.current_dir(self.0.path()).arg(command).args(args).output().unwrap()
    }

    /// The same, when it must succeed.
    pub(super) fn done(&self, args: &[&str]) {
        let output = self.tune(args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

pub(super) fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}
