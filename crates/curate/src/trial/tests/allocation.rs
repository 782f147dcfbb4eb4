//! Few people get the worse arm, as many as estimation asks for, and chances are what they say.

use super::*;
use crate::trial::belief::Belief;
use crate::trial::{Better, Propensities};

fn on_arm(trial: &Trial<SimRng>, stratum: usize, arm: usize) -> f64 {
    if let Some(whole) = trial.release().whole() {
        return whole.people[arm] as f64;
    }
    let tables = trial.release().tables.iter();
    tables.map(|table| table.cell(stratum * 2 + arm).people()).sum()
}

fn draft(alpha: f64) -> Draft {
    Draft { alpha, private: false, ..Draft::simple("allocation", 20_000, 1.0) }
}

#[test]
fn alpha_goes_from_even_randomisation_to_welfare() {
    let worse: Vec<f64> =
        [0.0, 0.3, 1.0].map(|alpha| on_arm(&run(draft(alpha), &[[0.3, 0.7]], &[1.0], 5), 0, 0)).to_vec();
    // Coins: 20000 / 2 with deviation 71.
    assert!((worse[0] - 10_000.0).abs() < 400.0, "{worse:?}");
    // 20000^0.7 / 2 = 512 are owed, and paid by coins with deviation 22.
    assert!((worse[1] - 512.0).abs() < 120.0, "{worse:?}");
    assert!(worse[2] < 120.0, "{worse:?}");
}

/// Deaths, 30 % against 20 %: the deadlier arm is the worse one.
#[test]
fn lower_outcomes_can_be_the_better_ones() {
    let plan = |better| Draft { better: Some(better), ..draft(0.5) };
    let deadlier = |better| on_arm(&run(plan(better), &[[0.3, 0.2]], &[1.0], 5), 0, 0);
    assert!(deadlier(Better::Lower) < 1000.0 && deadlier(Better::Higher) > 19_000.0);
    let trial = run(plan(Better::Lower), &[[0.3, 0.2]], &[1.0], 5);
    let welfare = crate::trial::analyse(trial.release()).welfare;
    assert!(welfare.on_worse_arms < 1000.0 && welfare.regret > 0.0, "{welfare:?}");
}

/// A belief knows its noise: with outcomes that hardly vary, a first table is noise, and says little.
#[test]
fn a_belief_is_as_wide_as_its_noise() {
    let plan = Draft { alpha: 0.5, first_epoch: Some(200), ..Draft::simple("rare", 4000, 1.0) };
    let (mut far, trials) = (0, 200);
    for seed in 0..trials {
        let trial = run(plan.clone(), &[[0.02, 0.02]], &[1.0], 300 + seed);
        let release = trial.release();
        let schedule = release.schedule();
        let mut belief = Belief::new(release.spec());
        belief.absorb(release, &schedule, 0, false);
        // Two standard deviations of a mean of 100 people: chance 0.014, noise sqrt(8) / 100 = 0.028.
        far += u64::from((belief.mean(0, 0) - 0.02).abs() > 2.5 * belief.variance(0, 0).sqrt());
    }
    // The prior draws the mean up by half a person of a hundred: little against the deviation.
    assert!(at_least(far, trials, 0.03) > LEVEL, "{far} of {trials} beliefs were sure of what is not so");
}

#[test]
fn each_stratum_gets_its_own_arm() {
    let plan = Draft { alpha: 1.0, ..Draft::simple("strata", 20_000, 1.0).with_levels("group", 2) };
    let trial = run(plan, &[[0.3, 0.7], [0.7, 0.3]], &[1.0, 1.0], 6);
    let last = trial.release().propensities.last().unwrap();
    assert!(last.share(0, 1) > 0.95 && last.share(1, 0) > 0.95, "{last:?}");
    assert!(on_arm(&trial, 0, 0) < 800.0 && on_arm(&trial, 1, 1) < 800.0);
}

#[test]
fn three_arms() {
    let plan = Draft {
        alpha: 0.5,
        arms: ["a", "b", "c"].map(String::from).to_vec(),
        ..Draft::simple("three", 30_000, 1.0)
    };
    let spec = TrialSpec::new(plan).unwrap();
    let mut world = SimSeed(7).stream(0, Purpose::Environment);
    let mut trial = Trial::with_noise(spec.clone(), SimSeed(7).stream(0, Purpose::Noise));
    let mut given = [0_u32; 3];
    for _ in 0..30_000 {
        let assigned = trial.assign(Stratum::new(&spec, 0).unwrap()).unwrap();
        given[assigned.arm] += 1;
        let success = world.uniform() < [0.3, 0.4, 0.6][assigned.arm];
        trial.record(assigned.number, f64::from(u8::from(success))).unwrap();
    }
    trial.stop().unwrap();
    assert!(given[2] > 25_000 && given[0] > 50 && given[1] > 50, "{given:?}");
    let effects = crate::trial::analyse(trial.release()).effects;
    assert_eq!(effects.len(), 4, "two arms against the control, for everyone and for the one stratum");
    let best = effects.iter().find(|effect| effect.arm == 2).unwrap();
    let interval = best.planned.unwrap().augmented;
    assert!(interval.low > 0.1 && interval.high < 0.65, "{interval:?}");
}

#[test]
fn coins_have_the_chances_that_are_published() {
    let chances = Propensities::new(3, [vec![0.2, 0.3, 0.5], vec![0.0, 0.0, 1.0]]);
    assert!(chances.fits(2, 3) && !chances.fits(3, 2));
    let mut rng = SimSeed(8).stream(0, Purpose::Noise);
    let mut counts = [0_u64; 3];
    for _ in 0..100_000 {
        counts[chances.draw(0, &mut rng)] += 1;
        assert_eq!(chances.draw(1, &mut rng), 2);
    }
    for (arm, count) in counts.into_iter().enumerate() {
        let p = |chance| at_most(count, 100_000, chance).min(at_least(count, 100_000, chance));
        assert!(p(chances.share(0, arm)) > LEVEL / 6.0, "{counts:?}");
        assert!(p(chances.share(0, arm) + 0.02) < LEVEL, "the test sees another chance");
    }
}
