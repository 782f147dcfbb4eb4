use reticent_privacy::{Epsilon, SimSeed, Stream};
use reticent_protocol::Answer;
use reticent_protocol::mab::{Lottery, Squash};

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
        if let Some(line) = search.absorb(search.stage(), yes == kept) {
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

fn report(agent: &Unbounded, question: u32, bit: bool) -> Report {
    let answer = Answer::Bit { arm: 0, bit };
    Report { experiment: agent.spec().prefix(), policy: 1, source: None, question, answer }
}

fn agent() -> Unbounded {
    let spec = Spec::new(2, Epsilon::new(4.0).unwrap()).unwrap();
    Unbounded::new(spec, SimSeed(1).stream(0, Stream::Agent))
}

#[test]
fn every_arm_is_asked_about_also_when_many_are_served_at_once() {
    assert_eq!(agent().policy(1_000).arms, Lottery::of_draws([0, 1]).unwrap());
}

/// The first question is answered yes by all, then its late answers say no three times as often: the search
/// goes back, and nobody's answer is taken for one to another question.
#[test]
fn late_answers_are_counted_and_can_send_the_search_back() {
    let mut agent = agent();
    let first = agent.policy(1);
    let mut asked = 0;
    while agent.policy(1).question == first.question {
        agent.absorb(&report(&agent, first.question, true)).unwrap();
        asked += 1;
    }
    let second = agent.policy(1);
    assert_ne!(second.squash, first.squash);
    for _ in 0..3 * asked {
        agent.absorb(&report(&agent, first.question, false)).unwrap();
    }
    let third = agent.policy(1);
    assert_ne!(third.question, second.question);
    assert_ne!(third.squash, second.squash, "the other side of the first threshold is looked at");
    let unknown = agent.absorb(&report(&agent, third.question + 1, true));
    assert!(matches!(unknown, Err(AbsorbError::UnknownQuestion { .. })));
}

/// Reports that come in another order give the same answer in the end.
#[test]
fn a_shuffled_search_finds_the_same_place() {
    let mut agent = agent();
    let mut rng = SimSeed(8).stream(0, Stream::Environment);
    let mut waiting: Vec<Report> = Vec::new();
    for _ in 0..6_000 {
        let policy = agent.policy(100);
        let yes = policy.squash.apply(40.0 + rng.normal()) >= 0.5;
        waiting.push(report(&agent, policy.question, yes));
        if waiting.len() > 100 {
            let one = waiting.swap_remove((rng.uniform() * 100.0) as usize);
            agent.absorb(&one).unwrap();
        }
    }
    assert!(agent.search.is_none(), "the search is over");
    let (low, high) = agent.agent.question().0.ends().unwrap();
    assert!(low > 36.0 && low < 40.0 && high > 40.0 && high < 44.0, "{low} {high}");
}
