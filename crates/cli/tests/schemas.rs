//! Every document that a command prints says what it is, and is as `docs/schemas` publishes it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod desk;

use std::collections::BTreeSet;
use std::path::Path;

use desk::served::{Served, create};
use desk::{CALLS, Desk};
use serde_json::{Value, json};

/// Forms that the other tests do not need: rarer fields, and the rest of the kinds.
const MORE: [&str; 33] = [
    "simulate --agent ucb1 --users 300 --trials 2 --json",
    "simulate --epsilon 1 --users 300 --trials 1 --batch 10 --json",
    "simulate --env symmetric --epsilon 4 --users 100 --trials 1 --source people=100,epsilon=8 --arm-epsilon 1 --json",
    "simulate --epsilon 1 --users 300 --trials 1 --forgers 0.1 --forger lie --json",
    "audit --broken --samples 1000 --seed 1 --json",
    "audit --command cat --input 0 --input 0.0 --epsilon 1 --samples 5000 --json",
    "check report/report.json report/release.json people.csv --json",
    "trial simulate --people 120 --no-privacy --trials 1 --strata 2 --json",
    "trial plan --better higher --effect 0.1 --base 0.2 --epsilon 1 --trials 4 --max-people 100 --power 0.99 --json",
    "trial run trial.toml --data people.csv --no-privacy --seed 1 --json",
    "tune fit dose.toml log.csv --epsilon 1 --once age=40 --again --json",
    "tune fit dose.toml log.csv --method usca --epsilon 1 --once age=40 --again --json",
    "tune fit dose.toml log.csv --method dubey --epsilon 1 --again --target patients.csv --out dubey.json --json",
    "tune fit dose.toml log.csv --method gp --not-private --target patients.csv --out raw.json --json",
    "check dubey.json raw.json --json",
    "tune plan dose.toml --people 1000 --batch 5 --out actions.csv --json",
    "tune predict dose.json --at age=40 --action dose=3 --plot one.svg --json",
    "tune predict dose.json --plot two.svg --json",
    "price privatise market.toml sales.csv --epsilon 4 --again --out more.rpl --json",
    "price fit sales.rpl --cost 3 --target visitors.csv --plot three.svg --out third-policy.json --json",
    "price quote policy.json --plot four.svg --json",
    "price evaluate policy.json sales.rpl --target visitors.csv --json",
    "price fit sales.rpl --step 0.5 --rises-with income --min-volume 0.2 --max-mean-price 20 --report prices.html --out ruled.json --json",
    "price fit sales.rpl --method single --ending .99 --out single.json --json",
    "price fit sales.csv --method nw-lcb --not-private --market market.toml --target visitors.csv --out near.csv --json",
    "price fit sales.csv --method ldp-nw-lcb --not-private --epsilon 2 --market market.toml --target visitors.csv --out cells.csv --json",
    "price quote ruled.json --at income=40 --json",
    "price quote ruled.json --contexts visitors.csv --out quotes.parquet --json",
    "price evaluate sales.rpl --prices-of quotes.csv --json",
    "price evaluate policy.json sales.rpl --prices-of quotes.csv --json",
    "check market.toml --json",
    "check market.toml sales.csv --json",
    "check market.toml wrong.csv --json",
];

fn schemas() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas"))
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What a schema can say here; a keyword that is not among them would go unchecked, so it is refused.
const KEYWORDS: [&str; 13] = [
    "$schema",
    "$defs",
    "$ref",
    "title",
    "description",
    "type",
    "const",
    "enum",
    "anyOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
];

/// What is wrong with a value, by this schema: the places.
fn faults(value: &Value, schema: &Value, root: &Value, at: &str) -> Vec<String> {
    let schema = match schema["$ref"].as_str() {
        Some(place) => root.pointer(place.trim_start_matches('#')).unwrap_or_else(|| panic!("no {place}")),
        None => schema,
    };
    let rules = schema.as_object().unwrap();
    let unknown = rules.keys().find(|key| !KEYWORDS.contains(&key.as_str()));
    assert!(unknown.is_none(), "{at}: the schema says {unknown:?}, which is not checked here");
    let mut found = Vec::new();
    let mut wrong = |what: &str| found.push(format!("{at}: {what}"));
    if schema.get("const").is_some_and(|one| one != value) {
        wrong("another value");
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        wrong("none of the values");
    }
    if schema.get("type").is_some_and(|kind| !is_of(value, kind)) {
        wrong("another type");
    }
    if let Some(any) = schema["anyOf"].as_array()
        && any.iter().all(|one| !faults(value, one, root, at).is_empty())
    {
        wrong("none of the forms");
    }
    if let Some(fields) = value.as_object() {
        let missing = schema["required"].as_array().into_iter().flatten();
        for name in missing.filter_map(Value::as_str).filter(|name| !fields.contains_key(*name)) {
            wrong(&format!("no {name}"));
        }
        for (name, field) in fields {
            let (known, rest) = (&schema["properties"][name], &schema["additionalProperties"]);
            match if known.is_null() { rest } else { known } {
                Value::Null => {}
                Value::Bool(allowed) => {
                    if !allowed {
                        found.push(format!("{at}: {name} is not in the schema"));
                    }
                }
                rule => found.extend(faults(field, rule, root, &format!("{at}/{name}"))),
            }
        }
    }
    for (place, item) in value.as_array().into_iter().flatten().enumerate() {
        if !schema["items"].is_null() {
            found.extend(faults(item, &schema["items"], root, &format!("{at}/{place}")));
        }
    }
    found
}

fn is_of(value: &Value, kind: &Value) -> bool {
    let is = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type {other}"),
    };
    match kind {
        Value::String(one) => is(one),
        several => several.as_array().unwrap().iter().filter_map(Value::as_str).any(is),
    }
}

/// Whether a document is as published; the schema's name is the document's format.
fn check(call: &str, document: &Value) -> String {
    let format = document["format"].as_str().unwrap_or_else(|| panic!("{call}: no format")).to_string();
    assert!(document["version"].is_u64(), "{call}: no version");
    let schema = read(&schemas().join(format!("{format}.json")));
    let found = faults(document, &schema, &schema, "");
    assert!(found.is_empty(), "{call}: {}", found.join("\n"));
    format
}

#[test]
fn every_document_is_as_published() {
    let desk = Desk::new();
    let mut met = BTreeSet::new();
    for call in CALLS.into_iter().chain(MORE) {
        let output = desk.output(call);
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{call}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let experiment = call.starts_with("experiment");
        if call.ends_with("--json") && !experiment {
            met.insert(check(call, &serde_json::from_slice(&output.stdout).unwrap()));
        }
    }
    let served = Served::start(&desk);
    let (key, address) = (create(&desk, "page.toml"), &served.address);
    let call = format!("play page.toml --server {address} --key {key} --people 30 --json");
    met.insert(check("play", &serde_json::from_str(&desk.done(&call)).unwrap()));
    for file in ["report/report.json", "simulated/simulation.json", "raw.json"] {
        met.insert(check(file, &read(&desk.path(file))));
    }
    let published: BTreeSet<String> = std::fs::read_dir(schemas())
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_string())
        .collect();
    assert_eq!(met, published, "a schema for each document, and a document for each schema");
}

/// The check must be able to say no.
#[test]
fn a_document_that_differs_is_noticed() {
    let desk = Desk::with_tables();
    let output = desk.output("simulate --epsilon 1 --users 300 --trials 2 --json");
    let good: Value = serde_json::from_slice(&output.stdout).unwrap();
    let schema = read(&schemas().join("reticent-simulate.json"));
    let count = |document: &Value| faults(document, &schema, &schema, "").len();
    assert_eq!(count(&good), 0);
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut document = good.clone();
        change(&mut document);
        count(&document)
    };
    assert_eq!(changed(&|document| document["format"] = json!("other")), 1);
    assert_eq!(changed(&|document| document["users"] = json!("many")), 1);
    assert_eq!(changed(&|document| document["new"] = json!(1)), 1);
    assert_eq!(changed(&|document| drop(document.as_object_mut().unwrap().remove("seed"))), 1);
    assert_eq!(changed(&|document| document["curve"][0]["mean"] = json!(null)), 1);
    assert_eq!(changed(&|document| document["guarantee"]["loss"] = json!("none")), 1);
}
