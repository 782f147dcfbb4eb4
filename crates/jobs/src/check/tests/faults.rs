//! What is not what it says it is does not pass.

use serde_json::json;

use super::*;

fn told(path: &Path) -> String {
    check(path, 1).unwrap_err().to_string()
}

/// Changes one place of a document, and returns why it does not pass.
fn changed(published: &Published, kind: Kind, place: &str, value: Value) -> String {
    let mut document: Value = serde_json::from_slice(&std::fs::read(published.file(kind)).unwrap()).unwrap();
    *document.pointer_mut(place).unwrap_or_else(|| panic!("{kind} has no {place}")) = value;
    told(&published.write("bad.json", &serde_json::to_vec(&document).unwrap()))
}

#[test]
fn a_guarantee_must_be_that_of_the_contents() {
    let published = Published::made_with(system);
    let small = json!({ "pure": { "epsilon": 0.001 } });
    for kind in
        [Kind::ReleasedFunction, Kind::ChosenAction, Kind::PricePolicy, Kind::TrialRelease, Kind::TrialReport]
    {
        for (place, value) in [
            ("/guarantee/loss", small.clone()),
            ("/guarantee/trust_model", json!("no-privacy")),
            ("/guarantee/noise", json!("simulation, not private")),
            ("/guarantee", Value::Null),
        ] {
            let why = changed(&published, kind, place, value);
            assert!(why.to_lowercase().contains("guarantee"), "{kind}, {place}: {why}");
        }
    }
    for (kind, place) in [
        (Kind::ReleasedFunction, "/epsilon"),
        (Kind::ChosenAction, "/epsilon"),
        (Kind::TrialRelease, "/spec/epsilon"),
        (Kind::TrialReport, "/spec/epsilon"),
    ] {
        assert!(changed(&published, kind, place, json!(3.5)).contains("guarantee"), "{kind}");
    }
}

/// A seed cannot be talked away in the file either.
#[test]
fn what_a_seed_made_cannot_be_renamed() {
    let published = Published::made_with(seeded);
    for (kind, _) in published.files.iter().filter(|(kind, _)| *kind != Kind::PrivatisedLog) {
        for word in ["operating system entropy", "not stated"] {
            let why = changed(&published, *kind, "/guarantee/noise", json!(word));
            assert!(why.contains("guarantee"), "{kind}: {why}");
        }
    }
}

#[test]
fn parts_must_fit_together() {
    let published = Published::made_with(system);
    for (kind, place, value, words) in [
        (Kind::ReleasedFunction, "/sigma", json!(0.5), "less noise"),
        (Kind::ReleasedFunction, "/people", json!(0), "number of people"),
        (Kind::ChosenAction, "/action/dose", json!(11.0), "action"),
        (Kind::ChosenAction, "/context/age", json!(-1.0), "context"),
        (Kind::ChosenAction, "/people", json!(0), "people"),
        (Kind::PricePolicy, "/policy/mean", json!([1]), "one value for each"),
        (Kind::TrialRelease, "/enrolled", json!(61), "does not fit its plan"),
        (Kind::TrialReport, "/enrolled", json!(61), "number of people"),
        (Kind::TrialReport, "/complete", json!(false), "number of people"),
        (Kind::TrialReport, "/noise_in_a_count", json!(0.1), "noise in a count"),
        (Kind::TrialReport, "/epochs/0/closed", json!(false), "epochs"),
        (Kind::TrialReport, "/strata/0/arms/0/arm", json!("x"), "strata"),
        (Kind::TrialReport, "/effects/0/arm", json!("x"), "effects"),
        (Kind::TrialReport, "/noise", json!("a good source"), "guarantee"),
    ] {
        let why = changed(&published, kind, place, value);
        assert!(why.contains(words) && why.contains("bad.json: "), "{kind}, {place}: {why}");
    }
    for (kind, _) in published.files.iter().filter(|(kind, _)| *kind != Kind::PrivatisedLog) {
        let why = changed(&published, *kind, "/version", json!(9));
        assert!(why.contains("version 9"), "{kind}: {why}");
        let text = std::fs::read(published.file(*kind)).unwrap();
        assert!(told(&published.write("cut.json", &text[..text.len() / 2])).contains("cut short"), "{kind}");
    }
}

#[test]
fn a_log_is_read_to_its_end() {
    let published = Published::made_with(system);
    let bytes = std::fs::read(published.file(Kind::PrivatisedLog)).unwrap();
    let mut changed = bytes.clone();
    let last = changed.len() - 30;
    changed[last] ^= 1;
    assert!(told(&published.write("bad.rpl", &changed)).contains("block 1 of the log is damaged"));
    assert!(told(&published.write("bad.rpl", &bytes[..bytes.len() - 1])).contains("cut short"));
    changed[8] = 9;
    assert!(told(&published.write("bad.rpl", &changed)).contains("version 9"));
}

/// What was not meant to be published is not read aloud.
#[test]
fn raw_files_are_refused_without_a_word_of_them() {
    let published = Published::made_with(seeded);
    for (text, words) in [
        ("name,income\nada,4711\n", "nothing that reticent publishes"),
        ("", "nothing that reticent publishes"),
        ("{\"format\":\"4711\"}", "nothing that reticent publishes"),
        ("[4711]", "nothing that reticent publishes"),
        ("{\"reticent-trial\":{\"version\":99}}\n{\"patient\":4711}\n", "version 99"),
        ("{\"reticent-account\":{\"version\":4711}}\n", "account"),
        ("{\"reticent-accounts\":{\"version\":4711}}\n", "accounts"),
        ("{\"reticent-ledger\":{\"version\":4711}}\n", "ledger"),
    ] {
        let why = told(&published.write("raw", text.as_bytes()));
        assert!(why.contains(words) && !why.contains("4711"), "{why}");
    }
    assert!(told(&published.write("raw", &[0xff, 0xfe, 0])).contains("nothing that reticent publishes"));
    let missing = check(&published.folder.path().join("none.json"), 1).unwrap_err();
    assert!(missing.is_unreadable() && missing.to_string().contains("none.json"));
}
