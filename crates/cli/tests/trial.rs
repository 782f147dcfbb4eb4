//! `reticent trial` as programs use it: one document, files that are whole, the same numbers on any number of threads.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use reticent_curate::trial::TrialSpec;
use serde_json::Value;

fn trial(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
    command.arg("trial").args(args).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_simulation_is_one_document_whatever_the_threads() {
    let with = |threads| {
        let output = trial(&[
            "simulate",
            "--people",
            "400",
            "--strata",
            "2",
            "--epsilon",
            "1",
            "--trials",
            "6",
            "--json",
            "--threads",
            threads,
        ]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        json(&output)
    };
    let document = with("1");
    assert_eq!(document, with("2"));
    assert_eq!(document["provenance"], "simulation, not private");
    assert_eq!(document["guarantee"]["loss"], "unbounded", "a seed protects nobody");
    assert_eq!(document["guarantee"]["would_be"]["loss"]["pure"]["epsilon"], 1.0);
    assert_eq!(document["methods"].as_array().unwrap().len(), 4);
    let method = &document["methods"][2];
    assert_eq!(method["method"]["planned"], "augmented");
    assert!(
        method["everyone"][0]["coverage"]["share"].is_f64()
            && method["everyone"][0]["squared_error"]["sd"].is_f64()
    );
    assert_eq!(method["strata"].as_array().unwrap().len(), 2);
}

#[test]
fn a_folder_gets_the_summary_and_the_first_report() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    assert!(
        trial(&["simulate", "--people", "300", "--epsilon", "1", "--trials", "2", "--out", out])
            .status
            .success()
    );
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let report: Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!(report["format"], "reticent-trial-report");
    assert_eq!(report["enrolled"], 300);
    assert!(read("report.html").contains("not private; seed 1"));
    assert!(serde_json::from_str::<Value>(&read("simulation.json")).unwrap()["regret"]["mean"].is_f64());
}

#[test]
fn a_plan_can_be_written_drawn_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (spec, plot) = (path("SPEC.toml"), path("power.svg"));
    let args = [
        "plan",
        "--better",
        "higher",
        "--effect",
        "30",
        "--sd",
        "20",
        "--base",
        "40",
        "--range",
        "0,100",
        "--epsilon",
        "4",
        "--trials",
        "20",
    ];
    let output = trial(&[&args[..], &["--json", "--write-spec", &spec, "--plot", &plot]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let document = json(&output);
    let written: TrialSpec = toml::from_str(&std::fs::read_to_string(&spec).unwrap()).unwrap();
    assert_eq!(document["people"], written.draft().people);
    assert!(!written.draft().outcome.binary);
    let designs = document["designs"].as_array().unwrap();
    assert_eq!(designs.len(), 2, "as planned, and without privacy");
    assert!(std::fs::read_to_string(&plot).unwrap().starts_with("<svg"));
}

#[test]
fn too_few_people_are_a_no_and_write_no_plan() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("SPEC.toml");
    let args = [
        "plan",
        "--better",
        "higher",
        "--effect",
        "0.02",
        "--epsilon",
        "1",
        "--trials",
        "5",
        "--max-people",
        "80",
    ];
    let output = trial(&[&args[..], &["--write-spec", spec.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(!Path::new(&spec).exists());
}

/// A finished table of 2,000 people, in which a covariate tells a good part of the outcome.
fn adjustable(folder: &Path) -> [String; 2] {
    let mut table = "before,arm,after\n".to_string();
    for person in 0..2000_u32 {
        let (before, arm) = (f64::from(person * 7 % 100) / 100.0, person % 2);
        let after = 0.3 + 0.4 * before + 0.05 * f64::from(arm) + 0.1 * f64::from(person * 13 % 17) / 17.0;
        writeln!(table, "{before},{arm},{after:.4}").unwrap();
    }
    let plan = "name = \"a\"\narms = [\"no\", \"yes\"]\npeople = 2000\nbetter = \"higher\"\nepsilon = 1.0\n\n\
        [outcome]\ncolumn = \"after\"\nlow = 0.0\nhigh = 1.0\n\n[adjust]\ndelta = 1e-6\n\n[[adjust.covariate]]\n\
        column = \"before\"\nlow = 0.0\nhigh = 1.0\n\n[replay]\narm_column = \"arm\"\narm_values = [\"0\", \"1\"]\n";
    let [plan_at, table_at] = ["plan.toml", "table.csv"].map(|name| folder.join(name));
    std::fs::write(&plan_at, plan).unwrap();
    std::fs::write(&table_at, table).unwrap();
    [plan_at, table_at].map(|path| path.to_str().unwrap().to_string())
}

/// An adjusted release states its own guarantee and pays it; where it would hardly pay the plain one is made, and said.
#[test]
fn an_effect_is_adjusted_where_that_pays() {
    let folder = tempfile::tempdir().unwrap();
    let [plan, table] = adjustable(folder.path());
    let accounts = folder.path().join("accounts");
    let release = |more: &[&str]| {
        let account = ["--accounts", accounts.to_str().unwrap(), "--json", "--again"];
        let output = trial(&[&["analyse", &plan, "--data", &table], &account[..], more].concat());
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(output.status.success(), "{said}");
        (json(&output), said)
    };
    let width = |document: &Value| {
        let interval = &document["effects"][0]["anytime"];
        interval["high"].as_f64().unwrap() - interval["low"].as_f64().unwrap()
    };
    let (adjusted, said) = release(&["--adjust", "--epsilon", "8"]);
    assert!(!said.contains("hardly pay"), "{said}");
    assert!(adjusted["guarantee"]["loss"]["concentrated"]["rho"].as_f64() > Some(1.0), "{adjusted}");
    let (plain, _) = release(&["--epsilon", "8"]);
    assert!(width(&adjusted) < width(&plain), "{} {}", width(&adjusted), width(&plain));
    let (fallen, said) = release(&["--adjust", "--epsilon", "0.5"]);
    assert!(said.contains("hardly pay"), "{said}");
    assert_eq!(fallen["guarantee"]["loss"]["pure"]["epsilon"], 0.5, "{fallen}");
    let tried = ["--adjust", "--epsilon", "8", "--seed", "1", "--bootstrap", "40", "--json"];
    let output = trial(&[&["analyse", &plan, "--data", &table][..], &tried].concat());
    let found = &json(&output)["effects"][0];
    assert!((found["reference"].as_f64().unwrap() - 0.05).abs() < 0.02, "{found}");
    assert!(found["rows"][0]["coverage"].as_f64().unwrap() > 0.6, "{found}");
    let without = std::fs::read_to_string(&plan).unwrap().replace("[adjust]", "[other]");
    std::fs::write(&plan, without.split("[other]").next().unwrap()).unwrap();
    let refused = trial(&["analyse", &plan, "--data", &table, "--adjust", "--seed", "1"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("[adjust]"));
}
