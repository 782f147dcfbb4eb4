//! Plans that cannot be carried out are refused, read or made.

use super::*;
use crate::trial::{PersonError, Schedule, SpecError};
use reticent_schema::Feature;

fn feature(levels: &[&str], bins: &[f64]) -> Feature {
    Feature {
        column: "age".into(),
        levels: (!levels.is_empty()).then(|| levels.iter().map(ToString::to_string).collect()),
        bins: (!bins.is_empty()).then(|| bins.to_vec()),
    }
}

#[test]
fn plans_that_cannot_be_are_refused() {
    let draft = || Draft::simple("plan", 1000, 1.0);
    let with = |feature: Feature| Draft { features: vec![feature], ..draft() };
    let wrong = [
        Draft { epsilon: None, ..draft() },
        Draft { epsilon: Some(-1.0), ..draft() },
        Draft { arms: vec!["one".into()], ..draft() },
        Draft { arms: vec!["one".into(), "one".into()], ..draft() },
        Draft { alpha: 1.5, ..draft() },
        Draft { alpha: f64::NAN, ..draft() },
        Draft { people: 1, ..draft() },
        Draft { growth: 0.5, ..draft() },
        Draft { first_epoch: Some(0), ..draft() },
        Draft { observed: Some(vec![0.5]), ..draft() },
        Draft { people: 1_000_000, growth: 1.0, first_epoch: Some(1), ..draft() },
        Draft { features: vec![feature(&["a", "b"], &[]); 2], ..draft() },
        with(feature(&["a", " b"], &[])),
        with(feature(&["a"], &[])),
        with(feature(&["a", "a"], &[])),
        with(feature(&[], &[2.0, 1.0])),
        with(feature(&["a", "b"], &[1.0])),
        with(feature(&[], &[])),
        Draft { features: vec![feature(&[], &[1.0, 2.0, 3.0]); 11], ..draft() },
    ];
    for plan in wrong {
        let refused = TrialSpec::new(plan.clone());
        let read = serde_json::to_string(&plan).map(|json| serde_json::from_str::<TrialSpec>(&json).is_err());
        assert!(refused.is_err() && read.unwrap_or(true), "{plan:?}");
    }
    assert_eq!(TrialSpec::new(Draft { epsilon: None, ..draft() }), Err(SpecError::NoEpsilon));
    let spec = TrialSpec::new(draft()).unwrap();
    let json = serde_json::to_string(&spec).unwrap();
    assert_eq!(serde_json::from_str::<TrialSpec>(&json).unwrap(), spec);
    assert!(serde_json::from_str::<TrialSpec>(&json.replacen("\"name\"", "\"naem\"", 1)).is_err());
}

#[test]
fn strata_are_combinations_of_levels() {
    let sex = Feature { column: "sex".into(), ..feature(&["f", "m"], &[]) };
    let plan =
        Draft { features: vec![sex, feature(&[], &[30.0, 60.0])], ..Draft::simple("strata", 1000, 1.0) };
    let spec = TrialSpec::new(plan).unwrap();
    assert_eq!((spec.strata(), spec.arms()), (6, 2));
    assert_eq!(spec.stratum(&["m", "29.9"]).unwrap().0, 3);
    assert_eq!(spec.stratum(&["f", "60"]).unwrap().0, 2);
    assert_eq!(spec.stratum_name(3), "sex = m, age < 30");
    assert_eq!(spec.stratum_name(4), "sex = m, 30 <= age < 60");
    assert_eq!(spec.stratum(&["x", "30"]), Err(PersonError::Level("sex".into())));
    assert_eq!(spec.stratum(&["m", "old"]), Err(PersonError::Level("age".into())));
    assert_eq!(spec.stratum(&["m", "NaN"]), Err(PersonError::Level("age".into())));
    assert_eq!(spec.stratum(&["m"]), Err(PersonError::NoValue("age".into())));
}

#[test]
fn epochs_cover_everyone_and_grow() {
    for people in [2, 10, 445, 1000, 99_999] {
        let schedule = Schedule::new(&TrialSpec::new(Draft::simple("epochs", people, 1.0)).unwrap());
        let lengths: Vec<u64> = (0..schedule.epochs()).map(|epoch| schedule.length(epoch)).collect();
        assert_eq!(lengths.iter().sum::<u64>(), people, "{lengths:?}");
        assert!(lengths.iter().all(|&length| length > 0));
        for enrolment in 0..people {
            let epoch = schedule.epoch_of(enrolment);
            assert!((schedule.start(epoch)..schedule.end(epoch)).contains(&enrolment));
        }
    }
}
