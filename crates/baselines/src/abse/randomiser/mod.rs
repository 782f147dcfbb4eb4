//! The people's side: bin and arm of a person, and a report of them (equations (11), (12)).
//!
//! The proof is in `crates/baselines/src/abse/agent/guarantee.md`. A baseline has no ledger: in a simulation
//! each person reports once.

mod choice;
mod silent;
#[cfg(test)]
mod tests;
mod values;

use reticent_privacy::{Generator, NotFinite, Provenance, UnitGrid};

use crate::abse::{Answer, Policy, Record, Report, Spec};
pub use choice::Choice;
use values::Values;

/// Makes people's reports, one person after another.
///
/// ```
/// use reticent_baselines::abse::{Policy, Spec, randomiser::Randomiser};
/// use reticent_privacy::{Epsilon, NoiseRng};
///
/// let spec = Spec::new(2, 3, Some(Epsilon::new(1.0)?), 10_000, vec![])?;
/// let mut people = Randomiser::new(&spec, NoiseRng::from_os()?);
/// let policy = Policy::first(2, 3)?;
/// let choice = people.choose(&policy, &[0.2, 0.9])?;
/// assert!(choice.arm() < 3);
/// let report = people.answer(&policy, &choice, 0.7)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Randomiser<G> {
    spec: Spec,
    values: Values,
    noise: G,
}

/// Why nothing was sent. No message contains the context, the arm or the reward.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The policy is of another experiment.
    #[error(
        "the policy has {dims} dimensions and arms below {arms}, which is not the experiment; nothing was sent"
    )]
    WrongPolicy {
        /// The policy's dimensions.
        dims: usize,
        /// The policy's bound of arms.
        arms: u32,
    },
    /// The context has another number of coordinates.
    #[error("the context must have {0} coordinates; nothing was sent")]
    WrongContext(u32),
    /// A choice made under another policy.
    #[error("the choice was made under policy version {made}, not {asked}; nothing was sent")]
    StaleChoice {
        /// The version it was made under.
        made: u64,
        /// The version of the policy given.
        asked: u64,
    },
    /// A source that the experiment does not have.
    #[error("the experiment has no source {0}; nothing was sent")]
    UnknownSource(u32),
    /// A record's arm that the experiment does not have.
    #[error("the record's arm is none of the experiment's {0}; nothing was sent")]
    UnknownArm(u32),
    /// A coordinate of the context or the reward is no number.
    #[error("the context or the reward: {0}")]
    NotFinite(#[from] NotFinite),
    /// The experiment would have the device send the raw record.
    #[error("the experiment's channel is open: it would send raw records; a person's device refuses it")]
    NotPrivate,
}

impl<G: Generator> Randomiser<G> {
    /// For the people of this experiment.
    pub fn new(spec: &Spec, noise: G) -> Randomiser<G> {
        Randomiser { spec: spec.clone(), values: Values::new(spec), noise }
    }

    /// The person's bin and a uniform arm among its active ones (equation (8)), exactly. It stays with the person.
    #[inline]
    pub fn choose(&mut self, policy: &Policy, context: &[f64]) -> Result<Choice, Refusal> {
        self.check(policy)?;
        let choice = Choice::draw(policy, self.place(policy, context)?, &mut self.noise);
        Ok(if self.spec.epsilon().is_none() { choice.remembering(context) } else { choice })
    }

    /// Privatises the record (equations (11) and (12)). If anything is wrong, nothing is sent.
    pub fn answer(&mut self, policy: &Policy, choice: &Choice, reward: f64) -> Result<Report, Refusal> {
        let (pair, reward) = self.prepare(policy, choice, reward)?;
        let record =
            || Record { context: choice.context().to_vec(), arm: choice.arm(), reward: reward.steps() };
        self.report(policy, None, pair, reward, record)
    }

    /// The report of a person of an auxiliary source, whose arm was chosen before, at that source's loss
    /// (equations (24), (25)). Whether the arm is active in the person's bin cannot be told from the report.
    pub fn answer_record(
        &mut self,
        policy: &Policy,
        source: u32,
        context: &[f64],
        arm: u32,
        reward: f64,
    ) -> Result<Report, Refusal> {
        self.check(policy)?;
        if source as usize >= self.spec.sources().len() {
            return Err(Refusal::UnknownSource(source));
        }
        if arm >= self.spec.arms() {
            return Err(Refusal::UnknownArm(self.spec.arms()));
        }
        let bin = self.place(policy, context)?;
        let reward = UnitGrid::clip(reward)?;
        let record = || Record { context: choice::clipped(context), arm, reward: reward.steps() };
        self.report(policy, Some(source), policy.pair(bin, arm), reward, record)
    }

    /// The checks of an answer: the pair of bin and arm, and the clipped reward.
    fn prepare(
        &self,
        policy: &Policy,
        choice: &Choice,
        reward: f64,
    ) -> Result<(Option<usize>, UnitGrid), Refusal> {
        self.check(policy)?;
        let pair = choice.pair(policy)?;
        Ok((pair, UnitGrid::clip(reward)?))
    }

    fn report(
        &mut self,
        policy: &Policy,
        source: Option<u32>,
        pair: Option<usize>,
        reward: UnitGrid,
        record: impl FnOnce() -> Record,
    ) -> Result<Report, Refusal> {
        let answer = match self.spec.epsilon_of(source) {
            Some(_) => {
                Answer::Values(self.values.draw(policy.pairs(), source, pair, reward, &mut self.noise))
            }
            None if G::PROVENANCE == Provenance::SystemEntropy => return Err(Refusal::NotPrivate),
            None => Answer::Open(record()),
        };
        Ok(Report { version: policy.version(), source, answer })
    }

    fn check(&self, policy: &Policy) -> Result<(), Refusal> {
        if policy.dims() == self.spec.dims() as usize && policy.arm_bound() <= self.spec.arms() {
            Ok(())
        } else {
            Err(Refusal::WrongPolicy { dims: policy.dims(), arms: policy.arm_bound() })
        }
    }

    fn place(&self, policy: &Policy, context: &[f64]) -> Result<usize, Refusal> {
        if context.len() != self.spec.dims() as usize {
            return Err(Refusal::WrongContext(self.spec.dims()));
        }
        if context.iter().all(|x| x.is_finite()) {
            // Comparing with the splits clips to the cube: all of them are inside.
            Ok(policy.find(context))
        } else {
            Err(NotFinite.into())
        }
    }
}
