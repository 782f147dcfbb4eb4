//! A device that takes part in a contextual bandit experiment with adaptive bins (Algorithm 2, user side).
//!
//! The proof is in `crates/learn/src/abse/guarantee.md`.

mod choice;
mod privatiser;
mod silent;
#[cfg(test)]
mod tests;

use reticent_privacy::{
    EntropyError, Epsilon, Exhausted, Generator, Guarantee, Ledger, NoiseRng, NotFinite, Provenance, SimRng,
    UnitGrid,
};
use reticent_protocol::abse::{Answer, Policy, Record, Report, Spec};

use crate::Shared;
pub use choice::Choice;
use privatiser::Privatiser;

/// One person's device: it sees context and reward, chooses the arm, pays for a report from the person's lifetime budget, and
/// sends the report alone.
///
/// ```
/// use reticent_device::abse::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::abse::{Policy, Spec};
///
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(2, 3, Some(epsilon), 10_000, vec![])?;
/// let mut device = Device::new(&spec, epsilon)?;
/// let policy = Policy::first(2, 3)?;
/// let choice = device.choose(&policy, &[0.2, 0.9])?;
/// assert!(choice.arm() < 3);
/// let report = device.answer(&policy, &choice, 0.7)?;
/// assert!(device.answer(&policy, &choice, 0.7).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Device<G: Generator = NoiseRng> {
    spec: Spec,
    privatiser: Privatiser,
    ledger: Ledger,
    noise: G,
}

/// Why nothing was sent. No message contains the context, the arm or the reward.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
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
    /// The person's budget does not cover another report.
    #[error(transparent)]
    Budget(#[from] Exhausted),
    /// No entropy, no noise.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

impl Device<NoiseRng> {
    /// A device whose noise comes from the operating system's entropy, with a fresh lifetime budget. The open channel is refused.
    pub fn new(spec: &Spec, lifetime: Epsilon) -> Result<Self, DeviceError> {
        Self::with_ledger(spec, Ledger::new(lifetime))
    }

    /// A device whose person has a budget already, possibly partly spent.
    pub fn with_ledger(spec: &Spec, ledger: Ledger) -> Result<Self, DeviceError> {
        Self::with_noise(spec, ledger, NoiseRng::from_os()?)
    }
}

impl Device<SimRng> {
    /// A device for simulation: seeded noise, hence not private.
    pub fn simulated(spec: &Spec, lifetime: Epsilon, noise: SimRng) -> Self {
        let ledger = Ledger::new(lifetime);
        Device { spec: spec.clone(), privatiser: Privatiser::new(spec), ledger, noise }
    }

    /// The noise generator, for the stored form of an interrupted simulation.
    pub fn noise(&self) -> &SimRng {
        &self.noise
    }
}

impl<G: Shared> Device<G> {
    /// The next person, with a lifetime budget of their own; the noise goes on.
    #[inline]
    pub fn next_person(&mut self, lifetime: Epsilon) {
        self.ledger = Ledger::new(lifetime);
    }
}

impl<G: Generator> Device<G> {
    /// A device that shares a generator with others, as one process that serves many people does. Real noise refuses the open
    /// channel.
    pub fn with_noise(spec: &Spec, ledger: Ledger, noise: G) -> Result<Self, DeviceError> {
        if spec.epsilon().is_none() && G::PROVENANCE == Provenance::SystemEntropy {
            return Err(DeviceError::NotPrivate);
        }
        Ok(Device { spec: spec.clone(), privatiser: Privatiser::new(spec), ledger, noise })
    }

    /// The person's bin and a uniform arm among its active ones (equation (8)), exactly. Costs nothing: it stays on the device.
    #[inline]
    pub fn choose(&mut self, policy: &Policy, context: &[f64]) -> Result<Choice, DeviceError> {
        self.check(policy)?;
        let choice = Choice::draw(policy, self.place(policy, context)?, &mut self.noise);
        Ok(if self.spec.epsilon().is_none() { choice.remembering(context) } else { choice })
    }

    /// Pays for one report, then privatises the record (equations (11) and (12)). If anything is wrong, nothing is sent; if the
    /// reward or the policy is wrong, nothing is paid either.
    pub fn answer(&mut self, policy: &Policy, choice: &Choice, reward: f64) -> Result<Report, DeviceError> {
        let (pair, reward) = self.prepare(policy, choice, reward)?;
        let record =
            || Record { context: choice.context().to_vec(), arm: choice.arm(), reward: reward.steps() };
        self.report(policy, None, pair, reward, record)
    }

    /// The report of a person of an auxiliary source, whose arm was chosen before, at that source's loss (equations (24), (25)).
    /// Whether the arm is active in the person's bin cannot be told from the report.
    pub fn answer_record(
        &mut self,
        policy: &Policy,
        source: u32,
        context: &[f64],
        arm: u32,
        reward: f64,
    ) -> Result<Report, DeviceError> {
        self.check(policy)?;
        if source as usize >= self.spec.sources().len() {
            return Err(DeviceError::UnknownSource(source));
        }
        if arm >= self.spec.arms() {
            return Err(DeviceError::UnknownArm(self.spec.arms()));
        }
        let bin = self.place(policy, context)?;
        let reward = UnitGrid::clip(reward)?;
        let record = || Record { context: choice::clipped(context), arm, reward: reward.steps() };
        self.report(policy, Some(source), policy.pair(bin, arm), reward, record)
    }

    /// The checks of an answer, which cost nothing: the pair of bin and arm, and the clipped reward.
    fn prepare(
        &self,
        policy: &Policy,
        choice: &Choice,
        reward: f64,
    ) -> Result<(Option<usize>, UnitGrid), DeviceError> {
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
    ) -> Result<Report, DeviceError> {
        let answer = match self.spec.epsilon_of(source) {
            Some(epsilon) => {
                let receipt = self.ledger.charge(epsilon)?;
                let noise = &mut self.noise;
                Answer::Values(self.privatiser.values(policy.pairs(), source, pair, reward, receipt, noise))
            }
            None => Answer::Open(record()),
        };
        Ok(Report { version: policy.version(), source, answer })
    }

    fn check(&self, policy: &Policy) -> Result<(), DeviceError> {
        if policy.dims() == self.spec.dims() as usize && policy.arm_bound() <= self.spec.arms() {
            Ok(())
        } else {
            Err(DeviceError::WrongPolicy { dims: policy.dims(), arms: policy.arm_bound() })
        }
    }

    fn place(&self, policy: &Policy, context: &[f64]) -> Result<usize, DeviceError> {
        if context.len() != self.spec.dims() as usize {
            return Err(DeviceError::WrongContext(self.spec.dims()));
        }
        if context.iter().all(|x| x.is_finite()) {
            // Comparing with the splits clips to the cube: all of them are inside.
            Ok(policy.find(context))
        } else {
            Err(NotFinite.into())
        }
    }

    /// The person's budget.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What each report of the target's people promises; for sources see [`Spec::source_guarantee`].
    pub fn guarantee(&self) -> Guarantee {
        self.spec.guarantee()
    }

    /// Where this device's noise comes from.
    pub fn provenance(&self) -> Provenance {
        G::PROVENANCE
    }
}
