//! Follows `docs/development.md`, "Add an agent": an agent of one's own, run through the device like any other.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use reticent_lab::mab::{Environment, Run, Seat};
use reticent_learn::mab::{AbsorbError, Agent, ArmEstimate};
use reticent_privacy::{Epsilon, SimSeed, Stream};
use reticent_protocol::mab::{Lottery, Policy, Spec, Squash};
use reticent_protocol::{Answer, Report};

/// All arms in turn for a while, then the best of them for ever.
#[derive(Debug)]
struct ExploreFirst {
    spec: Spec,
    explore: u64,
    answers: u64,
    ones: Vec<u64>,
}

impl Agent for ExploreFirst {
    fn policy(&mut self, _people: u64) -> Policy {
        let best = (0..self.ones.len()).max_by_key(|&arm| self.ones[arm]).unwrap_or(0) as u32;
        let arm =
            if self.answers < self.explore { (self.answers % self.ones.len() as u64) as u32 } else { best };
        let (experiment, version) = (self.spec.digest(), self.answers);
        Policy { experiment, version, question: 0, squash: Squash::CLIP, arms: Lottery::one(arm) }
    }

    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let Answer::Bit { arm, bit } = report.answer else { return Err(AbsorbError::OtherAnswer) };
        let arms = self.ones.len() as u32;
        let ones = self.ones.get_mut(arm as usize).ok_or(AbsorbError::UnknownArm { arm, arms })?;
        // Equal pulls while exploring: ones alone rank the arms.
        if self.answers < self.explore {
            *ones += u64::from(bit);
        }
        self.answers += 1;
        Ok(())
    }

    fn estimates(&self) -> Vec<ArmEstimate> {
        Vec::new()
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }
}

#[test]
fn an_agent_of_ones_own_learns_through_the_device() {
    let epsilon = Epsilon::new(2.0).unwrap();
    let env = Environment::open("mab-bernoulli").unwrap();
    let spec = Spec::new(env.arms(), epsilon).unwrap();
    let agent = ExploreFirst { spec, explore: 40_000, answers: 0, ones: vec![0; 20] };
    assert_eq!(agent.guarantee().to_string(), "2-DP, local model");

    let player = Seat::new(agent, SimSeed(1).stream(0, Stream::Noise));
    let mut run = Run::new(&env, Box::new(player), SimSeed(1).stream(0, Stream::Environment));
    run.advance(&env, 49_000).unwrap();
    let explored = run.regret();
    run.advance(&env, 50_000).unwrap();
    // 2000 bits an arm: the best is 0.076 ahead on the bits, with a deviation of the difference of 0.013. Being wrong
    // against any of five close rivals has probability below 5 * P(z > 5.9) = 1e-8.
    assert_eq!(run.regret(), explored, "only the best arm is played after exploring");
}
