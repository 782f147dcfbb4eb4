//! The lazy leader must choose exactly what the naive argmax chooses.

use proptest::prelude::*;
use reticent_privacy::{Epsilon, SimSeed, Stream};
use reticent_protocol::mab::{Channel, Report, Response, Spec, Squash};

use super::super::{Agent, KlUcb, Ucb};
use super::Rule;

/// The printed algorithm, line by line, with no cache.
fn naive<R: Rule>(agent: &super::IndexAgent<R>) -> u32 {
    let total = agent.total as f64;
    let bound = agent.rule.forced() * libm::log(total + 1.0);
    if let Some(arm) = agent.arms.iter().position(|arm| arm.pulls as f64 <= bound) {
        return arm as u32;
    }
    let mut best = (0, f64::NEG_INFINITY);
    for (i, arm) in agent.arms.iter().enumerate() {
        let index = agent.rule.index(arm.pulls as f64, arm.mean(agent.spec.channel()), libm::log(total));
        if index > best.1 {
            best = (i as u32, index);
        }
    }
    best.0
}

fn respond(channel: Channel, mean: f64, u: f64) -> Response {
    match channel {
        Channel::Bernoulli { .. } => Response::Bit(u < mean),
        _ => Response::Steps(((mean + 3.0 * (u - 0.5)) * 1e9) as i64),
    }
}

fn compare<A: Agent>(
    mut agent: A,
    naive: impl Fn(&A) -> u32,
    means: &[f64],
    rounds: u32,
    late: bool,
    seed: u64,
) -> Result<(), TestCaseError> {
    let mut rng = SimSeed(seed).stream(0, Stream::Environment);
    for round in 0..rounds {
        let policy = agent.policy();
        prop_assert_eq!(policy.arm, naive(&agent), "round {}", round);
        prop_assert_eq!(agent.policy(), policy, "asking twice changes nothing");
        // Late reports for other arms arrive now and then.
        let arm = if late && round % 7 == 3 { round / 7 % means.len() as u32 } else { policy.arm };
        let response = respond(agent.spec().channel(), means[arm as usize], rng.uniform());
        agent.absorb(&Report { arm, stage: 0, response }).unwrap();
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn lazy_is_naive(
        means in prop::collection::vec(0.0_f64..=1.0, 1..12),
        kind in 0..4_usize,
        epsilon in 0.1_f64..4.0,
        late in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let epsilon = Epsilon::new(epsilon).unwrap();
        let channel = [Channel::Open, Channel::Bernoulli { epsilon }, Channel::Laplace { epsilon }, Channel::Bernoulli { epsilon }][kind];
        let spec = Spec::new(means.len() as u32, channel).unwrap();
        if kind == 3 {
            compare(KlUcb::new(spec, Squash::CLIP).unwrap(), naive, &means, 3_000, late, seed)?;
        } else {
            compare(Ucb::new(spec, Squash::CLIP), naive, &means, 6_000, late, seed)?;
        }
    }
}

#[test]
fn the_first_pulls_go_round() {
    let spec = Spec::new(4, Channel::Open).unwrap();
    let mut agent = Ucb::new(spec, Squash::CLIP);
    for expected in 0..4 {
        let policy = agent.policy();
        assert_eq!(policy.arm, expected);
        agent.absorb(&Report { arm: policy.arm, stage: 0, response: Response::Steps(0) }).unwrap();
    }
}
