//! The race without most of the draws has the law of the race with all of them.

use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::Answer;
use reticent_protocol::mab::Spec;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::race::{Floor, Race};
use super::*;

const DRAWS: usize = 400_000;
/// A correct race fails a fresh seed with this probability.
const LEVEL: f64 = 1e-6;

/// Fixed, so that a run can be repeated; `make nightly` compiles in a fresh one.
fn seed() -> SimSeed {
    SimSeed(option_env!("RETICENT_TEST_SEED").and_then(|text| text.parse().ok()).unwrap_or(3))
}

fn arm(ones: u64, zeros: u64) -> Arm {
    let mut arm = Arm::default();
    for bit in [(true, ones), (false, zeros)] {
        for _ in 0..bit.1 {
            arm.add(bit.0);
        }
    }
    arm
}

/// A race in which the leader has set a floor, as play does.
fn raced(counts: &[(u64, u64)]) -> Race {
    let betas: Vec<Beta> = counts.iter().map(|&(ones, zeros)| Beta::of(&arm(ones, zeros))).collect();
    let mut race = Race::new(&betas, Floor::START);
    let leader = (0..counts.len()).max_by_key(|&i| counts[i].0 + counts[i].1).unwrap();
    race.update(leader, betas[leader]);
    race
}

fn wins(arms: usize, trial: u64, mut race: impl FnMut(&mut SimRng) -> usize) -> Vec<u64> {
    let mut rng = seed().stream(trial, Stream::Agent);
    let mut wins = vec![0; arms];
    for _ in 0..DRAWS {
        wins[race(&mut rng)] += 1;
    }
    wins
}

/// Two-sample chi-square over the arms with enough wins; the rest are pooled.
fn same_law_p(a: &[u64], b: &[u64]) -> f64 {
    let (mut pooled, mut statistic, mut cells) = ((0, 0), 0.0, 0);
    let mut add = |x: u64, y: u64| {
        statistic += (x as f64 - y as f64).powi(2) / (x + y) as f64;
        cells += 1;
    };
    for (&x, &y) in a.iter().zip(b) {
        if x + y >= 40 { add(x, y) } else { pooled = (pooled.0 + x, pooled.1 + y) }
    }
    if pooled.0 + pooled.1 >= 40 {
        add(pooled.0, pooled.1);
    }
    if cells < 2 { 1.0 } else { 1.0 - ChiSquared::new(f64::from(cells - 1)).unwrap().cdf(statistic) }
}

fn naive(counts: &[(u64, u64)]) -> impl Fn(&mut SimRng) -> usize {
    let counts = counts.to_vec();
    move |rng| {
        let draws: Vec<f64> = counts.iter().map(|&(a, b)| rng.beta(a as f64 + 1.0, b as f64 + 1.0)).collect();
        (0..draws.len()).max_by(|&i, &j| draws[i].total_cmp(&draws[j])).unwrap()
    }
}

#[test]
fn the_race_has_the_naive_law_and_the_test_has_power() {
    // Light rivals, heavy rivals, an arm better than the leader, arms hardly known, and all at once.
    let cases: [&[(u64, u64)]; 5] = [
        &[(800, 200), (70, 30), (60, 40), (50, 50)],
        &[(800, 200), (160, 40), (150, 45), (20, 4)],
        &[(500, 500), (60, 40), (30, 10)],
        &[(64, 36), (0, 0), (1, 0), (0, 3), (2, 2)],
        &[
            (9000, 1000),
            (88, 12),
            (170, 30),
            (8, 0),
            (0, 8),
            (400, 60),
            (80, 10),
            (85, 9),
            (86, 11),
            (84, 12),
        ],
    ];
    for (trial, counts) in cases.into_iter().enumerate() {
        let race = raced(counts);
        let ours = wins(counts.len(), trial as u64, |rng| race.winner(rng));
        let theirs = wins(counts.len(), 100 + trial as u64, naive(counts));
        assert!(same_law_p(&ours, &theirs) > LEVEL, "{counts:?}: {ours:?} against {theirs:?}");
        // Power: one answer more for one rival must be seen.
        let mut off = counts.to_vec();
        off[1].0 += 1 + off[1].0 / 50;
        let wrong = wins(counts.len(), 200 + trial as u64, naive(&off));
        assert!(same_law_p(&ours, &wrong) < LEVEL, "{counts:?}: {ours:?} against {wrong:?}");
    }
}

/// A fixed seed: a regression test, not a statistical one.
#[test]
fn learns_which_arm_is_best() {
    let spec = Spec::new(3, Epsilon::new(1.0).unwrap()).unwrap();
    let mut agent = Thompson::new(spec, SimSeed(1).stream(0, Stream::Agent));
    let mut rng = SimSeed(1).stream(0, Stream::Environment);
    let mut last = [0; 3];
    for round in 0..20_000 {
        let policy = agent.policy(1);
        let arm = policy.arms.last_arm();
        let answer = Answer::Bit { arm, bit: rng.uniform() < [0.4, 0.5, 0.6][arm as usize] };
        let (experiment, question) = (policy.experiment.prefix(), policy.question);
        agent.absorb(&Report { experiment, policy: policy.version, source: None, question, answer }).unwrap();
        last[arm as usize] += u32::from(round >= 15_000);
    }
    assert!(last[2] > 4_700, "{last:?}");
}
