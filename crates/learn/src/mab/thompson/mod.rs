//! Thompson sampling on the private bits.

mod posterior;
mod race;

use reticent_privacy::SimRng;
use reticent_protocol::Report;
use reticent_protocol::mab::{Lottery, Policy, Spec, Squash};

use super::arm::Arm;
use super::guard::{Discounting, Piled, discounted};
use super::memory::Memory;
use super::{AbsorbError, Agent, ArmEstimate, draws, estimate, read};
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
    question: u32,
    pub(super) memory: Memory,
    pub(super) rng: SimRng,
    race: Race,
}

impl Thompson {
    /// The agent for a spec; `rng` feeds its own choices, not noise.
    pub fn new(spec: Spec, rng: SimRng) -> Thompson {
        let (memory, squash) = (Memory::new(spec.arms()), Squash::over(spec.reward()));
        Self::resume(spec, (squash, 0), memory, rng, Floor::START)
    }

    /// From a saved state.
    pub(super) fn resume(
        spec: Spec,
        (squash, question): (Squash, u32),
        memory: Memory,
        rng: SimRng,
        floor: Floor,
    ) -> Thompson {
        let race = Race::new(&posteriors(&memory.arms), floor);
        Thompson { spec, squash, question, memory, rng, race }
    }

    /// Another question, before the first answer.
    pub(super) fn ask(&mut self, squash: Squash, question: u32) {
        (self.squash, self.question) = (squash, question);
    }

    /// Any arm, for so many people.
    pub(super) fn any_arm(&mut self, people: u64) -> Lottery {
        let arms = self.spec.arms();
        let all = if people > 1 { Lottery::of_draws(0..arms) } else { None };
        all.unwrap_or_else(|| Lottery::one((self.rng.uniform() * f64::from(arms)) as u32))
    }

    /// The arm with the largest draw.
    #[inline]
    pub(super) fn winner(&mut self) -> usize {
        self.race.winner(&mut self.rng)
    }

    pub(super) fn question(&self) -> (Squash, u32) {
        (self.squash, self.question)
    }

    /// The next policy, with these arms and this question.
    #[inline]
    pub(super) fn next_policy(&mut self, arms: Lottery, (squash, question): (Squash, u32)) -> Policy {
        self.memory.policies += 1;
        Policy { experiment: self.spec.digest(), version: self.memory.policies, question, squash, arms }
    }

    /// Counts an answer to the current question.
    #[inline]
    pub(super) fn count(&mut self, policy: u64, arm: usize, bit: bool) {
        if self.memory.count(policy, arm, bit) {
            self.race = Race::new(&posteriors(&self.memory.arms), Floor::START);
        } else {
            self.race.update(arm, Beta::of(&self.memory.arms[arm]));
        }
    }

    pub(super) fn floor(&self) -> Floor {
        self.race.floor()
    }
}

impl Discounting for Thompson {
    fn discount(&mut self, piled: Piled) {
        let (ones, zeros) = discounted(&self.memory.arms, self.memory.piled(piled));
        self.race.update(piled.arm, Beta::counted(ones, zeros));
    }
}

fn posteriors(arms: &[Arm]) -> Vec<Beta> {
    arms.iter().map(Beta::of).collect()
}

impl Agent for Thompson {
    /// For several people, as many draws from the posteriors (at most 256): their shares are the
    /// probabilities of being best, but for arms that are played too little.
    #[inline]
    fn policy(&mut self, people: u64) -> Policy {
        let (race, rng) = (&self.race, &mut self.rng);
        let mut winner = || race.winner(rng) as u32;
        match draws(people) {
            1 => {
                let arm = self.memory.due().unwrap_or_else(winner);
                let policy = self.next_policy(Lottery::one(arm), self.question());
                self.memory.ask(arm);
                policy
            }
            draws => {
                let arms = self.memory.spread(people, draws, |_| winner());
                let arms = Lottery::of_draws(arms).unwrap_or_else(|| Lottery::one(0));
                self.next_policy(arms, self.question())
            }
        }
    }

    #[inline]
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let (arm, bit) = read(report, &self.spec)?;
        if report.question != self.question {
            return Err(AbsorbError::UnknownQuestion { got: report.question, now: self.question });
        }
        self.count(report.policy, arm, bit);
        Ok(())
    }

    fn estimates(&self) -> Vec<ArmEstimate> {
        estimate::estimates(&self.spec, self.squash, &self.memory.arms)
    }

    fn changes(&self) -> u32 {
        self.memory.changes()
    }

    fn found(&self) -> Option<u32> {
        self.memory.found()
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }
}

#[cfg(test)]
mod tests;
