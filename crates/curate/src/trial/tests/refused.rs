//! Bad input: each is refused with a clear error, changes nothing, and is not repeated in the message.

use std::path::{Path, PathBuf};

use reticent_privacy::{SimRng, SimSeed, Stream};
use reticent_store::JournalError;

use super::super::{
    Draft, DurableTrial, Outcome, PersonError, Recorded, Stratum, Trial, TrialError, TrialSpec,
};
use super::first_version;
use reticent_schema::Feature;

/// A value that must not be in any message.
const VALUE: f64 = 31_415.926_535;
const VALUE_TEXT: &str = "31415.9";
const WORD: &str = "sentinel-word";

fn draft() -> Draft {
    let mut plan = Draft::simple("refused", 6, 1.0);
    plan.first_epoch = Some(2);
    plan.outcome = Outcome::number("pain", 0.0, 10.0);
    let levels = Some(vec!["north".into(), "south".into()]);
    plan.features.push(Feature { column: "site".into(), levels, bins: None });
    plan.features.push(Feature { column: "age".into(), levels: None, bins: Some(vec![65.0]) });
    plan
}

fn spec() -> TrialSpec {
    TrialSpec::new(draft()).unwrap()
}

fn stratum() -> Stratum {
    spec().stratum(&["north", "40"]).unwrap()
}

fn noise() -> SimRng {
    SimSeed(3).stream(0, Stream::Noise)
}

struct Clinic {
    _folder: tempfile::TempDir,
    path: PathBuf,
    trial: DurableTrial<SimRng>,
}

impl Clinic {
    /// Two people are enrolled, `a` with an outcome.
    fn new() -> Clinic {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trial");
        let mut trial = DurableTrial::open_with(&path, spec(), noise()).unwrap();
        trial.assign("a", stratum()).unwrap();
        trial.assign("b", stratum()).unwrap();
        trial.record("a", 7.0).unwrap();
        Clinic { _folder: folder, path, trial }
    }

    /// Refused, and neither the file nor the release has changed.
    fn refuses<T: std::fmt::Debug>(
        &mut self,
        step: impl FnOnce(&mut DurableTrial<SimRng>) -> Result<T, TrialError>,
    ) -> TrialError {
        let (file, release) = (std::fs::read(&self.path).unwrap(), self.trial.release().clone());
        let error = step(&mut self.trial).unwrap_err();
        assert_eq!(std::fs::read(&self.path).unwrap(), file, "{error}");
        assert_eq!(*self.trial.release(), release, "{error}");
        silent(&error);
        error
    }
}

/// No message tells a value, in any form in which errors are shown.
fn silent(error: &(impl std::error::Error + ?Sized)) {
    for text in [error.to_string(), format!("{error:?}"), format!("{error:#?}")] {
        assert!(!text.contains(VALUE_TEXT) && !text.contains(WORD), "{text}");
    }
}

#[test]
fn a_person_who_does_not_fit_the_plan() {
    let refused = |cells: &[&str]| {
        let error = spec().stratum(cells).unwrap_err();
        silent(&error);
        error
    };
    assert_eq!(refused(&[WORD, "40"]), PersonError::Level("site".into()));
    assert_eq!(refused(&["", "40"]), PersonError::Level("site".into()));
    assert_eq!(refused(&["north", WORD]), PersonError::Level("age".into()));
    assert_eq!(refused(&["north", "NaN"]), PersonError::Level("age".into()));
    assert_eq!(refused(&["north", ""]), PersonError::Level("age".into()));
    assert_eq!(refused(&["north"]), PersonError::NoValue("age".into()));
    assert!(refused(&["North", "40"]).to_string().contains("site"), "the message names the column");
    assert!(spec().stratum(&[" north ", " 31415.926535 "]).is_ok());
    assert_eq!(format!("{:?}", stratum()), "Stratum(..)");
}

#[test]
fn an_outcome_that_does_not_fit_the_plan() {
    let mut clinic = Clinic::new();
    for outcome in [VALUE, -0.001, 10.001, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = clinic.refuses(|trial| trial.record("b", outcome));
        assert!(matches!(error, TrialError::OutOfRange), "{error}");
    }
    assert_eq!(clinic.trial.record("b", 10.0).unwrap(), Recorded::InTime);
    let mut binary = Trial::with_noise(TrialSpec::new(Draft::simple("binary", 10, 1.0)).unwrap(), noise());
    let everyone = Stratum::new(binary.release().spec(), 0).unwrap();
    let number = binary.assign(everyone).unwrap().number;
    for between in [0.5, 1e-300, 1.0 - f64::EPSILON] {
        assert!(matches!(binary.record(number, between), Err(TrialError::OutOfRange)));
    }
    assert_eq!(binary.record(number, 1.0).unwrap(), Recorded::InTime);
}

#[test]
fn a_patient_twice_or_never() {
    let mut clinic = Clinic::new();
    let error = clinic.refuses(|trial| trial.assign("a", stratum()));
    assert!(matches!(error, TrialError::DuplicatePatient));
    assert!(matches!(clinic.refuses(|trial| trial.record(WORD, 1.0)), TrialError::UnknownPatient));
    assert!(matches!(clinic.refuses(|trial| trial.missing(WORD)), TrialError::UnknownPatient));
    assert!(matches!(clinic.refuses(|trial| trial.assign("", stratum())), TrialError::PatientName));
    let long = WORD.repeat(20);
    assert!(matches!(clinic.refuses(|trial| trial.assign(&long, stratum())), TrialError::PatientName));
    assert!(clinic.trial.assignment(WORD).is_none());
    let mut trial = Trial::with_noise(spec(), noise());
    assert!(matches!(trial.record(0, 1.0), Err(TrialError::NeverAssigned)));
    assert!(matches!(trial.missing(u64::MAX), Err(TrialError::NeverAssigned)));
}

/// Whoever may record must not be able to guess what is on record.
#[test]
fn a_second_outcome_tells_nothing_about_the_first() {
    for stopped in [false, true] {
        let mut clinic = Clinic::new();
        clinic.trial.missing("b").unwrap();
        if stopped {
            clinic.trial.stop().unwrap();
        }
        let before = std::fs::read(&clinic.path).unwrap();
        let told: Vec<String> = ["a", "b"]
            .iter()
            .flat_map(|who| {
                let guesses =
                    [7.0, 7.5, 0.0, 10.0].map(|guess| format!("{:?}", clinic.trial.record(who, guess)));
                guesses.into_iter().chain([format!("{:?}", clinic.trial.missing(who))]).collect::<Vec<_>>()
            })
            .collect();
        assert!(told.iter().all(|one| one == "Ok(OnRecord)"), "{told:?}");
        assert_eq!(std::fs::read(&clinic.path).unwrap(), before, "an outcome stays as it was");
    }
}

#[test]
fn after_the_end() {
    let mut clinic = Clinic::new();
    clinic.trial.stop().unwrap();
    assert!(matches!(clinic.refuses(|trial| trial.record("b", 1.0)), TrialError::Stopped));
    assert!(matches!(clinic.refuses(|trial| trial.missing("b")), TrialError::Stopped));
    assert!(matches!(clinic.refuses(|trial| trial.assign("c", stratum())), TrialError::Stopped));
    assert_eq!(clinic.trial.record("a", 7.0).unwrap(), Recorded::OnRecord, "a retry is safe");
    let release = clinic.trial.release().clone();
    clinic.trial.stop().unwrap();
    assert_eq!(*clinic.trial.release(), release, "stopping twice is stopping once");
}

fn full() -> Clinic {
    let mut clinic = Clinic::new();
    for patient in ["c", "d", "e", "f"] {
        clinic.trial.assign(patient, stratum()).unwrap();
    }
    clinic
}

#[test]
fn more_people_than_planned() {
    let mut clinic = full();
    assert!(matches!(clinic.trial.assign("g", stratum()), Err(TrialError::Full(6))));
    assert!(clinic.trial.assignment("g").is_none());
    assert_eq!(clinic.trial.release().enrolled(), 6);
    assert!(matches!(clinic.refuses(|trial| trial.assign("g", stratum())), TrialError::Full(6)));
}

/// The last epoch's people may still be waiting for their outcomes.
#[test]
fn one_too_many_does_not_close_the_last_table() {
    let mut clinic = full();
    assert!(matches!(clinic.refuses(|trial| trial.assign("g", stratum())), TrialError::Full(6)));
    assert_eq!(clinic.trial.record("f", 1.0).unwrap(), Recorded::InTime);
}

#[test]
fn another_plan_after_the_start() {
    let Clinic { _folder, path, trial } = Clinic::new();
    drop(trial);
    let before = std::fs::read(&path).unwrap();
    let changes: [fn(&mut Draft); 6] = [
        |plan| plan.people = 7,
        |plan| plan.epsilon = Some(2.0),
        |plan| plan.private = false,
        |plan| plan.outcome.high = 11.0,
        |plan| plan.arms[1] = "other".into(),
        |plan| drop(plan.features.pop()),
    ];
    for change in changes {
        let mut changed = draft();
        change(&mut changed);
        let opened = DurableTrial::open_with(&path, TrialSpec::new(changed).unwrap(), noise());
        assert!(matches!(opened, Err(TrialError::SpecChanged)));
    }
    assert!(
        matches!(DurableTrial::open(&path, spec()), Err(TrialError::SpecChanged)),
        "noise of another source"
    );
    assert!(DurableTrial::reopen(&path).is_err(), "noise of another source");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(DurableTrial::open_with(&path, spec(), noise()).unwrap().release().enrolled(), 2);
}

/// Opens a file in both ways; both must fail alike, and leave it as it is.
fn cannot_open(path: &Path, text: &str) -> TrialError {
    std::fs::write(path, text).unwrap();
    let error = DurableTrial::open_with(path, spec(), noise()).unwrap_err();
    let again = DurableTrial::reopen_with(path, noise()).unwrap_err();
    assert_eq!(error.to_string(), again.to_string());
    assert_eq!(std::fs::read_to_string(path).unwrap(), text, "{error}");
    silent(&error);
    error
}

#[test]
fn a_damaged_file_names_its_line_and_stays_as_it_is() {
    let Clinic { _folder, path, trial } = Clinic::new();
    drop(trial);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for line in 1..lines.len() {
        let mut damaged = lines.clone();
        damaged[line] = "{\"sentinel-word\":31415.926535}\n";
        let error = cannot_open(&path, &damaged.concat());
        assert!(matches!(error, TrialError::Journal(JournalError::Corrupt { line: at }) if at == line + 1));
        assert!(error.to_string().contains(&format!("line {}", line + 1)), "{error}");
    }
    // Lines that are well formed, but do not fit those before them: of version 1, which had no checksums.
    let first = first_version(&text);
    let step = |step: &str| [first.as_str(), step, "\n"].concat();
    let wrong = [
        r#"{"step":{"outcome":{"number":0,"outcome":3}}}"#,
        r#"{"step":{"outcome":{"number":9,"outcome":3}}}"#,
        r#"{"step":{"assigned":{"stratum":0,"arm":0}}}"#,
        r#"{"patient":{"name":"a","event":{"assigned":{"stratum":0,"arm":0}}}}"#,
        r#"{"patient":{"name":"c","event":{"assigned":{"stratum":0,"arm":2}}}}"#,
        r#"{"patient":{"name":"c","event":{"assigned":{"stratum":4,"arm":0}}}}"#,
        r#"{"step":{"table":{"counts":[[0,0,0,0]]}}}"#,
    ];
    for wrong in wrong {
        let error = cannot_open(&path, &step(wrong));
        assert!(matches!(error, TrialError::Damaged(line) if line == lines.len() + 1), "{wrong}: {error}");
    }
    // A line that is gone.
    let error = cannot_open(&path, &[lines[0], lines[2]].concat());
    assert!(matches!(error, TrialError::Journal(JournalError::Corrupt { line: 2 })), "{error}");
    let first: Vec<&str> = first.split_inclusive('\n').collect();
    let error = cannot_open(&path, &[first[0], first[2]].concat());
    assert!(matches!(error, TrialError::Damaged(2)), "{error}");
}

#[test]
fn files_of_others() {
    let Clinic { _folder, path, trial } = Clinic::new();
    drop(trial);
    let text = std::fs::read_to_string(&path).unwrap();
    let later = text.replacen("\"version\":3", "\"version\":4", 1);
    let error = cannot_open(&path, &later);
    assert!(matches!(error, TrialError::Journal(JournalError::Version { found: 4, newest: 3 })), "{error}");
    for other in
        ["sentinel-word, 31415.926535", "patient,outcome\nsentinel-word,31415.926535\n", "[]\n", "{}\n"]
    {
        let error = cannot_open(&path, other);
        assert!(matches!(error, TrialError::Journal(JournalError::Corrupt { line: 1 })), "{error}");
    }
    let second = |text: &str| text.split_inclusive('\n').nth(1).unwrap().to_string();
    assert!(matches!(cannot_open(&path, &second(&first_version(&text))), TrialError::Damaged(1)));
    let error = cannot_open(&path, &second(&text));
    assert!(matches!(error, TrialError::Journal(JournalError::Corrupt { line: 1 })), "{error}");
}

#[test]
fn a_file_in_use() {
    let clinic = Clinic::new();
    let before = std::fs::read(&clinic.path).unwrap();
    let locked = |error: TrialError| matches!(error, TrialError::Journal(JournalError::Locked { .. }));
    assert!(locked(DurableTrial::open_with(&clinic.path, spec(), noise()).unwrap_err()));
    assert!(locked(DurableTrial::reopen_with(&clinic.path, noise()).unwrap_err()));
    assert_eq!(std::fs::read(&clinic.path).unwrap(), before);
}
