//! Crashes at any place: what was acknowledged is there, nobody is assigned twice, and no table changes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use reticent_privacy::{SimRng, SimSeed, Stream};

use super::super::{Amended, Author};
use super::super::{Draft, DurableTrial, Recorded, Release, STEPS, Stratum, Table, TrialError, TrialSpec};
use super::{Told, first_version};

const PEOPLE: u64 = 24;

fn spec() -> TrialSpec {
    let mut plan = Draft::simple("durable", PEOPLE, 1.0).with_levels("site", 2);
    (plan.first_epoch, plan.follow_up) = (Some(4), 2);
    TrialSpec::new(plan).unwrap()
}

fn noise(opened: u64) -> SimRng {
    SimSeed(77).stream(opened, Stream::Noise)
}

/// What may go wrong, and what may be done.
#[derive(Debug, Clone)]
enum Op {
    Assign {
        stratum: usize,
    },
    /// Assigned on the disk, but the process dies before the clinic hears of it.
    AssignUnheard {
        stratum: usize,
    },
    Record {
        who: usize,
        better: bool,
    },
    Missing {
        who: usize,
    },
    Duplicate {
        who: usize,
    },
    Correct {
        who: usize,
        better: Option<bool>,
    },
    Withdraw {
        who: usize,
    },
    Crash,
    /// The process dies in the middle of a line: so many of its bytes are on the disk.
    Tear {
        bytes: usize,
    },
    Stop,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        8 => (0..2_usize).prop_map(|stratum| Op::Assign { stratum }),
        1 => (0..2_usize).prop_map(|stratum| Op::AssignUnheard { stratum }),
        6 => (0..40_usize, any::<bool>()).prop_map(|(who, better)| Op::Record { who, better }),
        1 => (0..40_usize).prop_map(|who| Op::Missing { who }),
        1 => (0..40_usize).prop_map(|who| Op::Duplicate { who }),
        2 => (0..40_usize, any::<Option<bool>>()).prop_map(|(who, better)| Op::Correct { who, better }),
        1 => (0..40_usize).prop_map(|who| Op::Withdraw { who }),
        2 => Just(Op::Crash),
        2 => (0..70_usize).prop_map(|bytes| Op::Tear { bytes }),
        1 => prop_oneof![9 => Just(Op::Crash), 1 => Just(Op::Stop)],
    ]
}

/// The trial, and what its clinic was told.
struct Clinic {
    path: PathBuf,
    trial: Option<DurableTrial<SimRng>>,
    opened: u64,
    arms: BTreeMap<String, usize>,
    outcomes: BTreeMap<String, Option<f64>>,
    withdrawn: BTreeSet<String>,
    tables: Vec<Table>,
    release: Release,
}

const TORN: &str = r#"{"patient":{"name":"torn","event":{"assigned":{"stratum":0,"arm":1}}}}"#;

impl Clinic {
    fn new(path: &Path) -> Clinic {
        let trial = DurableTrial::open_with(path, spec(), noise(0)).unwrap();
        let release = trial.release().clone();
        let (arms, outcomes) = (BTreeMap::new(), BTreeMap::new());
        Clinic {
            path: path.into(),
            trial: Some(trial),
            opened: 1,
            arms,
            outcomes,
            withdrawn: BTreeSet::new(),
            tables: Vec::new(),
            release,
        }
    }

    fn trial(&mut self) -> &mut DurableTrial<SimRng> {
        self.trial.as_mut().unwrap()
    }

    fn someone(&self, who: usize) -> Option<String> {
        (!self.arms.is_empty()).then(|| self.arms.keys().nth(who % self.arms.len()).unwrap().clone())
    }

    fn crash(&mut self, torn: &[u8]) {
        self.trial = None;
        OpenOptions::new().append(true).open(&self.path).unwrap().write_all(torn).unwrap();
        let rng = noise(self.opened);
        // Either way of opening finds the same trial.
        let opened = if self.opened.is_multiple_of(2) {
            DurableTrial::reopen_with(&self.path, rng)
        } else {
            DurableTrial::open_with(&self.path, spec(), rng)
        };
        (self.trial, self.opened) = (Some(opened.unwrap()), self.opened + 1);
    }

    fn check_all(&mut self) {
        let release = self.trial().release().clone();
        assert_eq!(release, self.release, "the release is what it was");
        for (patient, &arm) in &self.arms.clone() {
            assert_eq!(self.trial().assignment(patient).unwrap().arm, arm, "an arm is for ever");
        }
        for (patient, &outcome) in &self.outcomes.clone() {
            if self.withdrawn.contains(patient) {
                continue;
            }
            assert_eq!(self.kept(patient), outcome, "an outcome is kept");
            let again = match outcome {
                Some(value) => self.trial().record(patient, value),
                None => self.trial().missing(patient),
            };
            assert_eq!(again.unwrap(), Recorded::OnRecord, "a retry is safe");
        }
        for patient in &self.withdrawn.clone() {
            assert!(matches!(self.trial().record(patient, 1.0), Err(TrialError::Withdrawn)));
        }
        assert!(self.trial().assignment("torn").is_none());
    }

    /// The last outcome that the file has for a patient: nothing else tells it.
    fn kept(&mut self, patient: &str) -> Option<f64> {
        let number = self.trial().assignment(patient).unwrap().number;
        let text = first_version(&std::fs::read_to_string(&self.path).unwrap());
        let starts = ["outcome", "corrected"]
            .map(|step| format!("{{\"step\":{{\"{step}\":{{\"number\":{number},\"outcome\":"));
        let outcome = |line: &str| {
            let steps = starts.iter().find_map(|start| line.strip_prefix(start.as_str()))?;
            let steps = steps.strip_suffix("}}}")?;
            Some(steps.parse::<f64>().ok().map(|steps| steps / f64::from(STEPS)))
        };
        text.lines().filter_map(outcome).next_back().expect("a line with an outcome")
    }

    fn assign(&mut self, stratum: usize, heard: bool) {
        let stratum = Stratum::new(&spec(), stratum).unwrap();
        let patient = format!("p{}", self.arms.len());
        let assigned = self.trial().assign(&patient, stratum);
        if self.release.is_stopped() {
            assert!(matches!(assigned, Err(TrialError::Stopped)));
        } else if self.arms.len() as u64 == PEOPLE {
            assert!(matches!(assigned, Err(TrialError::Full(PEOPLE))));
        } else if heard {
            self.arms.insert(patient, assigned.unwrap().arm);
        } else {
            self.release = self.trial().release().clone();
            self.crash(b"");
            let found = self.trial().assignment(&patient).unwrap();
            assert_eq!(found, assigned.unwrap(), "the line was whole: the arm is theirs");
            self.arms.insert(patient, found.arm);
        }
    }

    fn outcome(&mut self, who: usize, outcome: Option<f64>) {
        let Some(patient) = self.someone(who) else { return };
        let recorded = match outcome {
            Some(value) => self.trial().record(&patient, value),
            None => self.trial().missing(&patient),
        };
        match self.outcomes.get(&patient) {
            _ if self.withdrawn.contains(&patient) => assert!(matches!(recorded, Err(TrialError::Withdrawn))),
            Some(_) => assert_eq!(recorded.unwrap(), Recorded::OnRecord),
            None if self.release.is_stopped() => assert!(matches!(recorded, Err(TrialError::Stopped))),
            None => {
                assert_ne!(recorded.unwrap(), Recorded::OnRecord);
                self.outcomes.insert(patient, outcome);
            }
        }
    }

    fn correct(&mut self, who: usize, outcome: Option<f64>) {
        let Some(patient) = self.someone(who) else { return };
        let corrected = self.trial().correct(&patient, outcome, Some("entered wrongly"));
        if self.withdrawn.contains(&patient) {
            assert!(matches!(corrected, Err(TrialError::Withdrawn)));
        } else if let Some(kept) = self.outcomes.get_mut(&patient) {
            *kept = outcome;
            let corrected = corrected.unwrap();
            assert!(!self.release.is_stopped() || corrected == Amended::AfterRelease);
            let length = std::fs::metadata(&self.path).unwrap().len();
            assert_eq!(self.trial().correct(&patient, outcome, None).unwrap(), corrected, "a retry is safe");
            assert_eq!(std::fs::metadata(&self.path).unwrap().len(), length, "and writes nothing");
        } else {
            assert!(matches!(corrected, Err(TrialError::NothingOnRecord)));
        }
    }

    fn withdraw(&mut self, who: usize) {
        let Some(patient) = self.someone(who) else { return };
        let once = self.trial().withdraw(&patient, None).unwrap();
        assert_eq!(self.trial().withdraw(&patient, None).unwrap(), once, "a retry is safe");
        self.withdrawn.insert(patient);
    }

    fn take(&mut self, op: &Op) {
        match *op {
            Op::Assign { stratum } => self.assign(stratum, true),
            Op::AssignUnheard { stratum } => self.assign(stratum, false),
            Op::Record { who, better } => self.outcome(who, Some(f64::from(u8::from(better)))),
            Op::Missing { who } => self.outcome(who, None),
            Op::Duplicate { who } => {
                let Some(patient) = self.someone(who) else { return };
                let again = self.trial().assign(&patient, Stratum::new(&spec(), 0).unwrap());
                assert!(matches!(again, Err(TrialError::DuplicatePatient)));
            }
            Op::Correct { who, better } => {
                self.correct(who, better.map(|better| f64::from(u8::from(better))));
            }
            Op::Withdraw { who } => self.withdraw(who),
            Op::Crash => self.crash_and_check(b""),
            Op::Tear { bytes } => self.crash_and_check(&TORN.as_bytes()[..bytes.min(TORN.len())]),
            Op::Stop => self.trial().stop().unwrap(),
        }
        let release = self.trial().release().clone();
        if matches!(op, Op::Correct { .. } | Op::Withdraw { .. }) {
            assert_eq!(release, self.release, "what is published stands");
        }
        assert!(release.tables().starts_with(&self.tables), "published tables never change");
        assert_eq!(release.enrolled(), self.arms.len() as u64);
        self.tables = release.tables().to_vec();
        self.release = release;
    }

    fn crash_and_check(&mut self, torn: &[u8]) {
        let before = std::fs::read(&self.path).unwrap();
        self.crash(torn);
        assert_eq!(std::fs::read(&self.path).unwrap(), before, "half a line is cut off, and no more");
        self.check_all();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn nothing_acknowledged_is_lost(ops in prop::collection::vec(op(), 1..120)) {
        let folder = tempfile::tempdir().unwrap();
        let mut clinic = Clinic::new(&folder.path().join("trial"));
        for op in &ops {
            clinic.take(op);
        }
        clinic.crash_and_check(b"");
    }
}

/// Everyone is assigned, unless they are; and recorded, unless they are; then the trial stops.
fn finish(trial: &mut DurableTrial<SimRng>) {
    for person in 0..PEOPLE {
        let patient = person.to_string();
        let stratum = Stratum::new(&spec(), person as usize % 2).unwrap();
        if trial.assignment(&patient).is_none() {
            trial.assign(&patient, stratum).unwrap();
        }
        // Every fifth outcome waits for the end: it comes late.
        if !person.is_multiple_of(5) {
            trial.record(&patient, f64::from(u8::from(person % 3 == 0))).unwrap();
        }
    }
    for person in (0..PEOPLE).step_by(5) {
        trial.record(&person.to_string(), 1.0).unwrap();
    }
    trial.stop().unwrap();
}

#[test]
fn a_trial_killed_between_any_two_steps_goes_on_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial");
    let mut whole = DurableTrial::open_with(&path, spec(), noise(0)).unwrap();
    finish(&mut whole);
    let told = whole.release().clone();
    assert!(told.is_complete() && told.tables().len() >= 3);
    drop(whole);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert!(lines.len() > 2 * PEOPLE as usize, "{}", lines.len());
    let bytes = |tables: &[Table]| serde_json::to_vec(tables).unwrap();
    for kept in 1..=lines.len() {
        let path = folder.path().join(format!("killed after {kept}"));
        std::fs::write(&path, lines[..kept].concat()).unwrap();
        let mut trial = DurableTrial::reopen_with(&path, noise(kept as u64)).unwrap();
        let published = trial.release().tables().to_vec();
        assert_eq!(published, told.tables()[..published.len()]);
        finish(&mut trial);
        let release = trial.release();
        assert!(release.is_complete());
        assert_eq!(bytes(&release.tables()[..published.len()]), bytes(&published));
        let after = std::fs::read_to_string(&path).unwrap();
        assert!(after.starts_with(&lines[..kept].concat()), "a file only grows");
        let reopened = DurableTrial::reopen_with(&path, noise(0));
        drop(trial);
        assert!(reopened.is_err(), "one process at a time");
    }
}

#[test]
fn a_first_line_that_was_never_whole_is_no_trial_yet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial");
    let open = || {
        let author = Author::default().with_clock(Told::new(&[1_800_000_000]));
        DurableTrial::open_by(&path, spec(), noise(0), author).unwrap()
    };
    drop(open());
    let whole = std::fs::read(&path).unwrap();
    for kept in (0..whole.len()).step_by(7) {
        std::fs::write(&path, &whole[..kept]).unwrap();
        assert!(DurableTrial::reopen_with(&path, noise(0)).is_err());
        drop(open());
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
    assert!(DurableTrial::reopen(&folder.path().join("none")).is_err());
    assert!(!folder.path().join("none").exists(), "reopening makes no file");
}

/// Killed while it stops: tables are out early, and nobody more may be enrolled, whichever table was the last
/// to be published.
#[test]
fn a_trial_that_died_while_stopping_can_only_stop() {
    for follow_up in [0, 10] {
        let plan =
            Draft { follow_up, first_epoch: Some(5), growth: 1.0, ..Draft::simple("stopped", 40, 1.0) };
        let spec = TrialSpec::new(plan).unwrap();
        let everyone = Stratum::new(&spec, 0).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trial");
        let mut trial = DurableTrial::open_with(&path, spec, noise(0)).unwrap();
        for person in 0..7 {
            trial.assign(&person.to_string(), everyone).unwrap();
        }
        let before = trial.release().tables().len();
        trial.stop().unwrap();
        drop(trial);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        // From the first table that the stop published to the last step but one.
        for kept in lines.len() - (2 - before)..lines.len() {
            std::fs::write(&path, lines[..kept].concat()).unwrap();
            let mut trial = DurableTrial::reopen_with(&path, noise(1)).unwrap();
            let refused = trial.assign("7", everyone);
            assert!(matches!(refused, Err(TrialError::Stopping)), "{follow_up} {kept}: {refused:?}");
            trial.stop().unwrap();
        }
    }
}

#[test]
fn a_plan_names_its_document_and_files_from_before_need_not() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"{ "name": "pilot", "epsilon": "1", "problem": { "kind": "trial", "arms": ["a", "b"],
        "people": 40, "better": "higher", "outcome": { "column": "well", "kind": "binary", "low": "0", "high": "1" } } }"#;
    let experiment = reticent_schema::Experiment::from_json(text).unwrap();
    let named = TrialSpec::of(&experiment).unwrap();
    let open = |file: &str, spec: &TrialSpec| {
        DurableTrial::open_with(&folder.path().join(file), spec.clone(), noise(1))
    };
    let trial = open("new", &named).unwrap();
    assert_eq!(trial.release().spec().draft().experiment, Some(experiment.digest()));
    drop(trial);
    assert!(open("new", &named).is_ok());
    let old = TrialSpec::new(Draft { experiment: None, ..named.draft().clone() }).unwrap();
    drop(open("old", &old).unwrap());
    assert!(open("old", &named).is_ok(), "the same plan, from before it named its document");
    assert!(
        matches!(open("new", &old), Err(TrialError::SpecChanged)),
        "a plan of no document is another one"
    );
    let other = reticent_schema::Experiment::from_json(&text.replace("pilot", "second")).unwrap();
    assert!(matches!(open("new", &TrialSpec::of(&other).unwrap()), Err(TrialError::SpecChanged)));
}

/// Steps that share a flush: all are in the file afterwards, also those before a failure, and none before.
#[test]
fn steps_that_are_taken_together_are_kept_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial");
    let trial = DurableTrial::open_with(&path, spec(), noise(0)).unwrap();
    let before = std::fs::read(&path).unwrap();
    let site = Stratum::new(&spec(), 0).unwrap();
    let failed = trial.together(|trial| {
        for patient in ["a", "b", "c"] {
            trial.assign(patient, site)?;
            trial.record(patient, 1.0)?;
            assert_eq!(std::fs::read(&path).unwrap(), before, "nothing is told yet, so nothing need be kept");
        }
        trial.assign("a", site).map(|_| ())
    });
    assert!(matches!(failed, Err(TrialError::DuplicatePatient)));
    let trial = DurableTrial::open_with(&path, spec(), noise(1)).unwrap();
    assert_eq!((trial.release().enrolled(), trial.assignment("c").is_some()), (3, true));
    let trial = trial.together(|trial| trial.assign("d", site).map(|_| ())).unwrap();
    let alone = std::fs::read(&path).unwrap();
    assert_eq!(trial.release().enrolled(), 4);
    drop(trial);
    let mut trial = DurableTrial::open_with(&path, spec(), noise(2)).unwrap();
    trial.record("d", 0.0).unwrap();
    assert!(std::fs::read(&path).unwrap().len() > alone.len(), "a step alone is kept at once");
}
