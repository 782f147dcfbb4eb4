//! The two algorithms, person by person.

use super::*;
use crate::conse::{ConseError, Phase, Schedule, Surviving};

const MEANS: [[f64; 2]; 2] = [[0.1, 0.9], [0.9, 0.1]];

#[test]
fn a_big_gap_is_seen_and_the_effect_estimated() {
    let shape = design(20_000, 2, 0.3);
    for (number, trial) in
        [Conse::new(shape).unwrap(), Conse::private(shape, epsilon(1.0)).unwrap()].into_iter().enumerate()
    {
        let trial = run(trial, &MEANS, number as u64);
        assert_eq!(trial.phase(), Phase::Finished);
        assert_eq!(trial.surviving(), [Surviving::Only(1), Surviving::Only(0)], "{trial:?}");
        assert_eq!(trial.epochs(), [2, 2], "epoch 1 is enough for a gap of 0.8");
        let estimates = trial.estimates();
        for (estimate, effect) in estimates.iter().zip([0.8, -0.8]) {
            // 388 people with a standard error of 0.03, Laplace noise of scale 0.005: 0.2 is 6.6 of the
            // former, below LEVEL.
            assert!((estimate.unwrap() - effect).abs() < 0.2, "{estimates:?}");
        }
    }
}

#[test]
fn few_people_eliminate_nothing_and_get_arm_0_after_the_trial() {
    let mut trial = Conse::private(design(1000, 2, 0.5), epsilon(1.0)).unwrap();
    let mut noise = stream(9);
    for t in 0..1000_usize {
        let arm = trial.choose(t % 2, &mut noise).unwrap();
        let over = trial.lengths().is_some_and(|lengths| (t as u64 - 500) / 2 >= lengths[t % 2]);
        assert!(!over || arm == 0, "person {t}");
        trial.record(f64::from(arm), &mut noise).unwrap();
    }
    assert_eq!(trial.surviving(), [Surviving::Both; 2]);
    assert_eq!(trial.epochs(), [1, 1]);
}

#[test]
fn the_least_length_is_the_rarest_features() {
    // 30 people of feature 0 and 470 of feature 1 in the first half.
    for (alpha, expected) in [(0.0, 30.0), (0.25, libm::pow(30.0, 0.75)), (1.0, libm::log(1000.0))] {
        let mut trial = Conse::new(design(1000, 2, alpha)).unwrap();
        let mut noise = stream(11);
        for t in 0..500 {
            assert_eq!((trial.phase(), trial.least_length()), (Phase::Elimination, None));
            trial.choose(usize::from(t >= 30), &mut noise).unwrap();
            trial.record(0.5, &mut noise).unwrap();
        }
        assert_eq!(trial.phase(), Phase::Trial);
        assert!((trial.least_length().unwrap() - expected).abs() < 1e-9);
        assert_eq!(trial.lengths().unwrap(), [libm::round(expected) as u64; 2]);
        assert_eq!(trial.estimates(), [None, None]);
    }
}

#[test]
fn the_sequences_are_the_printed_ones() {
    // n = 1000, epoch 1: 32 log(16000) / 0.25 = 1239.08...
    let plain = Schedule::of(1, 1000, None);
    assert!((plain.batch - (128.0 * libm::log(16_000.0) + 1.0)).abs() < 1e-9 && plain.noise == 0.0);
    let private = Schedule::of(1, 1000, Some(epsilon(0.1)));
    // The privacy term is the larger one: 8 log(8000) / (0.1 / 2) = 1437.95...
    assert!((private.batch - (160.0 * libm::log(8000.0) + 1.0)).abs() < 1e-6);
    assert!((private.noise - 20.0 * libm::log(8000.0) / private.batch).abs() < 1e-9);
    // guarantee.md, point 5: the threshold plus the error exceeds the gap of the epoch, and the proof does not close.
    assert!(2.0 * private.threshold() > 0.5, "{private:?}");
}

#[test]
fn calls_out_of_turn_and_bad_values_are_refused_and_change_nothing() {
    let mut noise = stream(12);
    for bad in [design(1, 1, 0.5), design(100, 0, 0.5), design(100, 1, 1.5), design(100, 1, f64::NAN)] {
        assert!(Conse::new(bad).is_err(), "{bad:?}");
    }
    let mut trial = Conse::new(design(2, 3, 0.5)).unwrap();
    assert_eq!(trial.record(0.5, &mut noise), Err(ConseError::NobodyAwaited));
    assert_eq!(trial.choose(3, &mut noise), Err(ConseError::UnknownFeature { last: 2 }));
    for served in 0..2 {
        assert_eq!(trial.served(), served);
        trial.choose(0, &mut noise).unwrap();
        assert_eq!(trial.choose(0, &mut noise), Err(ConseError::RewardAwaited));
        for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(trial.record(bad, &mut noise), Err(ConseError::Reward));
        }
        trial.record(1.0, &mut noise).unwrap();
    }
    assert_eq!(trial.choose(0, &mut noise), Err(ConseError::Finished));
}

#[test]
fn neither_promises_anything_and_the_papers_word_is_kept_apart() {
    let trial = Conse::private(design(1000, 2, 0.5), epsilon(0.5)).unwrap();
    assert_eq!(trial.guarantee().to_string(), "not private");
    assert!(trial.guarantee().proof.contains("refuted"));
    let (loss, delta) = trial.claimed().unwrap();
    assert_eq!((loss.to_string(), delta.to_string()), ("0.5".to_string(), "0.001".to_string()));
    assert_eq!(Conse::new(design(1000, 2, 0.5)).unwrap().claimed(), None);
}

/// Golden numbers: a change here changes every published result of the two baselines.
#[test]
fn a_seed_gives_the_same_trial_on_each_machine() {
    let shape = design(20_000, 2, 0.2);
    let plain = run(Conse::new(shape).unwrap(), &MEANS, 77);
    let private = run(Conse::private(shape, epsilon(1.0)).unwrap(), &MEANS, 77);
    assert_eq!(plain.lengths().unwrap(), [910, 910]);
    assert_eq!(private.lengths().unwrap(), GOLDEN_LENGTHS);
    assert_eq!(private.batches(), GOLDEN_BATCHES);
    assert_eq!(private.estimates(), GOLDEN_ESTIMATES.map(Some));
    assert_eq!(plain.estimates(), GOLDEN_PLAIN.map(Some));
}
const GOLDEN_LENGTHS: [u64; 2] = [910, 913];
const GOLDEN_BATCHES: [u64; 2] = [14_400, 14_402];
const GOLDEN_ESTIMATES: [f64; 2] = [0.780_369_200_743_734_8, -0.791_359_872_557_222_8];
const GOLDEN_PLAIN: [f64; 2] = [0.806_647_634_781_012_5, -0.793_210_100_277_878_5];
