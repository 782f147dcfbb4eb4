use reticent_privacy::{Epsilon, SimSeed, Stream};
use reticent_protocol::mab::{Report, Squash};

use super::*;

/// Runs the search on normal rewards through an honest channel; returns the line and the number of people asked.
fn locate(mean: f64, deviation: f64, epsilon: f64, seed: u64) -> (Squash, u64) {
    let epsilon = Epsilon::new(epsilon).unwrap();
    let channel = reticent_privacy::mechanism::RandomisedResponse::new(epsilon);
    let mut rng = SimSeed(seed).stream(0, Stream::Environment);
    let mut search = Search::new(epsilon);
    for asked in 1..1_000_000 {
        let reward = mean + deviation * rng.normal();
        let yes = search.question().apply(reward) == 1.0;
        let kept = rng.uniform() < channel.keep_probability();
        if let Some(line) = search.absorb(yes == kept) {
            return (line, asked);
        }
    }
    panic!("no end");
}

/// Fixed seeds: a regression test of the constants, not a statistical one.
#[test]
fn finds_any_location_and_scale() {
    for (mean, deviation) in [(0.7, 1.0), (-1000.0, 3.0), (5e6, 1e6), (0.0, 1e-5), (1e-3, 1e-4)] {
        for seed in 0..10 {
            let (line, _) = locate(mean, deviation, 2.0, seed);
            // The ends of a good line are 0.84 deviations out; a factor of two and a half either way is accepted.
            let at = |z: f64| line.apply(mean + z * deviation);
            assert!(
                at(-2.2) == 0.0 && at(2.2) == 1.0,
                "too wide: N({mean}, {deviation}), seed {seed}: {line:?}"
            );
            assert!(
                at(-0.3) > 0.0 && at(0.3) < 1.0,
                "too narrow: N({mean}, {deviation}), seed {seed}: {line:?}"
            );
        }
    }
}

#[test]
fn constant_rewards_end_the_search_too() {
    let (line, asked) = locate(5.0, 0.0, 4.0, 1);
    assert!(line.apply(4.9) < 0.5 && line.apply(5.1) == 1.0, "{line:?}");
    assert!(asked < 10_000, "{asked}");
}

#[test]
fn late_answers_to_a_closed_question_are_refused() {
    let spec = Spec::new(2, Epsilon::new(4.0).unwrap()).unwrap();
    let mut agent = Unbounded::new(spec, SimSeed(1).stream(0, Stream::Agent));
    let first = agent.policy();
    // A thousand people served before any report: every arm is asked about.
    let arms: Vec<u32> = (0..1000).map(|_| agent.policy().arm).collect();
    assert!((0..2).all(|arm| arms.iter().filter(|&&a| a == arm).count() > 400), "fixed seed");
    while agent.policy().stage == first.stage {
        let policy = agent.policy();
        let report = Report { arm: policy.arm, stage: policy.stage, bit: true };
        agent.absorb(&report).unwrap();
    }
    let late = Report { arm: 0, stage: first.stage, bit: true };
    assert_eq!(agent.absorb(&late), Err(AbsorbError::WrongStage { got: 0, now: 1 }));
}
