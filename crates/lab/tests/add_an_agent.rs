//! Follows `docs/development.md`, "Add an agent": an agent of one's own, run through the device like any other.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use reticent_device::mab::Device;
use reticent_lab::env::Environment;
use reticent_learn::mab::{AbsorbError, Agent};
use reticent_privacy::{Epsilon, SimSeed, Stream};
use reticent_protocol::mab::{Channel, Policy, Report, Response, Spec, Squash};

/// All arms in turn for a while, then the best of them for ever.
struct ExploreFirst {
    spec: Spec,
    explore: u64,
    answers: u64,
    ones: Vec<u64>,
}

impl Agent for ExploreFirst {
    fn policy(&mut self) -> Policy {
        let best = (0..self.ones.len()).max_by_key(|&arm| self.ones[arm]).unwrap_or(0) as u32;
        let arm =
            if self.answers < self.explore { (self.answers % self.ones.len() as u64) as u32 } else { best };
        Policy { arm, stage: 0, squash: Squash::CLIP }
    }

    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let arms = self.ones.len() as u32;
        let Response::Bit(bit) = report.response else { return Err(AbsorbError::WrongKind) };
        let ones = self.ones.get_mut(report.arm as usize);
        let ones = ones.ok_or(AbsorbError::UnknownArm { arm: report.arm, arms })?;
        // Equal pulls while exploring: ones alone rank the arms.
        if self.answers < self.explore {
            *ones += u64::from(bit);
        }
        self.answers += 1;
        Ok(())
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }
}

#[test]
fn an_agent_of_ones_own_learns_through_the_device() {
    let epsilon = Epsilon::new(2.0).unwrap();
    let env = Environment::open("mab-bernoulli").unwrap();
    let spec = Spec::new(env.arms(), Channel::Bernoulli { epsilon }).unwrap();
    let mut agent = ExploreFirst { spec: spec.clone(), explore: 40_000, answers: 0, ones: vec![0; 20] };
    assert_eq!(agent.guarantee().to_string(), "2-DP, local model");

    let mut device = Device::simulated(&spec, epsilon, SimSeed(1).stream(0, Stream::Noise));
    let mut world = SimSeed(1).stream(0, Stream::Environment);
    for _ in 0..50_000 {
        let policy = agent.policy();
        device.next_person(epsilon);
        let report = device.answer(&policy, env.draw(policy.arm, &mut world)).unwrap();
        agent.absorb(&report).unwrap();
    }
    // 2000 bits an arm: the best is 0.076 ahead on the bits, with a deviation of the difference of 0.013. Being wrong
    // against any of five close rivals has probability below 5 * P(z > 5.9) = 1e-8.
    assert_eq!(env.gaps()[agent.policy().arm as usize], 0.0);
}
