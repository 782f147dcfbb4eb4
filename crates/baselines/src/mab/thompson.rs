//! Thompson sampling on raw rewards.

use reticent_learn::mab::{Agent, AgentKind, AnyAgent};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream, UnitGrid};
use reticent_protocol::mab::SpecError;
use reticent_protocol::{Answer as Said, Report};

use super::Answer;

const TWO_TO_53: f64 = 9_007_199_254_740_992.0;

/// Beta Thompson sampling (Agrawal and Goyal 2012, Algorithm 2): a reward in [0, 1] counts as a one with that
/// probability, so that rewards of zero and one count as they are. The posterior and the draws are those of the agent
/// that ships, on bits that nobody flipped.
#[derive(Debug)]
pub struct RawThompson {
    pub(super) agent: AnyAgent,
    pub(super) coins: SimRng,
    /// The policy that the next answer follows.
    policy: (u64, u32),
}

impl RawThompson {
    /// For so many arms.
    pub(super) fn new(arms: u32, mut choices: SimRng) -> Result<RawThompson, SpecError> {
        let coins = SimSeed((choices.uniform() * TWO_TO_53) as u64).stream(0, Stream::Agent);
        // Its epsilon is never used: no device takes part.
        let agent = AgentKind::LdpThompson.build(arms, Epsilon::MAX, choices)?;
        Ok(RawThompson::resume(agent, coins))
    }

    /// From a saved state.
    pub(super) fn resume(agent: AnyAgent, coins: SimRng) -> RawThompson {
        RawThompson { agent, coins, policy: (0, 0) }
    }

    pub(super) fn choose(&mut self) -> u32 {
        let policy = self.agent.policy(1);
        self.policy = (policy.version, policy.question);
        policy.arms.last_arm()
    }

    pub(super) fn absorb(&mut self, arm: u32, answer: Answer) {
        let bit = match answer {
            Answer::Bit(bit) => bit,
            Answer::Steps(steps) => self.coins.uniform() * f64::from(UnitGrid::STEPS) < steps as f64,
        };
        let (experiment, (policy, question)) = (self.agent.spec().prefix(), self.policy);
        let report = Report { experiment, policy, source: None, question, answer: Said::Bit { arm, bit } };
        let taken = self.agent.absorb(&report);
        debug_assert!(taken.is_ok(), "a report of its own experiment");
    }

    pub(super) fn arms(&self) -> u32 {
        self.agent.spec().arms()
    }
}
