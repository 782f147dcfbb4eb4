//! Thompson sampling on the private bits.

mod posterior;
mod race;

use reticent_privacy::SimRng;
use reticent_protocol::mab::{Policy, Report, Spec, Squash};

use super::arm::Arm;
use super::{AbsorbError, Agent, check};
use posterior::Beta;
pub(super) use race::Floor;
use race::Race;

/// Beta Thompson sampling (Agrawal and Goyal 2012) on the bits of the Bernoulli channel: each arm has a
/// uniform prior, and the next person gets the arm whose draw from its posterior is largest.
///
/// The bits are Bernoulli whatever the reward's law in [0, 1], so the posterior is the right one for all of them. The
/// agent's draws need no secrecy: they are post-processing of public reports.
#[derive(Debug)]
pub struct Thompson {
    spec: Spec,
    squash: Squash,
    stage: u32,
    pub(super) arms: Vec<Arm>,
    pub(super) rng: SimRng,
    race: Race,
}

impl Thompson {
    /// The agent for a spec; `rng` feeds its own choices, not noise.
    pub fn new(spec: Spec, rng: SimRng) -> Thompson {
        let arms = vec![Arm::default(); spec.arms() as usize];
        Self::resume(spec, (Squash::CLIP, 0), arms, rng, Floor::START)
    }

    /// From a saved state.
    pub(super) fn resume(
        spec: Spec,
        (squash, stage): (Squash, u32),
        arms: Vec<Arm>,
        rng: SimRng,
        floor: Floor,
    ) -> Thompson {
        let race = Race::new(&posteriors(&arms), floor);
        Thompson { spec, squash, stage, arms, rng, race }
    }

    /// Another question, before the first answer.
    pub(super) fn ask(&mut self, squash: Squash, stage: u32) {
        (self.squash, self.stage) = (squash, stage);
    }

    /// An arm by lot.
    pub(super) fn any_arm(&mut self) -> u32 {
        (self.rng.uniform() * self.arms.len() as f64) as u32
    }

    pub(super) fn question(&self) -> (Squash, u32) {
        (self.squash, self.stage)
    }

    pub(super) fn floor(&self) -> Floor {
        self.race.floor()
    }
}

fn posteriors(arms: &[Arm]) -> Vec<Beta> {
    arms.iter().map(Beta::of).collect()
}

impl Agent for Thompson {
    #[inline]
    fn policy(&mut self) -> Policy {
        let arm = self.race.winner(&mut self.rng);
        Policy { arm: arm as u32, stage: self.stage, squash: self.squash }
    }

    #[inline]
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let arm = check(report, self.arms.len(), self.stage)?;
        self.arms[arm].add(report.bit);
        self.race.update(arm, Beta::of(&self.arms[arm]));
        Ok(())
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }
}

#[cfg(test)]
mod tests;
