//! The cases in `vectors/` that every implementation is held to: this one too. Each case has its inputs and what
//! they must give; the test reads them and computes the rest. `RETICENT_WRITE=1` writes them anew.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod decimals;
mod devices;
mod experiments;
mod oracles;
mod policies;
mod reports;
mod thresholds;

use std::path::PathBuf;

use serde_json::{Value, json};

/// A kind of cases: which inputs there are, and what an input gives.
struct Kind {
    name: &'static str,
    about: &'static str,
    inputs: fn() -> Vec<Value>,
    output: fn(&Value) -> Value,
}

const KINDS: [Kind; 7] = [
    decimals::KIND,
    experiments::KIND,
    thresholds::KIND,
    oracles::KIND,
    policies::KIND,
    reports::KIND,
    devices::KIND,
];

/// What an implementation must say of a case that it may not accept.
fn refused() -> Value {
    json!("refused")
}

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "vectors", &format!("{name}.json")].iter().collect()
}

fn write(kind: &Kind) {
    let cases: Vec<String> = (kind.inputs)()
        .iter()
        .map(|input| {
            serde_json::to_string(&json!({ "input": input, "output": (kind.output)(input) })).unwrap()
        })
        .collect();
    let about = serde_json::to_string(kind.about).unwrap();
    let text = format!("{{\"about\": {about},\n\"cases\": [\n{}\n]}}\n", cases.join(",\n"));
    std::fs::write(path(kind.name), text).unwrap();
}

#[test]
fn this_implementation_agrees_with_every_case() {
    let mut cases = 0;
    for kind in &KINDS {
        if std::env::var_os("RETICENT_WRITE").is_some() {
            write(kind);
        }
        let text = std::fs::read_to_string(path(kind.name)).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        for case in file["cases"].as_array().unwrap() {
            assert_eq!((kind.output)(&case["input"]), case["output"], "{}: {}", kind.name, case["input"]);
            cases += 1;
        }
        assert_eq!(
            file["cases"].as_array().unwrap().len(),
            (kind.inputs)().len(),
            "{} is complete",
            kind.name
        );
    }
    assert!(cases >= 500, "{cases} cases");
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

fn unhex(text: &Value) -> Vec<u8> {
    let text = text.as_str().unwrap();
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// Words that look random and are the same in every run.
fn words(case: u64, count: usize) -> Vec<u32> {
    let mut state = case.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..count)
        .map(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (mixed ^ (mixed >> 27)) as u32
        })
        .collect()
}
