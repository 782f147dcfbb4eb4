//! Corrections and withdrawals: before a person's table they are as if it had been so from the start, after it
//! what is published stands.

use reticent_privacy::{SimRng, SimSeed, Stream as Purpose};

use super::super::{Amended, Draft, Recorded, Stratum, Trial, TrialError, TrialSpec};

/// Exact counts, so that releases can be compared: one table, or a table every ten people.
fn plan(first_epoch: Option<u64>) -> Draft {
    let plan = Draft { first_epoch, growth: 1.0, ..Draft::simple("amended", 40, 1.0) };
    Draft { private: false, epsilon: None, ..plan.with_levels("site", 2) }
}

fn started(first_epoch: Option<u64>) -> Trial<SimRng> {
    Trial::with_noise(TrialSpec::new(plan(first_epoch)).unwrap(), SimSeed(9).stream(0, Purpose::Noise))
}

/// People of both strata; every fourth outcome is bad, the last person's is still to come.
fn enrol(trial: &mut Trial<SimRng>, people: std::ops::Range<u64>) {
    let spec = trial.release().spec().clone();
    for person in people.clone() {
        let stratum = Stratum::new(&spec, person as usize % 2).unwrap();
        let number = trial.assign(stratum).unwrap().number;
        if person + 1 < people.end {
            trial.record(number, f64::from(u8::from(person % 4 != 0))).unwrap();
        }
    }
}

const KINDS: [Option<u64>; 2] = [None, Some(10)];

#[test]
fn before_the_table_a_correction_is_as_if_it_had_been_so() {
    for kind in KINDS {
        let (mut right, mut wrong) = (started(kind), started(kind));
        enrol(&mut right, 0..8);
        right.missing(7).unwrap();
        enrol(&mut wrong, 0..7);
        // In the right trial person 6 is well and person 7 is missing; here it was entered otherwise.
        let spec = wrong.release().spec().clone();
        wrong.record(6, 0.0).unwrap();
        wrong.assign(Stratum::new(&spec, 1).unwrap()).unwrap();
        assert_eq!(wrong.correct(6, Some(1.0)).unwrap(), Amended::BeforeRelease);
        wrong.record(7, 1.0).unwrap();
        assert_eq!(wrong.correct(7, None).unwrap(), Amended::BeforeRelease);
        // There and back.
        wrong.correct(1, Some(0.0)).unwrap();
        wrong.correct(1, Some(1.0)).unwrap();
        let without = {
            let mut trial = started(kind);
            enrol(&mut trial, 0..8);
            trial.missing(7).unwrap();
            trial.correct(6, Some(0.0)).unwrap();
            trial.stop().unwrap();
            trial.release().clone()
        };
        right.stop().unwrap();
        wrong.stop().unwrap();
        assert_eq!(wrong.release(), right.release(), "{kind:?}");
        assert_ne!(&without, right.release(), "an outcome makes a difference to these tables");
    }
}

#[test]
fn who_withdraws_counts_as_one_whose_outcome_never_came() {
    for kind in KINDS {
        let (mut missing, mut withdrawn) = (started(kind), started(kind));
        enrol(&mut missing, 0..8);
        missing.correct(3, None).unwrap();
        missing.missing(7).unwrap();
        enrol(&mut withdrawn, 0..8);
        assert_eq!(withdrawn.withdraw(3).unwrap(), Amended::BeforeRelease);
        assert_eq!(withdrawn.withdraw(7).unwrap(), Amended::BeforeRelease, "also who has no outcome yet");
        assert_eq!(withdrawn.withdraw(3).unwrap(), Amended::BeforeRelease, "twice is once");
        for refused in [withdrawn.correct(3, Some(1.0)).unwrap_err(), withdrawn.record(3, 1.0).unwrap_err()] {
            assert!(matches!(refused, TrialError::Withdrawn), "{refused}");
        }
        assert!(matches!(withdrawn.missing(7), Err(TrialError::Withdrawn)));
        missing.stop().unwrap();
        withdrawn.stop().unwrap();
        assert_eq!(withdrawn.release(), missing.release(), "{kind:?}");
    }
}

#[test]
fn what_is_published_stands() {
    for kind in KINDS {
        let mut trial = started(kind);
        enrol(&mut trial, 0..12);
        if kind.is_some() {
            assert_eq!(trial.release().tables().len(), 1, "ten people are in it");
            let before = trial.release().clone();
            assert_eq!(trial.correct(4, Some(1.0)).unwrap(), Amended::AfterRelease);
            assert_eq!(trial.withdraw(5).unwrap(), Amended::AfterRelease);
            assert_eq!(*trial.release(), before);
            assert_eq!(trial.withdraw(10).unwrap(), Amended::BeforeRelease, "not in it yet");
        }
        trial.stop().unwrap();
        let before = trial.release().clone();
        assert_eq!(trial.correct(8, Some(1.0)).unwrap(), Amended::AfterRelease);
        assert_eq!(trial.correct(8, Some(1.0)).unwrap(), Amended::AfterRelease);
        assert_eq!(trial.withdraw(8).unwrap(), Amended::AfterRelease);
        // Nobody's outcome was known when the tables came out: it counts as missing, and there is none to correct.
        assert!(matches!(trial.correct(11, Some(1.0)), Err(TrialError::NothingOnRecord)));
        assert!(matches!(trial.record(11, 1.0), Err(TrialError::Stopped)));
        trial.stop().unwrap();
        assert_eq!(*trial.release(), before, "{kind:?}");
    }
}

/// Late outcomes are corrected as well, as long as their table is not out; everybody is in one table.
#[test]
fn a_late_outcome_is_corrected_in_the_late_table() {
    let late = |amend: &dyn Fn(&mut Trial<SimRng>)| {
        let mut trial = started(Some(10));
        // Person 9 has no outcome when the first table comes out.
        enrol(&mut trial, 0..10);
        enrol(&mut trial, 10..12);
        assert_eq!(trial.record(9, 0.0).unwrap(), Recorded::Late);
        amend(&mut trial);
        trial.stop().unwrap();
        let people: f64 = (0..4)
            .map(|cell| {
                let late = trial.release().late()[0].cell(cell);
                late.people() + late.missing
            })
            .sum();
        assert_eq!(people, 1.0);
        trial.release().clone()
    };
    let untouched = late(&|_| {});
    let there_and_back = late(&|trial| {
        assert_eq!(trial.correct(9, Some(1.0)).unwrap(), Amended::BeforeRelease);
        trial.correct(9, Some(0.0)).unwrap();
    });
    assert_eq!(untouched, there_and_back);
    let changed = late(&|trial| drop(trial.correct(9, Some(1.0))));
    assert_eq!(changed.tables(), untouched.tables(), "the first table is out");
    assert_ne!(changed.late(), untouched.late());
}

#[test]
fn what_cannot_be_amended_is_refused() {
    let mut trial = started(None);
    enrol(&mut trial, 0..3);
    let before = trial.release().clone();
    assert!(matches!(trial.correct(3, Some(1.0)), Err(TrialError::NeverAssigned)));
    assert!(matches!(trial.withdraw(u64::MAX), Err(TrialError::NeverAssigned)));
    assert!(matches!(trial.correct(2, Some(1.0)), Err(TrialError::NothingOnRecord)));
    for outcome in [0.5, f64::NAN, 2.0, -1.0] {
        assert!(matches!(trial.correct(0, Some(outcome)), Err(TrialError::OutOfRange)));
    }
    assert_eq!(*trial.release(), before);
}
