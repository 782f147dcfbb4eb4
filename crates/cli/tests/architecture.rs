//! The folder tree is the architecture: arrows between crates point only where they may.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Which of our crates each crate may use. `learn` is not allowed `device`: that is the wall. `curate` holds
/// raw records and shares no form with either. `jobs` draws real noise on files and knows nothing that only
/// compares. What compares (`baselines`, `lab`) is used by the command alone.
const ALLOWED: [(&str, &[&str]); 16] = [
    ("privacy", &[]),
    ("chart", &[]),
    ("audit", &["privacy"]),
    ("store", &["privacy"]),
    ("schema", &["privacy"]),
    ("protocol", &["privacy", "schema"]),
    ("device", &["privacy", "schema", "store", "protocol"]),
    ("client", &["privacy", "schema", "store", "protocol", "device"]),
    ("learn", &["privacy", "schema", "store", "protocol"]),
    ("curate", &["privacy", "schema", "store"]),
    ("jobs", &["privacy", "schema", "store", "protocol", "device", "learn", "curate", "chart"]),
    ("server", &["privacy", "schema", "store", "protocol", "learn", "curate", "chart", "jobs"]),
    ("baselines", &["privacy", "schema", "store", "protocol", "learn", "curate"]),
    (
        "lab",
        &[
            "privacy",
            "audit",
            "schema",
            "store",
            "protocol",
            "device",
            "client",
            "learn",
            "curate",
            "chart",
            "jobs",
            "baselines",
        ],
    ),
    (
        "cli",
        &[
            "privacy", "audit", "schema", "store", "protocol", "device", "learn", "curate", "chart", "jobs",
            "lab", "server",
        ],
    ),
    ("", &["privacy", "audit", "schema", "store", "protocol", "device", "learn", "curate"]),
];

/// A crate's name without what all our names share; the library itself has nothing more.
fn short(name: &str) -> &str {
    name.strip_prefix("reticent").unwrap_or(name).trim_start_matches('-')
}

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
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.into();
    let arrows = arrows();
    let seen: BTreeSet<&str> = arrows.keys().map(|name| short(name)).collect();
    assert_eq!(seen, allowed.keys().copied().collect());
    for (user, used) in &arrows {
        for one in used {
            assert!(allowed[short(user)].contains(&short(one)), "{user} must not depend on {one}");
        }
    }
}

/// Whoever depends on the library gets no command line, no Parquet, no pictures.
#[test]
fn the_library_stays_thin() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "-p", "reticent", "-e", "normal", "--prefix", "none", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let tree = String::from_utf8(output.stdout).unwrap();
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("reticent-device") && names.len() > 20, "{names:?}");
    for heavy in ["clap", "indicatif", "parquet", "resvg", "csv", "toml"] {
        assert!(!names.contains(heavy), "the library brings {heavy}");
    }
    for ours in [
        "reticent-jobs",
        "reticent-baselines",
        "reticent-lab",
        "reticent-chart",
        "reticent-cli",
        "reticent-server",
    ] {
        assert!(!names.contains(ours), "the library brings {ours}");
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
