//! A person adds one to one cell of one table, and the noise has the scale that the proof asks for.

use super::*;
use crate::trial::table::{Sums, weights};
use crate::trial::{COUNTS, Outcome, Recorded, STEPS, Steps};
use reticent_privacy::Epsilon;

#[test]
fn weights_sum_to_one_and_tell_two_moments() {
    for y in [0, 1, 7, STEPS / 3, STEPS / 2, STEPS - 1, STEPS] {
        let [low, middle, high, missing] = weights(Some(Steps(y))).map(f64::from);
        let one = f64::from(STEPS);
        assert_eq!((low + middle + high, missing), (one, 0.0));
        let y = f64::from(y) / one;
        assert!((high / one - y * y).abs() < 2e-6 && ((high + middle / 2.0) / one - y).abs() < 2e-6);
    }
    assert_eq!(weights(None), [0, 0, 0, STEPS]);
    let ends = Outcome::yes_or_no("y");
    assert_eq!(
        [ends.steps(0.0), ends.steps(1.0), ends.steps(0.5)],
        [Some(Steps(0)), Some(Steps(STEPS)), None]
    );
}

/// Variance 2 (2 / epsilon)^2 in people; with the noise of removal alone, 2 / epsilon^2, it would be a quarter.
#[test]
fn the_noise_is_for_a_replaced_person() {
    let epsilon = Epsilon::new(0.5).unwrap();
    let mut rng = SimSeed(9).stream(0, Purpose::Noise);
    let mut squares = 0.0;
    let draws = 20_000;
    for _ in 0..draws {
        let table = Sums::new(1).release(Some(epsilon), false, &mut rng);
        let cell = table.cell(0);
        squares += cell.counts.iter().map(|count| count * count).sum::<f64>() + cell.missing * cell.missing;
    }
    let variance = squares / (draws * COUNTS) as f64;
    // The mean of n squares of Laplace noise has a relative deviation of sqrt(5 / n): 0.8 %.
    assert!((variance / 32.0 - 1.0).abs() < 0.045, "{variance}");
    let binary = Sums::new(1).release(Some(epsilon), true, &mut rng).cell(0);
    assert!(binary.counts[1] == 0.0 && binary.counts[0] != 0.0 && binary.missing != 0.0);
}

/// In time, late, withdrawn, or never heard of: everybody is in one table.
#[test]
fn everyone_is_counted_once() {
    let plan =
        Draft { private: false, follow_up: 20, first_epoch: Some(100), ..Draft::simple("once", 500, 1.0) };
    let spec = TrialSpec::new(plan).unwrap();
    let mut trial = Trial::with_noise(spec.clone(), SimSeed(10).stream(0, Purpose::Noise));
    let mut late = 0;
    for person in 0..500_u64 {
        let number = trial.assign(Stratum::new(&spec, 0).unwrap()).unwrap().number;
        match person % 5 {
            0 => assert_eq!(trial.missing(number).unwrap(), Recorded::InTime),
            1 => {}
            _ => assert_eq!(trial.record(number, 1.0).unwrap(), Recorded::InTime),
        }
        if person >= 300 && (person - 300) % 5 == 1 {
            late += u64::from(trial.record(person - 300, 0.0).unwrap() == Recorded::Late);
        }
    }
    trial.stop().unwrap();
    let release = trial.release();
    let sum = |table: &crate::trial::Table| -> (f64, f64) {
        (0..2)
            .map(|cell| table.cell(cell))
            .fold((0.0, 0.0), |all, cell| (all.0 + cell.people(), all.1 + cell.missing))
    };
    let all =
        release.tables.iter().chain(release.late()).map(sum).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    assert_eq!(all, (340.0, 160.0), "300 in time and 40 late; 100 withdrew and 60 never came");
    assert!(late > 20, "{late}");
    let came_late: f64 = release.late().iter().map(|table| sum(table).0).sum();
    assert_eq!(came_late, 40.0_f64.min(late as f64));
}

/// A stored release is read with the checks of a made one.
#[test]
fn releases_are_read_back_and_damaged_ones_refused() {
    let plan = Draft { first_epoch: Some(20), ..Draft::simple("stored", 60, 1.0) };
    let trial = run(plan, &[[0.2, 0.8]], &[1.0], 11);
    let json = serde_json::to_string(trial.release()).unwrap();
    let read: crate::trial::Release = serde_json::from_str(&json).unwrap();
    assert_eq!(&read, trial.release());
    for (from, to) in
        [("\"enrolled\":60", "\"enrolled\":61"), ("32768", "32767"), ("\"arms\":2", "\"arms\":3")]
    {
        let damaged = json.replacen(from, to, 1);
        assert!(
            damaged == json || serde_json::from_str::<crate::trial::Release>(&damaged).is_err(),
            "{from}"
        );
    }
    let mut fewer: Value = serde_json::from_str(&json).unwrap();
    fewer["tables"][0]["counts"].as_array_mut().unwrap().pop();
    assert!(serde_json::from_value::<crate::trial::Release>(fewer).is_err());
}
