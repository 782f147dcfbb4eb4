use reticent_curate::trial::{Draft, Estimator, Interval, Intervals, Table, TrialSpec};
use reticent_jobs::Silent;
use statrs::distribution::{Binomial, DiscreteCDF};

use super::*;
use crate::trial::{Arrivals, Conditions, Delay, Noise};

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

/// A trial without noise, with four tables, in which one thing goes wrong; everybody of a stratum is alike.
fn gone_wrong(follow_up: u64, arrivals: Arrivals, conditions: Conditions) -> Release {
    let plan = Draft { first_epoch: Some(400), growth: 1.0, follow_up, ..Draft::simple("wrong", 1600, 1.0) };
    let plan = Draft { private: false, epsilon: None, ..plan.with_levels("group", 2) };
    let (spec, noise) = (TrialSpec::new(plan).unwrap(), Noise::Coin);
    let world = World { spec, arrivals, means: vec![vec![0.5, 0.5]; 2], noise, conditions };
    world.check().unwrap();
    one(&world, 5, 0).unwrap().release
}

/// People with an outcome, the sum of their outcomes and people without one, of some arms in some tables.
fn sums(tables: &[Table], cells: &[usize]) -> [f64; 3] {
    let all = tables.iter().flat_map(|table| cells.iter().map(|&cell| table.cell(cell)));
    all.fold([0.0; 3], |[people, sum, missing], cell| {
        [people + cell.people(), sum + cell.counts[2], missing + cell.missing]
    })
}

const CONTROL: [usize; 2] = [0, 2];
const TREATED: [usize; 2] = [1, 3];
const ALL: [usize; 4] = [0, 1, 2, 3];

#[test]
fn what_can_go_wrong_goes_wrong() {
    let equal = || Arrivals::equal(2);
    let fine = gone_wrong(0, equal(), Conditions::default());
    assert_eq!(sums(fine.tables(), &ALL)[0], 1600.0);
    assert_eq!(sums(fine.late(), &ALL)[0], 0.0, "everybody is in time");
    // Lost, by arm: nobody of one, and about 40 % of some 800 of the other.
    let lost = gone_wrong(0, equal(), Conditions { lost: vec![0.0, 0.4], ..Conditions::default() });
    let both = [lost.tables(), lost.late()].concat();
    assert_eq!(sums(&both, &CONTROL)[2], 0.0);
    assert!((230.0..420.0).contains(&sums(&both, &TREATED)[2]));
    // Lost if low: of the treated only good outcomes are left.
    let hidden = gone_wrong(0, equal(), Conditions { lost_if_low: 1.0, ..Conditions::default() });
    let [people, sum, _] = sums(hidden.tables(), &TREATED);
    assert!(people == sum && people > 300.0);
    // Late if high: tables have the low ones, late tables the high ones; unless the table waits long enough.
    let delay = Some(Delay { enrolments: 100, high: 1.0, low: 0.0 });
    let late = |follow_up| gone_wrong(follow_up, equal(), Conditions { delay, ..Conditions::default() });
    let [people, sum, _] = sums(late(0).late(), &ALL);
    assert!(people == sum && people > 100.0, "{people}: those of the last hundred of each epoch");
    assert_eq!(sums(late(100).late(), &ALL)[0], sums(&late(100).late()[3..], &ALL)[0], "all but the end's");
    // Means that move: of all arms alike, or of the treated.
    for (trend, drift, arms, moves) in [
        (0.8, 0.0, CONTROL, true),
        (0.8, 0.0, TREATED, true),
        (0.0, 0.8, CONTROL, false),
        (0.0, 0.8, TREATED, true),
    ] {
        let release = gone_wrong(0, equal(), Conditions { trend, drift, ..Conditions::default() });
        let mean = |epoch: usize| {
            let [people, sum, _] = sums(&release.tables()[epoch..=epoch], &arms);
            sum / people
        };
        assert_eq!(mean(3) - mean(0) > 0.35, moves, "{trend} {drift}");
    }
    // Who comes when: half of a half is the first epoch here.
    let blocks = Arrivals::Blocks { shares: vec![1.0, 1.0], people: 1600 };
    let blocks = gone_wrong(0, blocks, Conditions::default());
    assert_eq!(sums(&blocks.tables()[..1], &[2, 3])[0], 0.0, "only the first stratum");
}
