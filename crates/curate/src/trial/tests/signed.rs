//! Time and author of every line.

use std::path::Path;

use reticent_privacy::{SimRng, SimSeed, Stream};
use reticent_store::{JournalError, Moment};

use super::super::{
    Actor, Author, Draft, DurableTrial, NoActor, Step, Stratum, TrialError, TrialSpec, log, verify,
};
use super::{Told, first_version};

fn noise() -> SimRng {
    SimSeed(5).stream(0, Stream::Noise)
}

fn spec() -> TrialSpec {
    TrialSpec::new(Draft::simple("signed", 4, 1.0)).unwrap()
}

fn author(name: Option<&str>, seconds: &[i64]) -> Author {
    Author::new(name.map(|name| name.parse().unwrap())).with_clock(Told::new(seconds))
}

/// Begun by the ward, whose clock is put back by an hour; gone on with by nobody who is named.
fn written(path: &Path) -> Vec<u8> {
    let everyone = Stratum::new(&spec(), 0).unwrap();
    let ward = author(Some("ward 3"), &[10_000, 10_001, 10_002, 6_400, 6_401]);
    let mut trial = DurableTrial::open_by(path, spec(), noise(), ward).unwrap();
    trial.assign("a", everyone).unwrap();
    trial.record("a", 1.0).unwrap();
    let mut trial = trial.by(author(None, &[9_000, 9_500, 9_900]));
    trial.correct("a", Some(0.0), Some("typing")).unwrap();
    trial.withdraw("a", None).unwrap();
    trial.stop().unwrap();
    drop(trial);
    std::fs::read(path).unwrap()
}

#[test]
fn every_line_says_when_and_by_whom() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = written(&folder.path().join("trial"));
    let found = log(bytes.clone()).unwrap();
    let ward = Some("ward 3");
    let told: Vec<_> = found
        .steps
        .iter()
        .map(|one| (one.step, one.at.map(Moment::unix).unwrap(), one.by.as_ref().map(Actor::name)))
        .collect();
    let expected = [
        (Step::Started, 10_000, ward),
        (Step::Epoch, 10_001, ward),
        (Step::Assigned, 10_002, ward),
        (Step::Outcome, 6_400, ward),
        (Step::Corrected, 9_000, None),
        (Step::Withdrawn, 9_500, None),
        (Step::Stopped, 9_900, None),
    ];
    assert_eq!(told, expected);
    let patients = found.steps.iter().map(|one| one.patient.as_deref());
    assert!(patients.eq([None, None, Some("a"), Some("a"), Some("a"), Some("a"), None]));
    assert_eq!(found.steps[4].reason.as_deref(), Some("typing"));
    assert!(found.steps.iter().enumerate().all(|(place, one)| one.line == place as u64 + 1));
    let times = verify(bytes).unwrap().times;
    assert_eq!(times, found.times);
    assert_eq!((times.without_time, times.without_author, times.went_back), (0, 3, 1));
    assert_eq!(times.begun.unwrap().0.to_string(), "1970-01-01T02:46:40Z");
}

#[test]
fn nothing_of_it_is_in_the_release() {
    let folder = tempfile::tempdir().unwrap();
    let release = verify(written(&folder.path().join("trial"))).unwrap().release;
    let published = serde_json::to_string(&release).unwrap();
    for secret in ["ward", "1970", "typing", "\"at\"", "\"by\""] {
        assert!(!published.contains(secret), "{secret}");
    }
}

/// Whoever changes who did it, or when, is noticed; and so is who cuts a line out.
#[test]
fn a_time_or_an_author_changed_by_hand_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial");
    let text = String::from_utf8(written(&path)).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let changed = [
        (text.replacen("ward 3", "ward 4", 1), 2),
        (text.replacen("02:46:41", "02:46:42", 1), 2),
        (text.replacen("typing", "joking", 1), 5),
        ([&lines[..4], &lines[5..]].concat().concat(), 5),
    ];
    for (changed, line) in changed {
        assert_ne!(changed, text);
        let error = verify(changed.clone().into_bytes()).unwrap_err();
        assert!(
            matches!(error, TrialError::Journal(JournalError::Corrupt { line: at }) if at == line),
            "{error}"
        );
        std::fs::write(&path, changed).unwrap();
        assert!(DurableTrial::reopen_with(&path, noise()).is_err());
    }
    // A last line that was cut is one that nobody was told of.
    let cut = verify(text.as_bytes()[..text.len() - 9].to_vec()).unwrap();
    assert!(cut.torn && !cut.release.is_stopped());
    assert!(!verify(text.into_bytes()).unwrap().torn);
}

#[test]
fn lines_from_before_have_neither_and_those_after_have_both() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial");
    let everyone = Stratum::new(&spec(), 0).unwrap();
    let mut trial = DurableTrial::open_with(&path, spec(), noise()).unwrap();
    trial.assign("a", everyone).unwrap();
    drop(trial);
    let old = first_version(&std::fs::read_to_string(&path).unwrap());
    assert!(!old.contains("\"at\""));
    std::fs::write(&path, &old).unwrap();
    let mut trial = DurableTrial::reopen_with(&path, noise()).unwrap().by(author(Some("ward 3"), &[7]));
    assert_eq!((trial.times().version, trial.times().without_time), (1, 3));
    assert_eq!((trial.times().begun.is_none(), trial.times().last), (true, None));
    trial.record("a", 1.0).unwrap();
    drop(trial);
    let bytes = std::fs::read(&path).unwrap();
    let times = verify(bytes).unwrap().times;
    assert_eq!((times.without_time, times.without_author, times.last), (3, 0, Some(Moment::from_unix(7))));
    // A line without a time cannot stand behind one with a time, nor in a file that began with times.
    let entry = r#"{"entry":{"at":"1970-01-01T00:00:07Z","event":{"outcome":{"number":0,"outcome":null}}}}"#;
    let step = r#"{"step":{"withdrawn":{"number":0}}}"#;
    for (lines, sound) in
        [([entry, ""], true), ([step, ""], true), ([step, entry], false), ([entry, step], false)]
    {
        let text = old.clone() + &lines.join("\n").replacen("\n\n", "\n", 1);
        let text = text.trim_end().to_string() + "\n";
        assert_eq!(verify(text.into_bytes()).is_ok(), sound, "{lines:?}");
    }
}

#[test]
fn a_name_is_one_line() {
    for text in ["", "two\nlines", "a\u{7}", &"x".repeat(101)] {
        assert_eq!(text.parse::<Actor>().unwrap_err(), NoActor);
    }
    let folder = tempfile::tempdir().unwrap();
    let mut trial = DurableTrial::open_with(&folder.path().join("trial"), spec(), noise()).unwrap();
    trial.assign("a", Stratum::new(&spec(), 0).unwrap()).unwrap();
    for reason in ["", "two\nlines", &"x".repeat(501)] {
        assert!(matches!(trial.withdraw("a", Some(reason)), Err(TrialError::Reason)));
    }
    assert!(matches!(trial.withdraw("b", None), Err(TrialError::UnknownPatient)));
}
