//! Methods to compare with, on one's own log: who is charged, and what is marked.

use super::made::{Folder, best_dose, json};

fn call(more: &[&'static str]) -> Vec<&'static str> {
    [&["fit", "plan.toml", "log.csv"], more].concat()
}

const GP: [&str; 6] = ["--method", "gp", "--target", "people.csv", "--out", "raw.json"];
const DUBEY: [&str; 8] =
    ["--method", "dubey", "--epsilon", "4", "--target", "people.csv", "--out", "dubey.json"];
const USCA: [&str; 6] = ["--method", "usca", "--epsilon", "8", "--once", "age=54"];

fn folder(people: usize) -> Folder {
    let folder = Folder::new(people);
    folder.write("people.csv", "age\n25\n54\n85\n");
    folder
}

fn refused(folder: &Folder, more: &[&'static str], words: &str) {
    let before = folder.files();
    let output = folder.tune(&call(more));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains(words), "{error}");
    assert_eq!(folder.files(), before);
}

#[test]
fn a_raw_log_is_read_only_by_who_says_so_and_what_is_written_is_no_release() {
    let folder = folder(3000);
    refused(&folder, &GP, "if that is meant, say --not-private");
    let output = folder.tune(&call(&[&GP[..], &["--not-private"]].concat()));
    let (text, warned) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("guarantee   not private"), "{text}{warned}");
    assert!(warned.contains("protects nobody") && warned.contains("no account was charged"), "{warned}");
    assert!(!folder.path("accounts/accounts.journal").exists(), "nobody is charged");
    let document: serde_json::Value = serde_json::from_str(&folder.text("raw.json")).unwrap();
    for (answer, age) in document["answers"].as_array().unwrap().iter().zip([25.0, 54.0, 85.0]) {
        let dose = answer["action"]["dose"].as_f64().unwrap();
        assert!(
            (dose - best_dose(age)).abs() < 0.5 && answer["expected"].as_f64().unwrap() > 0.8,
            "{answer}"
        );
    }
    let checked = folder.reticent("check", &["raw.json"]);
    let said = String::from_utf8_lossy(&checked.stdout);
    assert!(checked.status.code() == Some(1) && said.contains("not private: nothing was hidden"), "{said}");
    let taken = folder.tune(&["predict", "raw.json", "--at", "age=40"]);
    assert_eq!(taken.status.code(), Some(2), "it is not taken for a released function");
    let claimed = folder.text("raw.json").replace("no-privacy", "central");
    folder.write("raw.json", &claimed);
    let checked = folder.reticent("check", &["raw.json"]);
    let said = String::from_utf8_lossy(&checked.stdout);
    assert!(
        checked.status.code() == Some(1) && said.contains("its guarantee does not fit the rest"),
        "{said}"
    );
}

#[test]
fn a_competitors_release_is_paid_for_once_and_asked_again_for_free() {
    let folder = folder(20_000);
    let first = json(&folder.tune(&call(&[&DUBEY[..], &["--json"]].concat())));
    assert_eq!(first["account"]["spent"]["approximate"]["epsilon"], 4.0);
    assert_eq!(first["guarantee"]["loss"]["approximate"]["epsilon"], 4.0);
    for (answer, age) in first["answers"].as_array().unwrap().iter().zip([25.0, 54.0, 85.0]) {
        let dose = answer["action"]["dose"].as_f64().unwrap();
        assert!((dose - best_dose(age)).abs() < 2.5, "{answer}");
    }
    assert!(folder.reticent("check", &["dubey.json"]).status.success());
    // Other people's contexts are read off the same release.
    folder.write("people.csv", "age\n54\n60\n");
    let again = json(&folder.tune(&call(&[&DUBEY[..], &["--force", "--json"]].concat())));
    assert!(again["stored"] == true && again["answers"][0] == first["answers"][1], "{again}");
    let ours = folder.tune(&call(&["--epsilon", "1", "--out", "f.json"]));
    assert_eq!(ours.status.code(), Some(1), "another method is another release of the same people");
}

#[test]
fn the_papers_algorithm_answers_one_context_for_each_epsilon() {
    let folder = folder(5000);
    let first = json(&folder.tune(&call(&[&USCA[..], &["--json"]].concat())));
    assert_eq!(first["account"]["spent"]["pure"]["epsilon"], 8.0);
    assert_eq!((&first["method"], &first["delta"]), (&"usca".into(), &serde_json::Value::Null));
    let again = json(&folder.tune(&call(&[&USCA[..], &["--json"]].concat())));
    assert!(again["stored"] == true && again["answers"] == first["answers"]);
    let other = USCA.map(|word| if word == "age=54" { "age=40" } else { word });
    assert_eq!(folder.tune(&call(&other)).status.code(), Some(1), "another context costs again");
    folder.write("chosen.json", &serde_json::to_string(&first).unwrap());
    assert!(folder.reticent("check", &["chosen.json"]).status.success());
}

#[test]
fn noise_of_a_seed_is_said_to_be_none_and_charges_nobody() {
    let folder = folder(500);
    for method in [&USCA[..], &DUBEY[..]] {
        refused(&folder, &[method, &["--seed", "1"]].concat(), "if that is meant, say --not-private");
        refused(&folder, &[method, &["--not-private"]].concat(), "is private, and its people are charged");
        let call = call(&[method, &["--seed", "1", "--not-private", "--json"]].concat());
        let said = json(&folder.tune(&call));
        assert_eq!(said["guarantee"]["noise"], "simulation, not private");
        assert_eq!(said["guarantee"]["loss"], "unbounded");
        assert!(said.get("account").is_none() && !folder.path("accounts/accounts.journal").exists());
    }
    assert_eq!(folder.reticent("check", &["dubey.json"]).status.code(), Some(1));
}

#[test]
fn what_does_not_go_with_a_method_is_refused() {
    let folder = folder(100);
    let not_private = &["--not-private"][..];
    for (method, more, words) in [
        (&GP[..], &["--not-private", "--epsilon", "1"][..], "--epsilon does not go with --method gp"),
        (&GP, &["--not-private", "--seed", "1"], "--seed does not go with --method gp"),
        (&GP, &["--not-private", "--plot", "p.svg"], "--plot does not go with --method gp"),
        (&GP[..2], &["--not-private", "--out", "raw.json"], "needs --target"),
        (&GP[..2], &["--not-private", "--once", "age=40"], "--once does not go with --method gp"),
        (&USCA[..4], &["--out", "f.json"], "say --once CONTEXT"),
        (&USCA, &["--target", "people.csv"], "--target does not go with --method usca"),
        (&DUBEY, &["--pilot", "5"], "--pilot does not go with --method dubey"),
        (&["--epsilon", "1", "--out", "f.json"], not_private, "--not-private goes with --method gp"),
        (&["--epsilon", "1", "--out", "f.json"], &["--seed", "1"], "--seed goes with --method usca or dubey"),
    ] {
        refused(&folder, &[method, more].concat(), words);
    }
    folder.write("people.csv", "age\n25\n4711\n");
    refused(&folder, &[&GP[..], not_private].concat(), "people.csv");
    let plan = folder.text("plan.toml").replace("squared-exponential", "matern-5/2");
    folder.write("plan.toml", &plan);
    folder.write("people.csv", "age\n25\n");
    refused(&folder, &DUBEY, "squared exponential family alone");
}
