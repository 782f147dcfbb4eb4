//! Folded reports estimate each set's mass times reward, and its mass, without bias.

use super::super::statistics::{Statistics, Sums};
use super::super::tally::{Arms, Expected, Shown, Tally};
use super::*;
use reticent_protocol::contextual::{Policy, Question, Task};

/// Independent groups of people: their spread is the computed deviation, whatever the oracle.
const GROUPS: usize = 64;
const PEOPLE: usize = 1500;
/// Student's t with 63 degrees of freedom is beyond 7 with probability 2e-9; there are fewer than 500 estimates here.
const DEVIATIONS: f64 = 7.0;

fn truth() -> Truth {
    let good = |arm: usize, cell: usize| 0.5 + 0.4 * libm::sin(1.0 + 0.9 * cell as f64 + 2.0 * arm as f64);
    let raw: Vec<f64> = (0..8).map(|cell| f64::from(1 + cell)).collect();
    let whole: f64 = raw.iter().sum();
    Truth {
        masses: raw.iter().map(|mass| mass / whole).collect(),
        good: (0..2).map(|arm| (0..8).map(|cell| good(arm, cell)).collect()).collect(),
    }
}

fn experiment(epsilon: f64) -> Spec {
    spec(&[4, 2], 2, epsilon, vec![source("old", epsilon, 100, &[0.3, 0.7])])
}

fn plan(spec: &Spec, source: Option<u32>, question: Question) -> Plan {
    let maps = if source.is_some() { vec![] } else { vec![vec![0, 1, 1, 1, 0, 0, 1, 0]] };
    let policy = Policy {
        experiment: spec.digest(),
        source,
        version: 0,
        questions: vec![question],
        maps,
        tasks: vec![Task { map: 0, question: 0 }],
        cells: None,
    };
    Plan::new(spec, policy).unwrap()
}

/// For each group of people the share that the statistics estimate for the set of a cell.
fn estimates(plan: &Plan, truth: &Truth, behaviour: Option<&[f64]>, trial: u64) -> Vec<Statistics> {
    let mut rng = rng(trial);
    let mean = vec![vec![0.6; 8], vec![-0.4; 8]];
    // Nobody knows yet where people are: what is folded in must not depend on it.
    let even = vec![1.0 / 8.0; 8];
    let arms = behaviour.map_or(Arms::Mapped(None), Arms::Behaviour);
    let expected = Expected { masses: &even, even: &even, arms, mean: &mean };
    (0..GROUPS)
        .map(|_| {
            let (mut tally, mut statistics) = (Tally::new(plan), Statistics::new(8, 2));
            for _ in 0..PEOPLE {
                let report = match behaviour {
                    None => truth.person(plan, &mut rng).2,
                    Some(behaviour) => truth.record(plan, behaviour, &mut rng),
                };
                tally.add(plan, &report).unwrap();
            }
            assert_eq!(tally.reports(), PEOPLE as u64);
            tally.fold(plan, &expected, &mut statistics);
            assert_eq!((tally.reports(), statistics.people), (0, PEOPLE as f64));
            statistics
        })
        .collect()
}

/// How many deviations the mean estimate is from `wanted`.
fn deviations(
    groups: &[Statistics],
    sums: impl Fn(&Statistics) -> &Sums,
    masses: &[f64],
    cell: usize,
    wanted: f64,
) -> f64 {
    let share = |s: &Statistics| sums(s).moments(masses)[cell] / sums(s).gram_row(cell)[cell];
    let shares: Vec<f64> = groups.iter().map(share).collect();
    let many = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / many;
    let square = shares.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (many - 1.0);
    (mean - wanted).abs() / (square / many).sqrt()
}

/// The cells that a question takes together with `cell`, for people who got the arm.
fn set(plan: &Plan, cell: usize, arm: usize) -> Vec<usize> {
    let channel = plan.channel(0);
    let together = |&other: &usize| channel.coarse(other as u32) == channel.coarse(cell as u32);
    let has_arm = |&other: &usize| plan.policy().source.is_some() || plan.map(0)[other] as usize == arm;
    (0..8).filter(together).filter(has_arm).collect()
}

/// The largest distance from what people of `law` would give, in deviations, over all sets: of rewards, and of masses.
fn worst(plan: &Plan, groups: &[Statistics], law: &Truth, behaviour: Option<&[f64]>) -> (f64, f64) {
    let (mut reward, mut place) = (0.0_f64, 0.0_f64);
    for cell in 0..8 {
        for arm in 0..2 {
            let set = set(plan, cell, arm);
            let share = behaviour.map_or(1.0, |shares| shares[arm]);
            let effect: f64 =
                set.iter().map(|&x| share * law.masses[x] * (2.0 * law.good[arm][x] - 1.0)).sum();
            if groups[0].arms[arm].gram_row(cell)[cell] > 0.0 {
                let masses: Vec<f64> = law.masses.iter().map(|mass| mass * share).collect();
                reward = reward.max(deviations(groups, |s| &s.arms[arm], &masses, cell, effect));
            }
        }
        // Where people are is asked about sets of one arm, or without regard to arms.
        let is_about_arms = groups[0].arms.iter().any(|sums| sums.gram_row(cell)[cell] > 0.0);
        let arm =
            if plan.policy().source.is_none() && is_about_arms { plan.map(0)[cell] as usize } else { 0 };
        let set: Vec<usize> = if is_about_arms {
            set(plan, cell, arm)
        } else {
            (0..8)
                .filter(|&x| plan.channel(0).coarse(x as u32) == plan.channel(0).coarse(cell as u32))
                .collect()
        };
        if groups[0].place.gram_row(cell)[cell] > 0.0 {
            let mass = set.iter().map(|&x| law.masses[x]).sum();
            place = place.max(deviations(groups, |s| &s.place, &law.masses, cell, mass));
        }
    }
    (reward, place)
}

fn check(epsilon: f64, source: Option<u32>, question: Question, trial: u64) {
    let (spec, truth) = (experiment(epsilon), truth());
    let behaviour = source.map(|_| &[0.3, 0.7][..]);
    let is_place = matches!(question.about, reticent_protocol::contextual::About::Place { .. });
    let is_effect = matches!(question.about, reticent_protocol::contextual::About::Effect);
    let plan = plan(&spec, source, question);
    let groups = estimates(&plan, &truth, behaviour, trial);
    let (reward, place) = worst(&plan, &groups, &truth, behaviour);
    assert!(reward < DEVIATIONS && place < DEVIATIONS, "trial {trial}: {reward} {place}");
    // Power: bad taken for good, and people taken for evenly spread.
    let swapped = Truth {
        good: truth.good.iter().map(|arm| arm.iter().map(|p| 1.0 - p).collect()).collect(),
        masses: truth.masses.clone(),
    };
    let even = Truth::even(truth.good.clone());
    let by_reward = worst(&plan, &groups, &swapped, behaviour).0;
    let (reward, place) = worst(&plan, &groups, &even, behaviour);
    assert!(
        is_place || (by_reward > DEVIATIONS && reward > DEVIATIONS),
        "trial {trial}: {by_reward} {reward}"
    );
    assert!(is_effect || place > DEVIATIONS, "trial {trial}: {place}");
}

#[test]
fn every_question_to_the_target_is_unbiased() {
    let spec = experiment(2.0);
    check(2.0, None, Question::outcome(spec.grid(), vec![2, 2], 2, loss(2.0)).unwrap(), 0);
    check(2.0, None, Question::effect(vec![1, 2]), 1);
    check(2.0, None, Question::place(spec.grid(), vec![1, 1], loss(2.0)).unwrap(), 2);
    let spec = experiment(4.0);
    check(4.0, None, Question::outcome(spec.grid(), vec![1, 1], 2, loss(4.0)).unwrap(), 3);
    check(4.0, None, Question::outcome(spec.grid(), vec![3, 1], 2, loss(4.0)).unwrap(), 4);
}

#[test]
fn every_question_to_a_source_is_unbiased() {
    let spec = experiment(2.0);
    check(2.0, Some(0), Question::outcome(spec.grid(), vec![2, 1], 2, loss(2.0)).unwrap(), 5);
    check(2.0, Some(0), Question::effect(vec![2, 2]), 6);
    check(2.0, Some(0), Question::place(spec.grid(), vec![1, 2], loss(2.0)).unwrap(), 7);
}

/// People who are shown an arm at random, near the map's: the largest distance of a moment from what the
/// statistics say it should be, in deviations, if `shown` is taken to be how arms are hidden.
fn worst_with_private_arms(question: Question, shown: Option<Shown>, trial: u64) -> f64 {
    let spec = experiment(2.0).with_private_arms(loss(0.7)).unwrap();
    let (plan, truth, mut rng) = (plan(&spec, None, question), truth(), rng(trial));
    let own = libm::exp(0.7) / (libm::exp(0.7) + 1.0);
    let (mean, even) = (vec![vec![0.6; 8], vec![-0.4; 8]], vec![1.0 / 8.0; 8]);
    let expected = Expected { masses: &even, even: &even, arms: Arms::Mapped(shown), mean: &mean };
    let mut excess = vec![Vec::new(); 16];
    for _ in 0..GROUPS {
        let (mut tally, mut statistics) = (Tally::new(&plan), Statistics::new(8, 2));
        for _ in 0..PEOPLE {
            let cell = pick(&truth.masses, &mut rng);
            let mapped = u32::from(plan.map(0)[cell as usize]);
            let arm = if rng.uniform() < own { mapped } else { 1 - mapped };
            tally.add(&plan, &truth.report(&plan, 0, cell, arm, &mut rng)).unwrap();
        }
        tally.fold(&plan, &expected, &mut statistics);
        for (at, excess) in excess.iter_mut().enumerate() {
            let (arm, cell) = (at / 8, at % 8);
            let row = statistics.arms[arm].gram_row(cell);
            let foreseen: f64 =
                (0..8).map(|y| row[y] * truth.masses[y] * (2.0 * truth.good[arm][y] - 1.0)).sum();
            excess.push(statistics.arms[arm].moments(&truth.masses)[cell] - foreseen);
        }
    }
    let away = |values: &Vec<f64>| {
        let many = values.len() as f64;
        let mean = values.iter().sum::<f64>() / many;
        let square = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (many - 1.0);
        if square > 0.0 { mean.abs() / (square / many).sqrt() } else { 0.0 }
    };
    excess.iter().map(away).fold(0.0, f64::max)
}

#[test]
fn private_arms_are_unbiased_and_not_if_they_were_taken_for_the_maps() {
    let spec = experiment(2.0).with_private_arms(loss(0.7)).unwrap();
    let outcome = || Question::outcome(spec.grid(), vec![2, 2], 2, loss(2.0)).unwrap();
    for (question, trial) in [(outcome(), 8), (Question::effect(vec![1, 2]), 9)] {
        let right = worst_with_private_arms(question.clone(), Shown::of(&spec), trial);
        let wrong = worst_with_private_arms(question, None, trial);
        assert!(right < DEVIATIONS && wrong > DEVIATIONS, "{right} {wrong}");
    }
}
