use reticent_curate::trial::{Draft, Estimator, Interval, Intervals, TrialSpec};
use reticent_jobs::Silent;
use statrs::distribution::{Binomial, DiscreteCDF};

use super::*;
use crate::trial::{Arrivals, Conditions, Noise};

const LEVEL: f64 = 1e-6;

fn world(people: u64) -> World {
    World {
        spec: TrialSpec::new(Draft::simple("made up", people, 1.0).with_levels("group", 2)).unwrap(),
        arrivals: Arrivals::Stationary { shares: vec![1.0, 3.0] },
        means: vec![vec![0.3, 0.6], vec![0.5, 0.4]],
        noise: Noise::Coin,
        conditions: Conditions::default(),
    }
}

#[test]
fn a_trial_tells_the_truth_beside_what_it_published() {
    let world = world(600);
    let trial = one(&world, 7, 0).unwrap();
    assert!(trial.release.is_complete());
    assert_eq!(trial.counts.iter().flatten().sum::<u64>(), 600);
    assert_eq!(trial.on_worse_arm, [trial.counts[0][0], trial.counts[1][1]]);
    let regret = 0.3 * trial.counts[0][0] as f64 + 0.1 * trial.counts[1][1] as f64;
    assert!((trial.regret - regret).abs() < 1e-9);
    let first = trial.counts[0].iter().sum::<u64>() as f64 / 600.0;
    let everyone = first * 0.3 + (1.0 - first) * -0.1;
    assert_eq!(trial.effects.len(), trial.analysis.effects.len());
    for (seen, expected) in trial.effects.iter().zip([everyone, 0.3, -0.1]) {
        assert!((seen - expected).abs() < 1e-12);
    }
    assert_eq!(trial, one(&world, 7, 0).unwrap(), "the same seed, the same trial");
    assert_ne!(trial, one(&world, 7, 1).unwrap());
}

/// Four trials by hand: intervals [0, 1], [0.2, 0.3], [-1, 0.1], [0.3, 0.5] around an effect of 0.3 in the
/// first stratum.
#[test]
fn coverage_width_and_error_are_counted() {
    let mut trials: Vec<TrialOutcome> = (0..4).map(|trial| one(&world(200), 1, trial).unwrap()).collect();
    let by_hand = [(0.0, 1.0, 0.4), (0.2, 0.3, 0.3), (-1.0, 0.1, 0.0), (0.31, 0.5, 0.4)];
    for (trial, (low, high, estimate)) in trials.iter_mut().zip(by_hand) {
        trial.analysis.effects[1].planned = Some({
            let one = Interval { estimate, low, high };
            Intervals { augmented: one, inverse_propensity: one, difference_in_means: Some(one) }
        });
    }
    let summary = MethodSummary::new(Method::Planned(Estimator::Augmented), &trials).unwrap();
    let first = &summary.strata[0];
    assert_eq!((first.arm, first.stratum), (1, Some(0)));
    assert_eq!(first.coverage, Share { share: 0.5, error: 0.25 });
    assert_eq!(first.excludes_zero.share, 0.5, "an end at zero does not exclude it");
    assert!((first.width.mean - (1.0 + 0.1 + 1.1 + 0.19) / 4.0).abs() < 1e-12);
    assert!((first.squared_error.mean - (0.01 + 0.0 + 0.09 + 0.01) / 4.0).abs() < 1e-12);
    assert_eq!(summary.everyone.len(), 1);
    let [least, mean, largest] = summary.coverage_of_strata;
    assert!(least <= mean && mean <= largest);
    assert!(MethodSummary::new(Method::Anytime, &[]).is_none());
}

/// Coverage of 95 % is promised: fewer hits than the binomial law has with probability 1e-6 would be a fault.
/// The test sees 75 %.
#[test]
fn planned_intervals_hold_in_simulation() {
    let simulation = Simulation { world: world(1500), trials: 100, seed: 11 };
    let trials = many(&simulation, 2, &Silent).unwrap();
    let simulated = Simulated::new(&simulation, &trials).unwrap();
    let law = Binomial::new(0.95, 100).unwrap();
    for accuracy in simulated.methods.iter().flat_map(|method| method.everyone.iter().chain(&method.strata)) {
        let hits = (accuracy.coverage.share * 100.0).round() as u64;
        assert!(law.cdf(hits) > LEVEL, "{accuracy:?}");
    }
    assert!(law.cdf(75) < LEVEL);
    assert_eq!(simulated.true_effects.len(), 1);
    assert!(simulated.planned().is_some());
}
