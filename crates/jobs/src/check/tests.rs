//! Every kind of file that is published, made with a seed and with the operating system's noise.

mod faults;
mod made;
mod versions;

use std::path::Path;

use made::{Published, seeded, system};
use reticent_privacy::{Loss, Noise, Provenance};
use serde_json::Value;

use super::*;

/// The guarantee that a document states, as it is in the file.
fn stated(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap();
    // A log's header stands between its length and its first checksum.
    let header = bytes.strip_prefix(&MAGIC).map(|rest| {
        let length = u32::from_le_bytes(rest[4..8].try_into().unwrap()) as usize;
        rest[8..8 + length].to_vec()
    });
    serde_json::from_slice::<Value>(&header.unwrap_or(bytes)).unwrap()["guarantee"].clone()
}

#[test]
fn nothing_that_a_seed_made_claims_privacy() {
    let published = Published::made_with(seeded);
    assert_eq!(published.files.len(), 6, "one of each kind");
    for (kind, path) in &published.files {
        let guarantee = stated(path);
        assert_eq!(guarantee["loss"], "unbounded", "{kind}");
        assert_eq!(guarantee["trust_model"], "no-privacy", "{kind}");
        assert_eq!(guarantee["noise"], "simulation, not private", "{kind}");
        let checked = check(path, 1).unwrap();
        assert_eq!(checked.kind, *kind);
        assert_eq!((checked.guarantee.loss, checked.guarantee.protects()), (Loss::Unbounded, Some(false)));
        assert_eq!(checked.verdict(), "not private: its noise came from a seed");
        let text = checked.guarantee.to_string();
        assert!(text.starts_with("simulation, not private (would be "), "{kind}: {text}");
    }
    assert!(published.pages().all(|page| page.contains("simulation, not private")));
}

#[test]
fn all_that_the_operating_system_made_claims_it() {
    let published = Published::made_with(system);
    assert_eq!(published.files.len(), 6, "one of each kind");
    for (kind, path) in &published.files {
        let guarantee = stated(path);
        assert!(guarantee["loss"].is_object(), "{kind}: {guarantee}");
        assert_eq!(guarantee["noise"], "operating system entropy", "{kind}");
        let checked = check(path, 1).unwrap();
        assert_eq!((checked.kind, checked.verdict()), (*kind, "sound and private"));
        assert_eq!(checked.guarantee.noise, Noise::Drawn(Provenance::SystemEntropy));
    }
    assert!(published.pages().all(|page| !page.contains("simulation, not private")));
}

#[test]
fn a_summary_says_what_it_is_of() {
    let published = Published::made_with(system);
    for (kind, about, guarantee, counts) in [
        (Kind::PrivatisedLog, "outcomes by income, at prices from 5 to 25", "1-DP, local model", [200, 3]),
        (Kind::PricePolicy, "a price by income for revenue", "1-DP, local model", [200, 33]),
        (Kind::TrialRelease, "sleep: treatment against control, for outcome", "2-DP, central model", [60, 4]),
        (Kind::TrialReport, "sleep: treatment against control, for outcome", "2-DP, central model", [60, 2]),
        (Kind::ReleasedFunction, "dose by age, for response", "(1, 0.000001)-DP, central model", [50, 25]),
        (Kind::ChosenAction, "dose by age, for response", "0.5-DP, central model", [50, 101]),
    ] {
        let checked = check(published.file(kind), 1).unwrap();
        let numbers: Vec<u64> = checked.counts.iter().map(|count| count.number).collect();
        assert_eq!((checked.about.as_str(), checked.guarantee.to_string().as_str()), (about, guarantee));
        assert_eq!(numbers, counts, "{kind}");
        let names_none = matches!(kind, Kind::PrivatisedLog | Kind::PricePolicy);
        let digest = (!names_none).then(|| made::digest().to_string());
        assert_eq!(checked.experiment, digest, "{kind}");
    }
}
