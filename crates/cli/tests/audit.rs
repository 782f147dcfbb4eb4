//! The auditor as a command: what programs read, and what the exit code says.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::{Command, Output};

use serde_json::Value;

fn reticent(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_reticent")).args(args).output().unwrap()
}

fn results(output: &Output) -> Vec<Value> {
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    document["results"].as_array().unwrap().clone()
}

#[test]
fn all_is_audited_and_each_result_says_what_programs_need() {
    let output =
        reticent(&["audit", "--all", "--epsilon", "0.5,2", "--samples", "2000", "--seed", "5", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let results = results(&output);
    for result in &results {
        assert!(
            result["name"].is_string() && result["neighbours"].is_string() && result["event"].is_string()
        );
        let (claimed, measured) =
            (result["claimed"].as_f64().unwrap(), result["measured_lower_bound"].as_f64().unwrap());
        assert!(measured <= claimed, "{result}");
        assert!(result["confidence"].as_f64().unwrap() >= 1.0 - 1e-6);
        assert!(result["samples"].is_u64());
        assert_eq!(result["verdict"], "passes");
    }
    // Every mechanism and every private agent that `list` shows was audited, at both losses.
    let list: Value = serde_json::from_slice(&reticent(&["list", "--json"]).stdout).unwrap();
    let entries = list["agents"].as_array().unwrap().iter().chain(list["mechanisms"].as_array().unwrap());
    for entry in entries.filter(|entry| entry["guarantee"]["trust_model"] != "no-privacy") {
        for epsilon in [0.5, 2.0] {
            let audited = |result: &&Value| result["name"] == entry["name"] && result["claimed"] == epsilon;
            assert!(results.iter().any(|result| audited(&result)), "{} at {epsilon}", entry["name"]);
        }
    }
}

#[test]
fn mistakes_are_caught_and_an_auditor_that_misses_one_says_no() {
    let output = reticent(&["audit", "--broken", "--samples", "40000", "--seed", "5", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let caught = results(&output);
    assert!(caught.len() >= 10);
    for result in caught {
        assert_eq!((&result["verdict"], &result["caught"]), (&Value::from("leaks"), &Value::from(true)));
        assert!(
            result["measured_lower_bound"].as_f64().unwrap() > result["claimed"].as_f64().unwrap(),
            "{result}"
        );
    }
    // A hundred runs prove nothing at this confidence.
    let blind = reticent(&["audit", "--broken", "--samples", "100", "--seed", "5", "--json"]);
    assert_eq!(blind.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&blind.stderr).contains("were caught"));
}

#[test]
fn a_seed_repeats_an_audit_whatever_the_number_of_threads() {
    let audit = |threads: &str| {
        let args = ["audit", "--all", "--epsilon", "1", "--samples", "500", "--seed", "9", "--json"];
        reticent(&[&args[..], &["--threads", threads]].concat()).stdout
    };
    assert_eq!(audit("1"), audit("2"));
}

#[test]
fn an_audit_draws_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    assert!(reticent(&["audit", "k-rr", "--samples", "1000", "--out", out]).status.success());
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("k-rr"));
}

/// Lines of `reticent report`, counted: the outputs have the law that the mechanism states.
#[test]
fn reports_are_drawn_anew_and_have_the_stated_law() {
    let count = |name: &str, input: &str, wanted: &str| {
        let output = reticent(&["report", name, "--epsilon", "1", "--input", input, "--count", "40000"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), 40_000);
        text.lines().filter(|line| *line == wanted).count() as f64 / 40_000.0
    };
    // e/(1+e) = 0.7311, and e/(e+15) = 0.1534 for 16 symbols: within six standard deviations.
    assert!((count("randomised-response", "true", "true") - 0.7311).abs() < 0.0134);
    assert!((count("randomised-response", "false", "true") - 0.2689).abs() < 0.0134);
    assert!((count("k-rr", "3", "3") - 0.1534).abs() < 0.0109);
    let agent = r#"{"arm":0,"bit":true,"stage":0}"#;
    assert!((count("ldp-ucb-b", r#"{"reward":1}"#, agent) - 0.7311).abs() < 0.0134);
}

#[test]
fn a_refused_input_is_not_repeated() {
    for input in ["12345.678", "\"12345.678\"", "{12345.678", "{\"symbol\":12345678,\"domain\":16}"] {
        for name in ["randomised-response", "projective-geometry", "exponential-mechanism"] {
            let output = reticent(&["report", name, "--epsilon", "1", "--input", input]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{name} {input}: {said}");
            assert!(!said.contains("12345") && output.stdout.is_empty(), "{said}");
        }
    }
}
