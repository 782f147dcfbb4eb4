//! `--json` prints one document, with what programs rely on, whatever the number of threads.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;

use serde_json::Value;

fn simulate(args: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
    let output = command.args(["simulate", "--json"]).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_document_has_what_programs_need() {
    let document = simulate(&[
        "--agent",
        "ldp-ucb-b",
        "--epsilon",
        "0.5",
        "--users",
        "2000",
        "--trials",
        "4",
        "--seed",
        "3",
    ]);
    for (key, value) in
        [("agent", "ldp-ucb-b"), ("env", "mab-bernoulli"), ("provenance", "simulation, not private")]
    {
        assert_eq!(document[key], value);
    }
    for (key, value) in [("users", 2000), ("trials", 4), ("seed", 3)] {
        assert_eq!(document[key], value);
    }
    assert_eq!(document["epsilon"], 0.5);
    let guarantee = &document["guarantee"];
    assert_eq!((&guarantee["loss"], &guarantee["noise"]), (&"unbounded".into(), &document["provenance"]));
    assert_eq!(guarantee["would_be"]["loss"]["pure"]["epsilon"], 0.5);
    assert_eq!(document["regret"]["per_trial"].as_array().unwrap().len(), 4);
    assert!(document["regret"]["mean"].is_f64() && document["regret"]["sd"].is_f64());
    assert_eq!(document["regret"]["ci95"].as_array().unwrap().len(), 2);
    let curve = document["curve"].as_array().unwrap();
    assert_eq!(curve.last().unwrap()["users"], 2000);
    assert_eq!(curve.last().unwrap()["mean"], document["regret"]["mean"]);
    assert!(
        document["seconds"].as_f64().unwrap() > 0.0 && document["users_per_second"].as_f64().unwrap() > 0.0
    );
}

#[test]
fn baselines_say_that_they_are_not_private() {
    let document = simulate(&["--agent", "ucb1", "--epsilon", "2", "--users", "100", "--trials", "1"]);
    assert_eq!(document["guarantee"]["trust_model"], "no-privacy");
    assert_eq!(document["guarantee"]["loss"], "unbounded");
    assert!(document["regret"]["sd"].is_null(), "one trial has no spread");
}

#[test]
fn threads_change_the_time_and_nothing_else() {
    let with = |threads: &str| {
        let mut document =
            simulate(&["--epsilon", "1", "--users", "20000", "--trials", "5", "--threads", threads]);
        let fields = document.as_object_mut().unwrap();
        fields.remove("seconds");
        fields.remove("users_per_second");
        document
    };
    assert_eq!(with("1"), with("2"));
}

#[test]
fn a_tuning_plan_says_what_to_expect() {
    let plan = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tune/dose.toml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
    let output = command.args(["tune", "plan", plan, "--people", "2000,20000", "--json"]).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["plan"]["action"][0]["column"], "dose");
    assert_eq!(document["guarantee"]["loss"]["approximate"]["epsilon"], 1.0);
    let [few, many] = [0, 1].map(|row| document["expected"][row].clone());
    assert_eq!((&few["people"], &many["people"]), (&2000.into(), &20_000.into()));
    let number = |row: &Value, key: &str| row[key].as_f64().unwrap();
    for key in ["error", "error_without_privacy", "noise"] {
        assert!(number(&few, key) > number(&many, key) && number(&many, key) > 0.0, "{key}");
    }
    assert!(number(&few, "error") < document["expected_with_nobody"].as_f64().unwrap());
}
