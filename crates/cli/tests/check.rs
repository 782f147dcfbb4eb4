//! `reticent check` as curators use it: on what the other commands wrote.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

const MARKET: &str = include_str!("../../jobs/src/price/tests/market.toml");

struct Folder(tempfile::TempDir);

impl Folder {
    /// A table of sales, one of doses and one of patients, with their plans.
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let (mut sales, mut doses, mut patients) = (
            String::from("income,price,bought\n"),
            String::from("dose,benefit\n"),
            String::from("arm,well\n"),
        );
        for i in 0..300 {
            writeln!(sales, "{},{},{}", i % 100, 5 + i % 20, i % 2).unwrap();
            writeln!(doses, "{},{}", i % 10, i % 3).unwrap();
            writeln!(patients, "{},{}", i % 2, i % 3 % 2).unwrap();
        }
        folder.write("market.toml", MARKET);
        folder.write("sales.csv", &sales);
        folder.write("doses.csv", &doses);
        folder.write("patients.csv", &patients);
        folder.write(
            "dose.toml",
            "[[action]]\ncolumn = \"dose\"\nlow = 0.0\nhigh = 10.0\n[reward]\ncolumn = \"benefit\"\nlow = 0.0\nhigh = 2.0\n",
        );
        folder.write(
            "trial.toml",
            "name = \"sleep\"\narms = [\"placebo\", \"drug\"]\npeople = 100\nbetter = \"higher\"\nepsilon = 2.0\nobserved = [0.5, 0.5]\n\
             [outcome]\ncolumn = \"well\"\nlow = 0.0\nhigh = 1.0\nbinary = true\n\
             [replay]\narm_column = \"arm\"\narm_values = [\"0\", \"1\"]\n",
        );
        folder
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn run(&self, call: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
        command.env("RETICENT_ACCOUNTS", "accounts");
        command.current_dir(self.0.path()).args(call.split_whitespace()).output().unwrap()
    }

    /// What a command that must succeed wrote on standard output.
    fn done(&self, call: &str) -> String {
        let output = self.run(call);
        assert!(output.status.success(), "{call}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Exit code and both texts of a check.
    fn check(&self, files: &str) -> (i32, String, String) {
        let output = self.run(&format!("check {files}"));
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

#[test]
fn all_that_commands_publish_passes() {
    let folder = Folder::new();
    folder.done("price privatise market.toml sales.csv --epsilon 1 --out sales.rpl");
    folder.done("price fit sales.rpl --out policy.json");
    folder.done("tune fit dose.toml doses.csv --epsilon 1 --limit-epsilon 2 --out dose.json");
    let action = folder.done("tune fit dose.toml doses.csv --epsilon 0.5 --once= --json");
    folder.write("action.json", &action);
    folder.done("trial run trial.toml --data patients.csv --out report");
    let status = folder.done("trial run trial.toml --data patients.csv --json");
    folder.write("status.json", &status);
    let files =
        "sales.rpl policy.json dose.json action.json report/report.json report/release.json status.json";
    let (code, text, error) = folder.check(files);
    assert_eq!((code, error.as_str()), (0, ""), "{text}");
    for words in [
        "sales.rpl: privatised log, version 2: sound and private",
        "policy.json: price policy, version 3: sound and private",
        "dose.json: released function, version 3: sound and private",
        "action.json: chosen action, version 1: sound and private",
        "report/report.json: trial's report, version 4: sound and private",
        "report/release.json: trial's release, version 4: sound and private",
        "  guarantee   2-DP, central model\n  noise       operating system entropy\n",
        "  reports     300\n",
        "  protects    one person's context and reward\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let (code, text, _) = folder.check(&format!("{files} --json"));
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &document["passed"]), (0, &true.into()));
    let files = document["files"].as_array().unwrap();
    assert_eq!((files.len(), &files[0]["kind"]), (7, &"privatised-log".into()));
    assert!(files.iter().all(|file| file["private"] == true && file["sound"] == true));
    assert_eq!(files[0]["counts"]["reports"], 300);
}

#[test]
fn a_simulation_does_not_pass() {
    let folder = Folder::new();
    folder.done("trial run trial.toml --data patients.csv --seed 1 --out report");
    folder.done("trial simulate --people 100 --epsilon 1 --trials 1 --out simulated");
    for file in
        ["report/report.json", "report/release.json", "simulated/report.json", "simulated/release.json"]
    {
        let (code, text, error) = folder.check(file);
        assert_eq!((code, error.as_str()), (1, "error: 1 of 1 files did not pass\n"), "{text}");
        assert!(text.contains(": not private: its noise came from a seed"), "{text}");
        assert!(text.contains("  guarantee   simulation, not private (would be "), "{text}");
    }
    let (code, text, _) = folder.check("report/report.json --json");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (code, &document["passed"], &document["files"][0]["private"]),
        (1, &false.into(), &false.into())
    );
    assert_eq!(document["files"][0]["guarantee"]["loss"], "unbounded");
    folder.done("trial run trial.toml --data patients.csv --no-privacy --out open");
    assert!(folder.check("open/report.json").1.contains("not private: nothing was hidden"));
}

#[test]
fn what_is_damaged_raw_or_missing_does_not_pass_either() {
    let folder = Folder::new();
    folder.done("price privatise market.toml sales.csv --epsilon 1 --out sales.rpl");
    let mut log = std::fs::read(folder.0.path().join("sales.rpl")).unwrap();
    let place = log.len() - 30;
    log[place] ^= 1;
    std::fs::write(folder.0.path().join("bad.rpl"), log).unwrap();
    let (code, text, error) = folder.check("sales.rpl bad.rpl sales.csv");
    assert_eq!((code, error.as_str()), (1, "error: 2 of 3 files did not pass\n"));
    for words in [
        "sales.rpl: privatised log, version 2: sound and private",
        "bad.rpl: block 1 of the log is damaged",
        "sales.csv: this is nothing that reticent publishes",
        "  verdict     not sound",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let (code, text, error) = folder.check("sales.rpl none.rpl");
    assert_eq!((code, text.as_str()), (2, ""));
    assert!(error.contains("none.rpl"), "{error}");
    assert_eq!(folder.check("").0, 2, "there must be a file");
}
