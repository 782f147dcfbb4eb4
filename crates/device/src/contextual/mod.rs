//! A device that takes part in a contextual experiment: context, arm and reward stay on it.

mod curator;
mod durable;
#[cfg(test)]
mod tests;

use reticent_privacy::{
    EntropyError, Epsilon, Exhausted, Generator, Guarantee, Ledger, NoiseRng, NotFinite, Provenance, SimRng,
};
use reticent_protocol::contextual::{DecodeError, Plan, PolicyError, Report, Spec, guarantee};
use reticent_schema::{ContextError, Value};
use reticent_store::LedgerError;

use crate::Shared;
use curator::Curator;
pub use curator::{Choice, Context};
pub use durable::DurableDevice;

/// One person's device: it sees the raw context and reward, picks the arm from the public policy, pays for a report from the person's
/// lifetime budget, and sends one randomised symbol.
///
/// ```
/// use reticent_device::contextual::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::contextual::{Plan, Policy, Question, Spec, Task};
/// use reticent_schema::Encoding;
///
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(2, Encoding::unit(2)?, epsilon)?;
/// let questions = vec![Question::effect(vec![8, 8])];
/// let policy = Policy { source: None, version: 0, questions, maps: vec![vec![1; 256]], tasks: vec![Task { map: 0, question: 0 }] };
/// let plan = Plan::new(&spec, policy)?;
/// let mut device = Device::new(&spec, epsilon)?;
/// let context = device.encode(&[0.3.into(), 0.9.into()])?;
/// let choice = device.choose(&plan, &context)?;
/// assert_eq!(choice.arm(), 1);
/// let report = device.answer(&plan, choice, 0.7)?;
/// assert!(report.encode().len() <= 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Device<G: Generator = NoiseRng> {
    curator: Curator,
    ledger: Ledger,
    noise: G,
}

/// Why nothing was sent. No message contains a context, an arm or a reward.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The context cannot be encoded.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The policy cannot be followed.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A source's plan for a person of the target, or the reverse; or a choice made under another policy.
    #[error("the plan is not the one that this person follows; nothing was sent")]
    OtherPlan,
    /// An arm of a record that the experiment does not have.
    #[error("the record's arm is not one of the experiment's {arms}; nothing was sent")]
    UnknownArm {
        /// How many arms there are.
        arms: u32,
    },
    /// The reward is no number that could be privatised.
    #[error("the reward: {0}")]
    Reward(#[from] NotFinite),
    /// The person's budget does not cover another report.
    #[error(transparent)]
    Budget(#[from] Exhausted),
    /// The budget's file refuses.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The budget's file holds another answer than a report.
    #[error("the stored answer of this request is no report of this experiment: {0}")]
    Stored(#[from] DecodeError),
    /// No entropy, no noise.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

impl Device<NoiseRng> {
    /// A device whose noise comes from the operating system's entropy, with a fresh lifetime budget.
    pub fn new(spec: &Spec, lifetime: Epsilon) -> Result<Self, DeviceError> {
        Ok(Self::with_noise(spec, Ledger::new(lifetime), NoiseRng::from_os()?))
    }
}

impl Device<SimRng> {
    /// A device for simulation: seeded noise, hence not private.
    pub fn simulated(spec: &Spec, lifetime: Epsilon, noise: SimRng) -> Self {
        Self::with_noise(spec, Ledger::new(lifetime), noise)
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
    /// A device whose person has a budget already, or that shares a generator with others.
    pub fn with_noise(spec: &Spec, ledger: Ledger, noise: G) -> Self {
        Device { curator: Curator::new(spec), ledger, noise }
    }

    /// The person's context as a cell of the grid; it stays here.
    pub fn encode(&self, context: &[Value]) -> Result<Context, DeviceError> {
        self.curator.encode(context)
    }

    /// The same for a context of numbers alone, without allocating.
    #[inline]
    pub fn encode_numbers(&self, context: &[f64]) -> Result<Context, DeviceError> {
        self.curator.encode_numbers(context)
    }

    /// Draws one of the plan's tasks, whoever the person is, and reads the arm off its map.
    #[inline]
    pub fn choose(&mut self, plan: &Plan, context: &Context) -> Result<Choice, DeviceError> {
        self.curator.choose(plan, *context, &mut self.noise)
    }

    /// Pays for one report, then privatises what happened. If anything is wrong, nothing is sent, and nothing paid.
    #[inline]
    pub fn answer(&mut self, plan: &Plan, choice: Choice, reward: f64) -> Result<Report, DeviceError> {
        let record = self.curator.record(plan, choice, reward)?;
        let receipt = self.ledger.charge(plan.epsilon())?;
        Ok(Curator::report(plan, record, receipt, &mut self.noise))
    }

    /// The same for a person of a source, who has an arm and a reward already.
    pub fn answer_record(
        &mut self,
        plan: &Plan,
        context: &Context,
        arm: u32,
        reward: f64,
    ) -> Result<Report, DeviceError> {
        let choice = self.curator.choice_of_record(plan, *context, arm, &mut self.noise)?;
        self.answer(plan, choice, reward)
    }

    /// The person's budget.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What a report of the target's people promises.
    pub fn guarantee(&self) -> Guarantee {
        guarantee(self.curator.spec().epsilon())
    }

    /// Where this device's noise comes from.
    pub fn provenance(&self) -> Provenance {
        G::PROVENANCE
    }
}
