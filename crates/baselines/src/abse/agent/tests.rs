//! The agent against numbers by hand, and Proposition 2.7 by simulation.

use super::*;
use crate::abse::{Answer, Record, SourceSpec};
use proptest::prelude::*;
use reticent_privacy::mechanism::{LaplaceResponse, Mechanism};
use reticent_privacy::{Epsilon, SimSeed, Stream, UnitGrid};

const STEPS: f64 = UnitGrid::STEPS as f64;

fn loss(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn agent(spec: Spec, constant: f64) -> Abse {
    let factor = Radius::Proof.tau_factor(spec.dims());
    Abse::with_rule(spec, (constant, factor), false, SimSeed(20_261_115).stream(0, Stream::Agent))
}

fn report(policy: &Policy, source: Option<u32>, values: &[f64]) -> Report {
    let values = values.iter().map(|value| (value * STEPS) as i64).collect();
    Report { version: policy.version(), source, answer: Answer::Values(values) }
}

/// A person's report with noise of scale 4 / epsilon in all coordinates, as the device makes it.
fn noisy(policy: &Policy, pair: usize, reward: f64, epsilon: Epsilon, rng: &mut SimRng) -> Report {
    let noise = LaplaceResponse::new(Epsilon::from_nano(epsilon.nano() / 4).unwrap());
    let value = |i: usize| if i == 2 * pair { reward } else { f64::from(u8::from(i == 2 * pair + 1)) };
    let values =
        (0..2 * policy.pairs()).map(|i| noise.release_with(UnitGrid::clip(value(i)).unwrap(), rng)).collect();
    Report { version: policy.version(), source: None, answer: Answer::Values(values) }
}

#[test]
fn estimator_and_radius_by_hand() {
    // log^2(8) = 4.3: the fifth person is the first that counts.
    let spec = Spec::new(1, 2, Some(loss(2.0)), 8, vec![]).unwrap();
    let mut agent = agent(spec, 100.0);
    for person in 0..5 {
        assert_eq!(agent.evidence.is_enough(0), person > 4);
        agent.absorb(&report(agent.policy(), None, &[0.25, 0.5, 0.5, 1.0])).unwrap();
    }
    // Arm 0: V = 1.25, U = 2.5; noise 5/4 below U. Arm 1: V = 2.5, U = 5.
    let Estimate { mean, radius } = agent.evidence.estimate(0, 0).unwrap();
    assert_eq!(mean, 0.5);
    assert!((radius - (100.0_f64 * 2.5).sqrt() / 2.5).abs() < 1e-12);
    // A negative U: the maximum is the noise's.
    for _ in 0..3 {
        agent.absorb(&report(agent.policy(), None, &[0.25, -1.5, 0.0, 0.0])).unwrap();
    }
    let Estimate { mean, radius } = agent.evidence.estimate(0, 0).unwrap();
    assert!((mean - 2.0 / -2.0).abs() < 1e-9);
    assert!((radius - (100.0_f64 * 2.0).sqrt() / 2.0).abs() < 1e-9);
    assert_eq!(agent.absorb(&report(agent.policy(), None, &[0.0; 4])), Err(AbsorbError::Finished(8)));
}

#[test]
fn transfer_weights_by_hand() {
    let sources = vec![SourceSpec { epsilon: Some(loss(0.5)), people: 6 }];
    let spec = Spec::new(1, 2, Some(loss(2.0)), 8, sources).unwrap();
    let mut agent = agent(spec, 1e6);
    for _ in 0..6 {
        agent.absorb(&report(agent.policy(), Some(0), &[1.0, 2.0, 0.0, 0.0])).unwrap();
    }
    // Source alone: V = 6, U = 12, noise 6 / 0.25 = 24, weight 12 / 24.
    let alone = agent.evidence.estimate(0, 0).unwrap();
    assert_eq!(alone.mean, 0.5);
    assert!((alone.radius - 1e3 * (24.0_f64).sqrt() / 12.0).abs() < 1e-9);
    assert_eq!(agent.evidence.estimate(0, 1), None, "0/0 is no estimate");
    for person in 0..5 {
        assert_eq!(agent.evidence.estimate(0, 0), Some(alone), "the target waits until {person} is 5");
        agent.absorb(&report(agent.policy(), None, &[1.0, 1.0, 0.0, 0.0])).unwrap();
    }
    // Target: V = U = 5, noise 5/4, weight 1 (4 is cut).
    let both = agent.evidence.estimate(0, 0).unwrap();
    let denominator = 0.5 * 12.0 + 5.0;
    assert!((both.mean - (0.5 * 6.0 + 5.0) / denominator).abs() < 1e-12);
    assert!((both.radius - 1e3 * (0.25 * 24.0 + 5.0_f64).sqrt() / denominator).abs() < 1e-9);
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let mut agent = agent(Spec::new(1, 2, Some(loss(1.0)), 8, vec![]).unwrap(), 1.0);
    let good = report(agent.policy(), None, &[0.0; 4]);
    let stale = Report { version: 1, ..good.clone() };
    assert_eq!(agent.absorb(&stale), Err(AbsorbError::WrongVersion { got: 1, now: 0 }));
    assert_eq!(agent.absorb(&Report { source: Some(0), ..good.clone() }), Err(AbsorbError::WrongSource(0)));
    let short = report(agent.policy(), None, &[0.0; 3]);
    assert_eq!(agent.absorb(&short), Err(AbsorbError::WrongLength { got: 3, needed: 4 }));
    let record = Record { context: vec![0.5], arm: 0, reward: 0 };
    let raw = Report { answer: Answer::Open(record.clone()), ..good.clone() };
    assert_eq!(agent.absorb(&raw), Err(AbsorbError::WrongKind));
    let huge = Report { answer: Answer::Values(vec![1, 1, 1, i64::MAX]), ..good.clone() };
    assert_eq!(agent.absorb(&huge), Ok(()));
    assert_eq!(agent.absorb(&huge), Err(AbsorbError::Overflow));
    let Evidence::Private(sums) = &agent.evidence else { panic!("a private agent") };
    assert!(format!("{sums:?}").contains("[1, 1, 1, 9223372036854775807]"));
    let mut open = Abse::new(
        Spec::new(1, 2, None, 8, vec![]).unwrap(),
        Radius::Proof,
        SimSeed(0).stream(0, Stream::Agent),
    );
    assert_eq!(open.absorb(&good), Err(AbsorbError::WrongKind));
    for bad in [
        Record { context: vec![1.5], ..record.clone() },
        Record { context: vec![], ..record.clone() },
        Record { arm: 2, ..record.clone() },
        Record { reward: u32::MAX, ..record.clone() },
    ] {
        let bad = Report { answer: Answer::Open(bad), ..good.clone() };
        assert_eq!(open.absorb(&bad), Err(AbsorbError::WrongRecord));
    }
}

#[test]
fn the_longest_edge_is_halved_and_ties_are_drawn() {
    let mut rng = SimSeed(3).stream(0, Stream::Agent);
    let wide = Bin { low: vec![0.0, 0.5], high: vec![0.5, 0.75], depth: 3, arms: vec![1] };
    let [lower, upper] = split::max_edge(&wide, &mut rng);
    assert_eq!(lower, Bin { high: vec![0.25, 0.75], depth: 4, ..wide.clone() });
    assert_eq!(upper, Bin { low: vec![0.25, 0.5], depth: 4, ..wide });
    let cube = Bin { low: vec![0.0; 2], high: vec![1.0; 2], depth: 0, arms: vec![0] };
    let first = (0..10_000).filter(|_| split::max_edge(&cube, &mut rng)[0].high[0] == 0.5).count();
    // Hoeffding: off by more than 270 with probability below 10^-6.
    assert!(first.abs_diff(5_000) < 270, "{first}");
}

/// Plays `people` on two arms, the better of which is arm 0 below one half and arm 1 above.
fn play(agent: &mut Abse, epsilon: Option<Epsilon>, people: u32) {
    let mut rng = SimSeed(9).stream(0, Stream::Environment);
    for _ in 0..people {
        let policy = agent.policy();
        let context = rng.uniform();
        let bin = policy.find(&[context]);
        let arms = &policy.bins()[bin].arms;
        let place = (rng.uniform() * arms.len() as f64) as usize;
        let arm = arms[place];
        let reward = if (arm == 0) == (context < 0.5) { 0.9 } else { 0.1 };
        let report = if let Some(epsilon) = epsilon {
            noisy(policy, policy.start(bin) + place, reward, epsilon, &mut rng)
        } else {
            let reward = (reward * STEPS) as u32;
            let answer = Answer::Open(Record { context: vec![context], arm, reward });
            Report { version: policy.version(), source: None, answer }
        };
        agent.absorb(&report).unwrap();
    }
}

#[test]
fn an_easy_problem_is_solved() {
    // With the proof's constant, only the open channel is fast enough for a test; with the authors', little noise is.
    for (epsilon, radius) in [(None, Radius::Proof), (Some(loss(1024.0)), Radius::Authors)] {
        let spec = Spec::new(1, 2, epsilon, 100_000, vec![]).unwrap();
        let mut agent = Abse::new(spec, radius, SimSeed(1).stream(0, Stream::Agent));
        play(&mut agent, epsilon, 100_000);
        for bin in agent.policy().bins() {
            let best = u32::from(bin.low[0] >= 0.5);
            assert!(bin.depth >= 1 && bin.arms == [best], "{bin:?}");
        }
        assert!(agent.policy().version() >= 3);
    }
}

#[test]
fn an_arm_goes_only_when_its_interval_is_below_anothers() {
    let spec = Spec::new(1, 3, Some(loss(1024.0)), 8, vec![]).unwrap();
    // Radii are sqrt(C / 5): with C = 0.05 they are 0.1, and 0.9 - 0.2 > 0.4 + 0.2 but not 0.6 + 0.2. Tau is
    // 2: a split follows.
    let mut agent = agent(spec, 0.05);
    let deepest = std::mem::replace(&mut agent.max_depth, 0);
    for person in 0..5 {
        assert_eq!(agent.policy().bins()[0].arms, [0, 1, 2], "person {person}");
        agent.absorb(&report(agent.policy(), None, &[0.9, 1.0, 0.4, 1.0, 0.6, 1.0])).unwrap();
    }
    assert_eq!(agent.policy().bins()[0].arms, [0, 2]);
    // The arms that stay keep their sums.
    assert!((agent.evidence.estimate(0, 1).unwrap().mean - 0.6).abs() < 1e-6);
    agent.max_depth = deepest;
    agent.absorb(&report(agent.policy(), None, &[0.9, 1.0, 0.6, 1.0])).unwrap();
    assert_eq!((agent.policy().version(), agent.policy().bins().len()), (2, 2));
    // Halves start from nothing.
    assert_eq!(agent.evidence.estimate(0, 0), None);
    assert!(!agent.evidence.is_enough(0));
}

/// How many of `runs` runs break Proposition 2.7 somewhere, with the radius scaled by `factor`: one bin, two
/// arms with coin rewards.
fn violations(epsilon: f64, factor: f64, runs: u64) -> u64 {
    let people = 3_000;
    let epsilon = loss(epsilon);
    let spec = Spec::new(1, 2, Some(epsilon), people, vec![]).unwrap();
    let constant = Radius::Proof.constant(&spec) * factor * factor;
    (0..runs)
        .filter(|&run| {
            let mut rng = SimSeed(20_261_115).stream(run, Stream::Noise);
            let mut sums = sums::Sums::new(&spec, constant, false, 2);
            let policy = Policy::first(1, 2).unwrap();
            let mut population = [(0.0, 0.0); 2];
            (0..people).any(|_| {
                let arm = usize::from(rng.uniform() < 0.5);
                // The mean reward depends on the context.
                let mean = 0.5 * rng.uniform();
                let reward = f64::from(u8::from(rng.uniform() < mean));
                population[arm].0 += mean;
                population[arm].1 += 1.0;
                let report = noisy(&policy, arm, reward, epsilon, &mut rng);
                let Answer::Values(values) = &report.answer else { return false };
                sums.add(0, people, values, &policy).unwrap();
                (0..2).any(|pair| {
                    let (sum, count) = population[pair];
                    let truth = if count > 0.0 { sum / count } else { 0.0 };
                    let estimate = sums.estimate(0, pair);
                    estimate.is_some_and(|e| (e.mean - truth).abs() > e.radius)
                })
            })
        })
        .count() as u64
}

#[test]
fn the_proved_radius_covers_and_a_much_smaller_one_does_not() {
    for (epsilon, small) in [(0.5, 0.05), (8.0, 0.02), (1024.0, 0.005)] {
        // Each run fails with probability at most 3000^-2: one failure in 60 would refute it at a level below 10^-5.
        assert_eq!(violations(epsilon, 1.0, 60), 0, "epsilon {epsilon}");
        assert!(violations(epsilon, small, 20) > 10, "epsilon {epsilon}");
    }
}

proptest! {
    /// The shortcut never hides a verdict.
    #[test]
    fn an_idle_bin_has_no_verdict(
        // A tiny U makes means that are far apart at radii above tau.
        pairs in prop::collection::vec((-6.0_f64..6.0, prop_oneof![-3.0_f64..6.0, -0.1_f64..0.1]), 3),
        constant in prop_oneof![0.001_f64..20.0, 0.001_f64..0.1],
        epsilon in 0.3_f64..8.0,
    ) {
        let spec = Spec::new(1, 3, Some(loss(epsilon)), 8, vec![]).unwrap();
        let mut agent = agent(spec, constant);
        let tau = agent.taus[0];
        let values: Vec<f64> = pairs.iter().flat_map(|&(v, u)| [v, u]).collect();
        for _ in 0..5 {
            let version = agent.policy().version();
            agent.absorb(&report(agent.policy(), None, &values)).unwrap();
            if agent.policy().version() != version {
                break;
            }
        }
        if agent.policy().version() == 0 && agent.evidence.is_idle(0, 0..3, tau) {
            let known: Vec<Estimate> = (0..3).filter_map(|pair| agent.evidence.estimate(0, pair)).collect();
            let lower = known.iter().map(|e| e.mean - 2.0 * e.radius).fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(known.iter().all(|e| lower <= e.mean + 2.0 * e.radius && e.radius >= tau));
        }
    }
}

#[test]
fn the_published_server_promises_nothing_and_counts_who_was_heard() {
    let spec = Spec::new(1, 2, Some(loss(1.0)), 8, vec![]).unwrap();
    let rng = || SimSeed(0).stream(0, Stream::Agent);
    let mut published = Abse::published(spec.clone(), Radius::Authors, rng());
    assert_eq!(published.guarantee().to_string(), "not private");
    assert_eq!(Abse::new(spec, Radius::Authors, rng()).guarantee().to_string(), "1-DP, local model");
    for _ in 0..8 {
        published.absorb(&report(published.policy(), None, &[0.0; 4])).unwrap();
    }
    assert!(!published.evidence.is_enough(0));
}
