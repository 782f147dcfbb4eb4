//! The paper's estimators and worlds.

use reticent_privacy::{Epsilon, SimSeed, Stream};

use super::*;
use crate::runner::Repeated;
use crate::trial::Arrivals;

#[test]
fn estimators_on_known_people() {
    let people = [(0, 1.0), (1, 4.0), (0, 3.0), (1, 6.0)];
    assert!((md(&people) - 3.0).abs() < 1e-12);
    // Orthogonal arms: each sum over one more than its count, 10/3 - 4/3.
    assert!((dml(&people, LinearTrial::REGULAR.arms) - 2.0).abs() < 1e-12);
    assert!(md(&[(0, 2.0)]) + 2.0 < 1e-12, "an arm without people has mean 0");
}

/// The published 4.0: ridge finds no effect where the arms are nearly one vector, and the difference of means does.
#[test]
fn ridge_misses_an_effect_that_needs_a_large_coefficient() {
    let world = LinearTrial::ILL_CONDITIONED;
    let people = world.randomise(800, &mut SimSeed(3).stream(0, Stream::Environment));
    let [md, all, half] = world.squared_errors(&people);
    assert!((all - 4.0).abs() < 0.01 && (half - 4.0).abs() < 0.01, "{all} {half}");
    // Standard error 0.071: 0.25 is seven of them, squared.
    assert!(md < 0.25, "{md}");
}

fn experiment(epsilon: Option<f64>, arrivals: Arrivals) -> Experiment {
    let epsilon = epsilon.map(|value| Epsilon::new(value).unwrap());
    Experiment {
        kind: RunnerKind::Paper,
        epsilon,
        alpha: 0.4,
        world: World::alternating(arrivals, 0.8),
        people: 20_000,
        trials: 4,
        seed: 2,
    }
}

fn trials(experiment: &Experiment) -> Vec<Trial> {
    experiment.check().unwrap();
    (0..experiment.trials).map(|trial| experiment.run(trial, &|_| true).unwrap().unwrap()).collect()
}

#[test]
fn regret_and_error_are_as_the_design_says() {
    let shares = vec![1.0; 2];
    for arrivals in [
        Arrivals::equal(2),
        Arrivals::Seasonal { shares: shares.clone(), period: 1000 },
        Arrivals::Blocks { shares, people: 20_000 },
    ] {
        for epsilon in [None, Some(1.0)] {
            let experiment = experiment(epsilon, arrivals.clone());
            let measured = measure(&experiment, &trials(&experiment)).unwrap();
            // A trial's regret has a standard deviation of 2 %, the mean of four of 1 %: 15 % is far below any chance.
            // Half of R_1 (or 2 R_1) people and of about 166 for each feature lose 0.8: the rest loses nothing.
            let batch = 128.0 * libm::log(16.0 * 20_000.0) * if epsilon.is_some() { 2.0 } else { 1.0 };
            let expected = 2.0 * 0.4 * (batch + 166.0);
            assert!((measured.regret.mean / expected - 1.0).abs() < 0.15, "{measured:?} {expected}");
            // 4 * 0.09 / 166 = 0.0022 is expected: thirteen times that from four squares has a probability of 1e-10.
            assert!(measured.error < 0.03 && measured.missing == 0.0, "{measured:?}");
        }
    }
}

#[test]
fn gaussian_rewards_stay_in_range_and_interruptions_are_heard() {
    let mut experiment = experiment(Some(1.0), Arrivals::equal(2));
    experiment.world.rewards = Rewards::Gaussian { sd: 0.5 };
    let trial = experiment.run(0, &|_| true).unwrap().unwrap();
    assert!(trial.estimates.iter().flatten().all(|estimate| estimate.abs() <= 1.1), "{trial:?}");
    experiment.people = 50_000;
    assert_eq!(experiment.run(0, &|_| false).unwrap(), None);
    experiment.world.arrivals = Arrivals::equal(0);
    assert!(experiment.check().is_err());
}
