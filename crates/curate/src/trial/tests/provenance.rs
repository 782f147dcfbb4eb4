//! A release says where its noise came from, in memory, in a file, and when it is stored.

use reticent_privacy::{Generator, Loss, Noise, NoiseRng};
use serde_json::{Value, json};

use super::*;
use crate::trial::{DurableTrial, Release, analyse};

fn spec() -> TrialSpec {
    TrialSpec::new(Draft { first_epoch: Some(20), ..Draft::simple("origin", 60, 1.0) }).unwrap()
}

fn seeded() -> SimRng {
    SimSeed(5).stream(0, Purpose::Noise)
}

/// A trial of everyone who was planned.
fn in_memory<G: Generator>(spec: TrialSpec, noise: G) -> Release {
    let everyone = Stratum::new(&spec, 0).unwrap();
    let mut trial = Trial::with_noise(spec, noise);
    for person in 0..60_u64 {
        let number = trial.assign(everyone).unwrap().number;
        trial.record(number, (person % 2) as f64).unwrap();
    }
    trial.stop().unwrap();
    trial.release().clone()
}

#[test]
fn a_seeded_trial_claims_nothing() {
    let release = in_memory(spec(), seeded());
    let guarantee = release.guarantee();
    assert_eq!(guarantee.to_string(), "simulation, not private (would be 1-DP, central model)");
    assert_eq!((guarantee.loss, guarantee.protects()), (Loss::Unbounded, Some(false)));
    assert_eq!(analyse(&release).guarantee, guarantee);
    assert_eq!(spec().guarantee().to_string(), "1-DP, central model", "a plan promises what it did");
}

#[test]
fn a_trial_with_noise_of_the_operating_system_keeps_its_promise() {
    let release = in_memory(spec(), NoiseRng::from_os().unwrap());
    assert_eq!(release.guarantee().to_string(), "1-DP, central model");
    assert_eq!(analyse(&release).guarantee.protects(), Some(true));
}

#[test]
fn a_file_goes_on_with_the_noise_it_began_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial.journal");
    drop(DurableTrial::open_with(&path, spec(), seeded()).unwrap());
    let trial = DurableTrial::reopen_with(&path, seeded()).unwrap();
    assert_eq!(trial.release().guarantee().protects(), Some(false));
    let other = folder.path().join("other.journal");
    drop(DurableTrial::open(&other, spec()).unwrap());
    assert_eq!(DurableTrial::reopen(&other).unwrap().release().guarantee().protects(), Some(true));
}

#[test]
fn what_is_stored_says_it_and_is_held_to_it() {
    for (release, private) in
        [(in_memory(spec(), seeded()), false), (in_memory(spec(), NoiseRng::from_os().unwrap()), true)]
    {
        let good = serde_json::to_value(&release).unwrap();
        let read = |value: Value| serde_json::from_value::<Release>(value).map_err(|error| error.to_string());
        assert_eq!(
            (&good["format"], &good["version"]),
            (&json!("reticent-trial-release"), &json!(Release::VERSION))
        );
        assert_eq!(good["guarantee"]["loss"] != "unbounded", private);
        assert_eq!(read(good.clone()).unwrap(), release);
        let changed = |place: &str, value: Value| {
            let mut other = good.clone();
            *other.pointer_mut(place).unwrap() = value;
            read(other).unwrap_err()
        };
        let later = Release::VERSION + 1;
        assert!(changed("/version", json!(later)).contains(&format!("version {later}")));
        assert!(changed("/version", json!(1)).contains("damaged"));
        assert!(changed("/format", json!("other")).contains("format"));
        for (place, value) in [
            ("/guarantee/loss", json!({ "pure": { "epsilon": 0.5 } })),
            ("/guarantee/trust_model", json!("local")),
            ("/spec/epsilon", json!(3.0)),
            ("/guarantee/noise", json!(if private { "simulation, not private" } else { "not stated" })),
        ] {
            assert!(changed(place, value).contains("another guarantee"), "{place}");
        }
        let mut silent = good.clone();
        silent["guarantee"].as_object_mut().unwrap().remove("noise");
        assert!(read(silent).unwrap_err().contains("another guarantee"), "version 2 must say it");
    }
}

/// As version 1 wrote it: no header, no guarantee.
#[test]
fn version_1_is_read_and_says_nothing_of_its_noise() {
    let release = in_memory(spec(), NoiseRng::from_os().unwrap());
    let mut old = serde_json::to_value(&release).unwrap();
    for added in ["format", "version", "guarantee"] {
        old.as_object_mut().unwrap().remove(added).unwrap();
    }
    let read: Release = serde_json::from_value(old).unwrap();
    assert_eq!((read.noise(), read.guarantee().protects()), (Noise::NotStated, None));
    assert!(read.guarantee().to_string().starts_with("1-DP, central model (where its noise came from"));
    assert_eq!((read.tables(), read.late()), (release.tables(), release.late()));
    let again: Release = serde_json::from_value(serde_json::to_value(&read).unwrap()).unwrap();
    assert_eq!(again, read, "what is not known is not known when it is stored again");
}
