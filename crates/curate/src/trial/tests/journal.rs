//! Files of the first version, and older copies of a file.

use reticent_privacy::{SimRng, SimSeed, Stream};
use reticent_store::JournalError;

use super::super::{Better, Draft, DurableTrial, SpecError, Stratum, TrialError, TrialSpec, verify};

/// What version 1 wrote: three people of four, a table, an outcome that came late.
const FIRST_VERSION: &str = include_str!("first-version.journal");

fn noise() -> SimRng {
    SimSeed(5).stream(0, Stream::Noise)
}

#[test]
fn a_file_of_the_first_version_goes_on_and_is_covered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial");
    std::fs::write(&path, FIRST_VERSION).unwrap();
    let mut trial = DurableTrial::reopen_with(&path, noise()).unwrap();
    assert_eq!((trial.release().enrolled(), trial.release().tables().len()), (3, 1));
    let everyone = Stratum::new(trial.release().spec(), 0).unwrap();
    trial.assign("d", everyone).unwrap();
    trial.record("d", 1.0).unwrap();
    trial.stop().unwrap();
    let release = trial.release().clone();
    assert!(release.is_complete());
    drop(trial);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(FIRST_VERSION), "a file only grows");
    assert_eq!(*DurableTrial::reopen_with(&path, noise()).unwrap().release(), release);
    // An outcome that version 1 wrote cannot be changed any more.
    let changed = text.replacen(r#""number":0,"outcome":1048576"#, r#""number":0,"outcome":0"#, 1);
    assert_ne!(changed, text);
    std::fs::write(&path, changed).unwrap();
    let error = DurableTrial::reopen_with(&path, noise()).unwrap_err();
    assert!(matches!(error, TrialError::Journal(JournalError::Corrupt { line: 11 })), "{error}");
}

#[test]
fn an_older_copy_is_refused_by_whoever_kept_the_head() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial");
    let spec = TrialSpec::new(Draft::simple("copied", 4, 1.0)).unwrap();
    let everyone = Stratum::new(&spec, 0).unwrap();
    let mut trial = DurableTrial::open(&path, spec).unwrap();
    trial.assign("a", everyone).unwrap();
    let older = std::fs::read(&path).unwrap();
    trial.record("a", 1.0).unwrap();
    trial.stop().unwrap();
    let (head, release) = (trial.head(), trial.release().clone());
    drop(trial);
    let trial = DurableTrial::reopen_not_older_than(&path, head).unwrap();
    assert_eq!(*trial.release(), release);
    drop(trial);
    // Its tables would be drawn again, with other noise.
    std::fs::write(&path, older).unwrap();
    let error = DurableTrial::reopen_not_older_than(&path, head).unwrap_err();
    assert!(matches!(error, TrialError::Journal(JournalError::Older { .. })), "{error}");
}

/// An arm changed by hand is noticed by whoever opens the file, and by whoever only checks it.
#[test]
fn an_arm_changed_by_hand_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial");
    let spec = TrialSpec::new(Draft::simple("changed", 4, 1.0)).unwrap();
    let everyone = Stratum::new(&spec, 0).unwrap();
    let mut trial = DurableTrial::open_with(&path, spec, noise()).unwrap();
    let arm = trial.assign("a", everyone).unwrap().arm;
    trial.record("a", 1.0).unwrap();
    let release = trial.release().clone();
    drop(trial);
    let text = std::fs::read_to_string(&path).unwrap();
    let found = verify(text.clone().into_bytes()).unwrap();
    assert_eq!(found.release, release);
    let changed = text.replacen(&format!("\"arm\":{arm}"), &format!("\"arm\":{}", 1 - arm), 1);
    assert_ne!(changed, text);
    std::fs::write(&path, &changed).unwrap();
    for error in
        [DurableTrial::reopen_with(&path, noise()).unwrap_err(), verify(changed.into_bytes()).unwrap_err()]
    {
        assert!(matches!(error, TrialError::Journal(JournalError::Corrupt { line: 3 })), "{error}");
    }
}

/// A file from before plans said which outcomes are good ones: read as higher, and it says so.
#[test]
fn a_plan_that_does_not_say_is_read_as_higher() {
    let found = verify(FIRST_VERSION.into()).unwrap();
    let spec = found.release.spec();
    assert!(spec.is_old() && spec.better() == Better::Higher && !spec.has_one_table());
    let new = Draft { better: None, ..spec.draft().clone() };
    assert_eq!(TrialSpec::new(new), Err(SpecError::NoDirection));
}
