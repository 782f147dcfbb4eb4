//! The folder tree is the architecture: arrows between crates point only where they may.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Which of our crates each crate may use. `learn` is not allowed `device`: that is the wall. `curate` holds raw records and shares no form with either.
const ALLOWED: [(&str, &[&str]); 7] = [
    ("reticent-privacy", &[]),
    ("reticent-protocol", &["reticent-privacy"]),
    ("reticent-device", &["reticent-privacy", "reticent-protocol"]),
    ("reticent-learn", &["reticent-privacy", "reticent-protocol"]),
    ("reticent-curate", &["reticent-privacy"]),
    (
        "reticent-lab",
        &["reticent-curate", "reticent-privacy", "reticent-protocol", "reticent-device", "reticent-learn"],
    ),
    (
        "reticent",
        &[
            "reticent-curate",
            "reticent-privacy",
            "reticent-protocol",
            "reticent-device",
            "reticent-learn",
            "reticent-lab",
        ],
    ),
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Our crates, each with those of ours that it depends on in any way (tests and build scripts too).
fn arrows() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_string();
    let ours = |name: &String| name.starts_with("reticent");
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .map(|package| {
            let used = package["dependencies"].as_array().unwrap().iter().map(name).filter(ours).collect();
            (name(package), used)
        })
        .collect()
}

#[test]
fn arrows_point_the_right_way() {
    let arrows = arrows();
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.into();
    assert_eq!(
        arrows.keys().map(String::as_str).collect::<Vec<_>>(),
        allowed.keys().copied().collect::<Vec<_>>()
    );
    for (user, used) in &arrows {
        for one in used {
            assert!(allowed[user.as_str()].contains(&one.as_str()), "{user} must not depend on {one}");
        }
    }
}

#[test]
fn every_crate_takes_the_workspace_lints() {
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let manifest = std::fs::read_to_string(entry.unwrap().path().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{manifest}");
    }
    let workspace = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(workspace.contains("unsafe_code = \"forbid\""));
}

/// A guarantee without a proof is an opinion.
#[test]
fn every_stated_proof_exists() {
    let output = Command::new(env!("CARGO_BIN_EXE_reticent")).args(["list", "--json"]).output().unwrap();
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    let entries = list["agents"].as_array().unwrap().iter().chain(list["mechanisms"].as_array().unwrap());
    let mut checked = 0;
    for entry in entries {
        let guarantee = &entry["guarantee"];
        if guarantee["trust_model"] == "no-privacy" {
            continue;
        }
        let proof = guarantee["proof"].as_str().unwrap();
        let text = std::fs::read_to_string(root().join(proof)).unwrap_or_default();
        assert!(text.contains("**Proof.**"), "{}: no proof in {proof}", entry["name"]);
        checked += 1;
    }
    assert!(checked >= 10, "only {checked} guarantees seen");
}
