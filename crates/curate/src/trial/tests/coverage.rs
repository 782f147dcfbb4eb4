//! Intervals hold as often as they say, and a test that forgets the noise, or the bound, would be seen.

use super::*;
use crate::trial::{Last, Release, analyse};

const TRIALS: u64 = 300;
const MEANS: [[f64; 2]; 2] = [[0.35, 0.65], [0.5, 0.5]];
const SHARES: [f64; 2] = [4.0, 1.0];

fn draft() -> Draft {
    Draft { alpha: 0.4, ..Draft::simple("coverage", 2000, 1.0).with_levels("group", 2) }
}

struct Hits {
    /// For each stratum (then everyone) and estimator.
    planned: [[u64; 2]; 3],
    anytime: [u64; 3],
    /// With intervals that do not know of the noise.
    ignorant: u64,
}

/// The same tables under a plan without noise: what an analyst would compute who forgets it.
fn forgetful(release: &Release) -> Release {
    let spec = TrialSpec::new(Draft { private: false, ..release.spec.draft().clone() }).unwrap();
    Release { spec, ..release.clone() }
}

fn hits() -> Hits {
    let mut hits = Hits { planned: [[0; 2]; 3], anytime: [0; 3], ignorant: 0 };
    let effects = MEANS.map(|means| means[1] - means[0]);
    let pooled = (SHARES[0] * effects[0] + SHARES[1] * effects[1]) / 5.0;
    for seed in 0..TRIALS {
        let trial = run(draft(), &MEANS, &SHARES, seed);
        for effect in analyse(trial.release()).effects {
            let place = effect.stratum.unwrap_or(2);
            let truth = effect.stratum.map_or(pooled, |stratum| effects[stratum]);
            let planned = effect.planned.unwrap();
            assert!(planned.difference_in_means.is_none(), "chances followed the tables");
            for (hits, interval) in
                hits.planned[place].iter_mut().zip([planned.inverse_propensity, planned.augmented])
            {
                *hits += u64::from(interval.low <= truth && truth <= interval.high);
            }
            hits.anytime[place] += u64::from(effect.anytime.low <= truth && truth <= effect.anytime.high);
        }
        let ignorant = analyse(&forgetful(trial.release()));
        let one = ignorant.effects[1].planned.unwrap().augmented;
        hits.ignorant += u64::from(one.low <= effects[0] && effects[0] <= one.high);
    }
    hits
}

/// Coverage between 93 and 97 % is asked for. With 300 trials a coverage of 0.93 goes below 0.85 once in a
/// million times.
#[test]
fn intervals_hold_and_the_test_has_power() {
    let hits = hits();
    for (place, planned) in hits.planned.iter().enumerate() {
        for (estimator, &hit) in ["inverse propensity", "augmented"].iter().zip(planned) {
            // The pooled truth varies a little with who comes: the interval is for those.
            assert!(at_most(hit, TRIALS, 0.93) > LEVEL / 9.0, "{place} {estimator:?}: {hit} of {TRIALS}");
        }
    }
    for hit in hits.anytime {
        assert!(at_most(hit, TRIALS, 0.95) > LEVEL / 3.0, "{hit}");
    }
    assert!(at_most(hits.ignorant, TRIALS, 0.93) < LEVEL, "{}: the noise must matter here", hits.ignorant);
}

/// Whoever looks after each table and stops at the first interval without zero is right with the sequence.
#[test]
fn peeking_is_free_with_the_sequence_and_not_with_an_interval() {
    let (mut wrong, mut wrong_by_peeking) = (0, 0);
    let draft = || Draft { growth: 1.2, first_epoch: Some(200), ..Draft::simple("peeking", 3000, 4.0) };
    for seed in 0..TRIALS {
        let trial = run(draft(), &[[0.5, 0.5]], &[1.0], 1000 + seed);
        let (mut sequence, mut planned) = (false, false);
        for looks in 1..=trial.release().tables.len() {
            let mut seen = trial.release().clone();
            seen.tables.truncate(looks);
            seen.last = None;
            seen.enrolled = seen.schedule().end(looks - 1);
            let anytime = analyse(&seen).effects[0].anytime;
            sequence |= anytime.low > 0.0 || anytime.high < 0.0;
            // The same tables taken for a whole trial: a fixed-time interval at each look.
            let whole = Draft { people: seen.enrolled, ..draft() };
            seen.spec = TrialSpec::new(whole).unwrap();
            seen.last = Some(Last::Late(trial.release().late()[..looks].to_vec()));
            let fixed = analyse(&seen).effects[0].planned.unwrap().augmented;
            planned |= fixed.low > 0.0 || fixed.high < 0.0;
        }
        wrong += u64::from(sequence);
        wrong_by_peeking += u64::from(planned);
    }
    assert!(at_least(wrong, TRIALS, 0.05) > LEVEL, "{wrong} of {TRIALS}");
    assert!(at_least(wrong_by_peeking, TRIALS, 0.05) < LEVEL, "{wrong_by_peeking}: peeking must hurt here");
}

/// Without noise a table may have nobody of a stratum in it: it says nothing, and an interval is still one.
#[test]
fn an_empty_table_without_noise_says_nothing() {
    let plan = Draft {
        private: false,
        alpha: 0.3,
        first_epoch: Some(100),
        ..Draft::simple("empty", 400, 1.0).with_levels("group", 2)
    };
    let spec = TrialSpec::new(plan).unwrap();
    let mut world = SimSeed(3).stream(0, Purpose::Environment);
    let mut trial = Trial::with_noise(spec.clone(), SimSeed(3).stream(0, Purpose::Noise));
    for person in 0..400 {
        let group = usize::from(person >= 150);
        let assigned = trial.assign(Stratum::new(&spec, group).unwrap()).unwrap();
        let success = world.uniform() < [0.3, 0.6][assigned.arm];
        trial.record(assigned.number, f64::from(u8::from(success))).unwrap();
    }
    trial.stop().unwrap();
    for effect in analyse(trial.release()).effects {
        let planned = effect.planned.unwrap();
        for interval in [planned.augmented, planned.inverse_propensity, effect.anytime] {
            assert!(interval.low < interval.estimate && interval.estimate < interval.high, "{interval:?}");
        }
    }
}

/// A small stratum belongs to everyone, however noisy its count: two opposite effects, one for a twentieth of people.
#[test]
fn everyone_is_everyone() {
    let means = [[0.3, 0.7], [0.7, 0.3]];
    let truth = 0.4 * 0.95 - 0.4 * 0.05;
    let (mut hits, mut anytime) = (0, 0);
    let trials = 100;
    for seed in 0..trials {
        let plan = Draft { alpha: 0.0, ..Draft::simple("everyone", 8000, 0.1).with_levels("group", 2) };
        let trial = run(plan, &means, &[19.0, 1.0], 2000 + seed);
        let everyone = &analyse(trial.release()).effects[0];
        let planned = everyone.planned.unwrap().augmented;
        hits += u64::from(planned.low <= truth && truth <= planned.high);
        anytime += u64::from(everyone.anytime.low <= truth && truth <= everyone.anytime.high);
    }
    assert!(at_most(hits, trials, 0.93) > LEVEL / 2.0, "{hits}");
    assert!(at_most(anytime, trials, 0.95) > LEVEL / 2.0, "{anytime}");
}

/// One trial of coins whose outcomes may be late or lost: `late` of high and low outcomes come 300 enrolments
/// later, `lost` of each arm never.
fn disturbed(plan: &Draft, means: [f64; 2], late: [f64; 2], lost: [f64; 2], seed: u64) -> Trial<SimRng> {
    let spec = TrialSpec::new(plan.clone()).unwrap();
    let mut world = SimSeed(seed).stream(0, Purpose::Environment);
    let mut trial = Trial::with_noise(spec.clone(), SimSeed(seed).stream(0, Purpose::Noise));
    let mut waiting: Vec<(u64, u64, f64)> = Vec::new();
    for person in 0..plan.people {
        let assigned = trial.assign(Stratum::new(&spec, 0).unwrap()).unwrap();
        let outcome = f64::from(u8::from(world.uniform() < means[assigned.arm]));
        let is_late = world.uniform() < if outcome == 1.0 { late[0] } else { late[1] };
        if world.uniform() >= lost[assigned.arm] {
            waiting.push((person + if is_late { 300 } else { 0 }, assigned.number, outcome));
        }
        for (_, number, outcome) in waiting.extract_if(.., |(due, ..)| *due <= person) {
            trial.record(number, outcome).unwrap();
        }
    }
    for (_, number, outcome) in waiting {
        trial.record(number, outcome).unwrap();
    }
    trial.stop().unwrap();
    trial
}

/// Lateness that depends on the outcome, and missing that depends on the arm: with one table for all late
/// outcomes coverage was 18 to 37 %, and without counts by arm 88 %. Fewer hits than a coverage of 93 % has
/// once in a million times would be a fault; the old coverage is seen.
#[test]
fn late_and_missing_outcomes_do_not_bias() {
    let trials = 300;
    let adaptive = Draft { alpha: 0.3, ..Draft::simple("disturbed", 2000, 1.0) };
    let plain = Draft::simple("disturbed", 600, 1.0);
    let (late, in_time, all, some) = ([0.6, 0.1], [0.0; 2], [0.0; 2], [0.1, 0.4]);
    for (plan, means, late, lost) in [
        (&adaptive, [0.5, 0.5], late, all),
        (&adaptive, [0.4, 0.6], late, all),
        (&adaptive, [0.4, 0.6], in_time, some),
        (&plain, [0.4, 0.6], late, some),
    ] {
        let truth = means[1] - means[0];
        let holds = |seed: u64| {
            let release = disturbed(plan, means, late, lost, 4000 + seed).release().clone();
            let one = analyse(&release).effects[0].planned.unwrap().augmented;
            one.low <= truth && truth <= one.high
        };
        let hits = (0..trials).filter(|&seed| holds(seed)).count() as u64;
        assert!(at_most(hits, trials, 0.93) > LEVEL, "{means:?} {late:?} {lost:?}: {hits} of {trials}");
    }
    assert!(at_most(trials * 80 / 100, trials, 0.93) < LEVEL, "the test has power");
}

/// Without any effect, a headline names a stratum in one trial of twenty at most; each stratum's own interval
/// would name one in about a fifth. No interval is a point.
#[test]
fn headlines_on_strata_hold_together() {
    let (mut named, mut alone, trials) = (0, 0, 300);
    for seed in 0..trials {
        let plan = Draft::simple("headlines", 900, 1.0).with_levels("group", 6);
        let trial = run(plan, &[[0.5, 0.5]; 6], &[1.0; 6], 6000 + seed);
        let effects = analyse(trial.release()).effects;
        let strata = || effects.iter().filter(|effect| effect.stratum.is_some());
        let excludes = |one: crate::trial::Interval| one.low > 0.0 || one.high < 0.0;
        named += u64::from(strata().any(|effect| excludes(effect.simultaneous)));
        alone += u64::from(strata().any(|effect| excludes(effect.planned.unwrap().augmented)));
        assert!(effects.iter().all(|effect| effect.simultaneous.high - effect.simultaneous.low > 0.01));
    }
    assert!(at_least(named, trials, 0.05) > LEVEL, "{named} of {trials}");
    assert!(at_least(alone, trials, 0.05) < LEVEL, "{alone}: single intervals must name more");
}
