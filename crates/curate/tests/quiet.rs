//! What `{:?}` shows of types that hold people's names, outcomes and records: their shape, and nothing in
//! them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fmt::Debug;

use reticent_curate::kernel::{
    self, Chooser, Collector, Input, KernelSpec, Points, Population, Records, Shape,
};
use reticent_curate::trial::{
    Actor, Author, Draft, DurableTrial, Finished, Outcome, Stratum, Trial, TrialSpec, log,
};
use reticent_privacy::{Delta, Epsilon, SimRng, SimSeed, Stream};

const NAME: &str = "SECRET-7f3a";
/// An outcome of 7 between 0 and 10, as a number of steps.
const STEPS: &str = "734003";
/// A coordinate or reward of somebody's record.
const NUMBER: f64 = 0.731_731_731;
const NUMBER_TEXT: &str = "0.731731";
const STRATUM: usize = 7717;
const STRATUM_TEXT: &str = "7717";

/// Of a person in a trial, and of a record in a log.
const OF_TRIAL: [&str; 3] = [NAME, STEPS, STRATUM_TEXT];
const OF_LOG: [&str; 1] = [NUMBER_TEXT];

fn tells(text: &str, marks: &[&str]) -> bool {
    marks.iter().any(|mark| text.contains(mark))
}

fn quiet(value: &impl Debug, marks: &[&str]) {
    for text in [format!("{value:?}"), format!("{value:#?}")] {
        assert!(!tells(&text, marks), "{text:.2000}");
    }
}

/// Types that hold a secret: the tests below print each.
const TRIAL_SECRETS: &str =
    "Actor Assignment Author DurableTrial Finished Log Logged Steps Stratum Times Trial";
const KERNEL_SECRETS: &str = "Chooser Collector Points Records";
/// Looked at: plans, what is published, what is computed from it, and errors that name columns alone.
const TRIAL_OPEN: &str = "Adjust Amended Analysis ArmReport Better Cell Covariate Draft Effect Estimator Form Interval Intervals Last NoActor NoRelease \
    Outcome PersonError Propensities Recorded Release Schedule SpecError Spending Step StratumReport Table TrialError TrialSpec \
    Verdict Verified Welfare Whole";
/// Looked at: designs and releases are computed from public things and from noisy sums.
const KERNEL_OPEN: &str = "Choice Departure Design Draft DraftError Estimate Factor Family FeatureMap Form Input Kernel \
    KernelError KernelSpec NotPoints People Population ReadError Recommended Release ReleaseError ReleaseLoss Reward \
    Shape Singular Sketch Surface Waves";

#[test]
fn a_search_for_secrets_finds_them() {
    let steps = 0.7 * f64::from(reticent_curate::trial::STEPS);
    for text in [format!("{:?}", Some(NAME)), format!("{steps:.0}"), format!("{:?}", [STRATUM])] {
        assert!(tells(&text, &OF_TRIAL), "{text}");
    }
    assert!(tells(&format!("{:?}", [NUMBER]), &OF_LOG) && !tells("Trial { .. }", &OF_TRIAL));
}

/// A trial with so many strata that the number of one is a mark.
fn spec() -> TrialSpec {
    let mut draft = Draft::simple("quiet", 40, 1.0).with_levels("site", 8000);
    draft.outcome = Outcome::number("pain", 0.0, 10.0);
    TrialSpec::new(draft).unwrap()
}

fn noise() -> SimRng {
    SimSeed(3).stream(0, Stream::Noise)
}

#[test]
fn trials_filled_with_secrets_show_none() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec();
    let stratum = Stratum::new(&spec, STRATUM).unwrap();
    quiet(&stratum, &OF_TRIAL);
    quiet(&Finished { stratum, arm: 1, outcome: Some(734_003.0) }, &OF_TRIAL);
    quiet(&spec.draft().outcome.steps(7.0).unwrap(), &OF_TRIAL);

    let author = || Author::new(Some(NAME.parse().unwrap()));
    quiet(&NAME.parse::<Actor>().unwrap(), &OF_TRIAL);
    quiet(&author(), &OF_TRIAL);
    let path = folder.path().join(NAME);
    let mut trial = DurableTrial::open_by(&path, spec.clone(), noise(), author()).unwrap();
    let assignment = trial.assign(NAME, stratum).unwrap();
    assert!(!format!("{assignment:?}").contains("arm"), "{assignment:?}");
    trial.record(NAME, 7.0).unwrap();
    quiet(&trial, &OF_TRIAL);
    quiet(&trial.assign(NAME, stratum).unwrap_err(), &OF_TRIAL);
    quiet(&trial.record("nobody", 7.0).unwrap_err(), &OF_TRIAL);
    quiet(&trial.correct(NAME, Some(6.0), Some(NAME)).unwrap(), &OF_TRIAL);
    quiet(&trial.withdraw(NAME, Some("two\nlines")).unwrap_err(), &OF_TRIAL);
    quiet(trial.times(), &OF_TRIAL);
    // What the file says of them is told by its fields, and not by `{:?}`.
    let found = log(std::fs::read(&path).unwrap()).unwrap();
    assert!(found.steps.iter().any(|one| one.patient.as_deref() == Some(NAME) && one.reason.is_some()));
    quiet(&found, &OF_TRIAL);
    // A moment is written with the year first.
    for text in [format!("{:?}", found.times), format!("{:?}", found.steps)] {
        assert!(!text.contains('-'), "{text}");
    }

    let mut trial = Trial::with_noise(spec, noise());
    let assignment = trial.assign(stratum).unwrap();
    trial.record(assignment.number, 7.0).unwrap();
    quiet(&trial, &OF_TRIAL);
}

#[test]
fn logs_filled_with_secrets_show_none() {
    let input =
        |column: &str| Input { column: column.into(), low: 0.0, high: 1.0, length: 0.5, levels: None };
    let setting: KernelSpec = kernel::Draft {
        experiment: None,
        actions: vec![input("dose")],
        contexts: vec![input("age")],
        reward: kernel::Reward { column: "benefit".into(), low: -1.0, high: 1.0, noise: 0.2 },
        kernel: Shape { rank: 4, ..Shape::default() },
    }
    .try_into()
    .unwrap();
    let mut records = Records::new(2);
    records.push(&[NUMBER, NUMBER], NUMBER);
    quiet(&records, &OF_LOG);
    quiet(records.points(), &OF_LOG);

    let epsilon = Epsilon::new(1.0).unwrap();
    let mut chooser =
        Chooser::new(&setting, &Population::Uniform, 1, epsilon, Points::grid(3, 1), 1).unwrap();
    chooser.add(&records).unwrap();
    quiet(&chooser, &OF_LOG);
    let loss = kernel::ReleaseLoss::new(epsilon, Delta::new(1e-6).unwrap()).unwrap();
    let mut collector = Collector::new(&setting, &Population::Uniform, 1, loss, 1).unwrap();
    collector.add(&records).unwrap();
    quiet(&collector, &OF_LOG);
}

/// The types that a module exports, by its `pub use` lines.
fn exported(module: &str) -> BTreeSet<&str> {
    let uses = module.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let names = uses.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    names.filter(|name| name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)).collect()
}

/// A new public type is noticed: decide whether it can hold a secret, and list it.
#[test]
fn every_public_type_was_looked_at() {
    let known = |held: &'static str, open: &'static str| -> BTreeSet<&str> {
        held.split_whitespace().chain(open.split_whitespace()).collect()
    };
    let (trial, kernel) = (include_str!("../src/trial/mod.rs"), include_str!("../src/kernel/mod.rs"));
    assert_eq!(exported(trial), known(TRIAL_SECRETS, TRIAL_OPEN));
    assert_eq!(exported(kernel), known(KERNEL_SECRETS, KERNEL_OPEN));
}
