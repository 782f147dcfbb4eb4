use super::*;

const BANDIT: &str =
    r#"{ "name": "page", "epsilon": "1.0", "problem": { "kind": "bandit", "arms": ["a", "b"] } }"#;

fn refusal(text: &str) -> String {
    Experiment::from_json(text).unwrap_err().to_string()
}

#[test]
fn the_digest_is_of_the_document_with_its_defaults() {
    let short = Experiment::from_json(BANDIT).unwrap();
    let canonical = short.to_json().unwrap();
    let long = Experiment::from_json(&canonical).unwrap();
    assert_eq!((long.digest(), long.to_json().unwrap()), (short.digest(), canonical.clone()));
    assert!(
        canonical.contains(r#""epsilon":"1""#) && canonical.contains(r#""report_window_days":7"#),
        "{canonical}"
    );
    assert_eq!(short, long);
}

#[test]
fn whatever_changes_an_experiment_changes_its_digest() {
    let first = Experiment::from_json(BANDIT).unwrap().digest();
    for (from, to) in [("page", "pages"), ("1.0", "1.000000001"), ("\"a\", \"b\"", "\"b\", \"a\"")] {
        let other = Experiment::from_json(&BANDIT.replace(from, to)).unwrap();
        assert_ne!(other.digest(), first, "{to}");
        assert_ne!(other.prefix(), first.prefix(), "{to}");
    }
    let longer = BANDIT.replace("\"name\"", "\"report_window_days\": 8, \"name\"");
    assert_ne!(Experiment::from_json(&longer).unwrap().digest(), first);
    // Numbers may be written without quotes.
    let number = BANDIT.replace("\"1.0\"", "1");
    assert_eq!(Experiment::from_json(&number).unwrap().digest(), first);
}

#[test]
fn refusals_say_what_to_do() {
    let with = |from: &str, to: &str| refusal(&BANDIT.replace(from, to));
    assert!(with("page", "").contains("1 to 100 characters"));
    assert!(with("page", "a\\u0007").contains("a control or an invisible character"));
    assert!(with("page", "a\\u200b").contains("invisible"));
    assert!(with("\"b\"", "\"a\"").contains("two arms are called \"a\""));
    assert!(with("1.0", "0").contains("epsilon must be between"));
    assert!(with("1.0", "1e9").contains("plain decimal"));
    assert!(with("bandit", "lottery").contains("unknown variant"));
    assert!(with("\"name\"", "\"extra\": 1, \"name\"").contains("unknown field"));
    assert!(with("\"arms\"", "\"extra\": 1, \"arms\"").contains("unknown field"));
    assert!(with("\"name\"", "\"version\": 3, \"name\"").contains("version 3"));
    assert!(with("\"name\"", "\"format\": \"x\", \"name\"").contains("reticent-experiment"));
    assert!(with("\"name\"", "\"report_window_days\": 366, \"name\"").contains("1 to 365"));
    let column = r#"{ "name": "n", "epsilon": 1, "problem": { "kind": "contextual", "arms": ["a", "b"],
        "context": { "columns": [{ "name": "age", "low": 1 }] } } }"#;
    assert!(refusal(column).contains("column \"age\""));
}

/// The published schema is the one of this code, and every kind is in it.
#[cfg(feature = "json-schema")]
#[test]
fn the_published_schema_is_of_this_version() {
    let text = json_schema();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/experiment.schema.json");
    if std::env::var_os("RETICENT_WRITE").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == text,
        "write it anew: RETICENT_WRITE=1 cargo test -p reticent-schema"
    );
}
