//! `reticent price privatise` as people use it: a table becomes a log that can be counted, and what is
//! refused leaves no trace and tells no value.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;
use std::process::{Command, Output};

use reticent_jobs::Progress;
use reticent_jobs::price::count;
use serde_json::Value;

struct Quiet;

impl Progress for Quiet {
    fn trial(&self, _: usize, _: usize) {}
    fn stop(&self) -> bool {
        false
    }
}

struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with the example's market and a table of so many sales.
    fn new(rows: usize) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let example = folder.run(&["--example"]);
        assert!(example.status.success());
        std::fs::write(folder.path("market.toml"), example.stdout).unwrap();
        let row = |i: usize| format!("{},{},{}\n", i % 100_001, 5.0 + (i % 201) as f64 / 10.0, i % 2);
        let rows: String = (0..rows).map(row).collect();
        folder.write("sales.csv", &format!("income,price,bought\n{rows}"));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// The names of all files, in order; accounts are not among them.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name != "accounts");
        names.sort();
        names
    }

    /// Runs `reticent price privatise` in the folder.
    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
        command.env("RETICENT_ACCOUNTS", "accounts");
        command.current_dir(self.0.path()).args(["price", "privatise"]).args(args).output().unwrap()
    }

    /// Privatises a table that must be refused with these words. The sentinel 4711 is in tables only.
    fn refused(&self, args: &[&str], words: &str) {
        let before = self.files();
        for more in [&[][..], &["--records", "1000"]] {
            let output = self.run(&[args, more].concat());
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code() == Some(2) && error.contains(words), "{words}: {error}");
            assert!(!error.contains("4711") && output.stdout.is_empty(), "{error}");
            assert_eq!(self.files(), before, "no log and no part of one");
        }
    }
}

const CALL: [&str; 6] = ["market.toml", "bad.csv", "--epsilon", "1", "--out", "sales.rpl"];

#[test]
fn a_table_becomes_a_log_that_can_be_counted() {
    let folder = Folder::new(20_000);
    let call = ["market.toml", "sales.csv", "--epsilon", "1", "--out"];
    let output = folder.run(&[&call[..], &["a.rpl", "--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&document["rows"], &document["bytes_per_report"]), (&20_000.into(), &1.into()));
    assert_eq!(document["guarantee"]["loss"]["pure"]["epsilon"], 1.0);
    assert_eq!(document["noise"], "operating system entropy");
    assert_eq!(document["bytes"], std::fs::metadata(folder.path("a.rpl")).unwrap().len());
    let tallies = count(&[&folder.path("a.rpl")], &Quiet).unwrap();
    assert_eq!((tallies.len(), tallies[0].reports()), (1, 20_000));
    assert_eq!(serde_json::to_value(tallies[0].spec()).unwrap(), document["spec"]);
    let again = folder.run(&[&call[..], &["a.rpl"]].concat());
    assert!(String::from_utf8_lossy(&again.stderr).contains("--force"), "a file that exists is not replaced");
    let text = folder.run(&[&call[..], &["b.rpl", "--again", "--clip"]].concat());
    let text = String::from_utf8_lossy(&text.stdout);
    for words in [
        "20,000 rows privatised into b.rpl",
        "epsilon 1 spent before, epsilon 2 now",
        "1-DP, local model for each row",
        "several rows",
        "1 for each report",
        "questions   3",
        "sales.csv is as raw as before",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn bad_tables_are_refused_with_row_and_column() {
    let folder = Folder::new(10);
    for (row, words) in [
        ("50,4711,1", "bad.csv: row 9001, column `price`: outside the declared range"),
        ("-4711,9,1", "bad.csv: row 9001, column `income`: outside the declared range"),
        ("50,9,4711", "bad.csv: row 9001, column `bought`: outside the declared range"),
        ("4711,NaN,1", "bad.csv: row 9001, column `price`: not a finite number"),
        ("4711,9,nan", "bad.csv: row 9001, column `bought`: not a finite number"),
        ("4711,9,", "bad.csv: row 9001, column `bought`: no value"),
        ("4711,9", "bad.csv: row 9001: 2 columns where the header has 3"),
        ("4711 EUR,9,1", "bad.csv: row 9001, column `income`: not a number"),
    ] {
        folder.write("bad.csv", &format!("income,price,bought\n{}{row}\n", "50,9,1\n".repeat(9000)));
        folder.refused(&CALL, words);
    }
    folder.write("bad.csv", "income,bought\n4711,1\n");
    folder.refused(&CALL, "bad.csv: the header has no column `price`");
    folder.write("bad.csv", "4711,9,1\n");
    folder.refused(&CALL, "is the first line a header");
    folder.write("bad.csv", "income,price,bought\n");
    folder.refused(&CALL, "there are no rows");
    folder.write("bad.csv", "income,price,bought\n50,4711,1\n");
    assert!(folder.run(&[&CALL[..], &["--clip"]].concat()).status.success());
}

#[test]
fn bad_calls_are_refused() {
    let folder = Folder::new(10);
    folder.write("bad.csv", "income,price,bought\n50,9,1\n");
    folder.refused(&["bad.csv", "bad.csv", "--epsilon", "1", "--out", "a.rpl"], "--example");
    folder.refused(&["market.toml", "bad.csv", "--epsilon", "1", "--out", "bad.csv"], "this is the table");
    folder.refused(
        &["market.toml", "bad.csv", "--epsilon", "1", "--out", "market.toml"],
        "this is the market file",
    );
    folder.refused(&["market.toml", "none.csv", "--epsilon", "1", "--out", "a.rpl"], "none.csv");
    folder.refused(&["market.toml", "bad.csv", "--epsilon", "0", "--out", "a.rpl"], "epsilon");
    folder.refused(&["market.toml", "bad.csv", "--out", "a.rpl"], "--epsilon");
    let none = folder.run(&[&CALL[..], &["--records", "0"]].concat());
    assert!(String::from_utf8_lossy(&none.stderr).contains("at least one record"));
}

#[test]
fn logs_that_are_cut_newer_or_of_another_market_are_refused() {
    let folder = Folder::new(500);
    let made = |market: &str, out: &str| {
        assert!(
            folder.run(&[market, "sales.csv", "--epsilon", "1", "--out", out, "--again"]).status.success()
        );
        folder.path(out)
    };
    let log = made("market.toml", "a.rpl");
    let market = std::fs::read_to_string(folder.path("market.toml")).unwrap();
    folder.write("wider.toml", &market.replace("high = 25", "high = 30"));
    let other = made("wider.toml", "other.rpl");
    let says = |logs: &[&PathBuf]| {
        let logs: Vec<_> = logs.iter().map(|log| log.as_path()).collect();
        count(&logs, &Quiet).unwrap_err().to_string()
    };
    let error = says(&[&log, &other]);
    assert!(
        error.contains("a.rpl and ") && error.contains("other.rpl were made with different market files"),
        "{error}"
    );
    let bytes = std::fs::read(&log).unwrap();
    let bad = folder.path("bad.rpl");
    std::fs::write(&bad, &bytes[..bytes.len() / 2]).unwrap();
    assert!(says(&[&bad]).contains("bad.rpl: the log is cut short"));
    std::fs::write(&bad, [&bytes[..8], &[3], &bytes[9..]].concat()).unwrap();
    assert!(says(&[&bad]).contains("bad.rpl: the log has version 3"));
}
