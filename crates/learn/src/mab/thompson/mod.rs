//! Thompson sampling on the private bits.

mod posterior;
mod race;

use reticent_privacy::SimRng;
use reticent_protocol::Report;
use reticent_protocol::mab::{Lottery, Policy, Spec, Squash};

use super::arm::Arm;
use super::guard::{Discounting, Piled, discounted};
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
    /// How many policies there were.
    pub(super) policies: u64,
    pub(super) arms: Vec<Arm>,
    pub(super) rng: SimRng,
    race: Race,
}

impl Thompson {
    /// The agent for a spec; `rng` feeds its own choices, not noise.
    pub fn new(spec: Spec, rng: SimRng) -> Thompson {
        let arms = vec![Arm::default(); spec.arms() as usize];
        let squash = Squash::over(spec.reward());
        Self::resume(spec, (squash, 0), arms, rng, Floor::START, 0)
    }

    /// From a saved state.
    pub(super) fn resume(
        spec: Spec,
        (squash, question): (Squash, u32),
        arms: Vec<Arm>,
        rng: SimRng,
        floor: Floor,
        policies: u64,
    ) -> Thompson {
        let race = Race::new(&posteriors(&arms), floor);
        Thompson { spec, squash, question, policies, arms, rng, race }
    }

    /// Another question, before the first answer.
    pub(super) fn ask(&mut self, squash: Squash, question: u32) {
        (self.squash, self.question) = (squash, question);
    }

    /// Any arm, for so many people.
    pub(super) fn any_arm(&mut self, people: u64) -> Lottery {
        let arms = self.arms.len() as u32;
        let all = if people > 1 { Lottery::of_draws(0..arms) } else { None };
        all.unwrap_or_else(|| Lottery::one((self.rng.uniform() * f64::from(arms)) as u32))
    }

    pub(super) fn question(&self) -> (Squash, u32) {
        (self.squash, self.question)
    }

    /// The next policy, with these arms and this question.
    #[inline]
    pub(super) fn next_policy(&mut self, arms: Lottery, (squash, question): (Squash, u32)) -> Policy {
        self.policies += 1;
        Policy { experiment: self.spec.digest(), version: self.policies, question, squash, arms }
    }

    /// Counts an answer to the current question.
    #[inline]
    pub(super) fn count(&mut self, arm: usize, bit: bool) {
        self.arms[arm].add(bit);
        self.race.update(arm, Beta::of(&self.arms[arm]));
    }

    pub(super) fn floor(&self) -> Floor {
        self.race.floor()
    }
}

impl Discounting for Thompson {
    fn discount(&mut self, piled: Piled) {
        let (ones, zeros) = discounted(&self.arms, piled);
        self.race.update(piled.arm, Beta::counted(ones, zeros));
    }
}

fn posteriors(arms: &[Arm]) -> Vec<Beta> {
    arms.iter().map(Beta::of).collect()
}

impl Agent for Thompson {
    /// For several people, as many draws from the posteriors (at most 256): their shares are the
    /// probabilities of being best.
    #[inline]
    fn policy(&mut self, people: u64) -> Policy {
        let first = self.race.winner(&mut self.rng) as u32;
        let arms = match draws(people) {
            1 => Lottery::one(first),
            draws => {
                let more = (1..draws).map(|_| self.race.winner(&mut self.rng) as u32);
                Lottery::of_draws(std::iter::once(first).chain(more)).unwrap_or_else(|| Lottery::one(first))
            }
        };
        self.next_policy(arms, self.question())
    }

    #[inline]
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let (arm, bit) = read(report, &self.spec)?;
        if report.question != self.question {
            return Err(AbsorbError::UnknownQuestion { got: report.question, now: self.question });
        }
        self.count(arm, bit);
        Ok(())
    }

    fn estimates(&self) -> Vec<ArmEstimate> {
        estimate::estimates(&self.spec, self.squash, &self.arms)
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }
}

#[cfg(test)]
mod tests;
