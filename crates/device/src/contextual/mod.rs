//! A device that takes part in a contextual experiment: context, arm and reward stay on it.

mod privatiser;
#[cfg(test)]
mod tests;

use reticent_privacy::{Generator, NoiseRng};
use reticent_protocol::contextual::{Plan, Report};
use reticent_schema::Value;

use crate::DeviceError;
pub use privatiser::{Choice, Context, Privatiser};

/// One person's device: it sees the raw context and reward, picks the arm from the public policy, pays for a
/// report from the person's lifetime budget, and sends one randomised symbol.
///
/// ```
/// use reticent_device::contextual::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::contextual::{Plan, Policy, Question, Spec, Task};
/// use reticent_schema::Encoding;
///
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(2, Encoding::unit(2)?, epsilon)?;
/// let policy = Policy {
///     source: None,
///     version: 0,
///     questions: vec![Question::effect(vec![8, 8])],
///     maps: vec![vec![1; 256]],
///     tasks: vec![Task { map: 0, question: 0 }],
/// };
/// let plan = Plan::new(&spec, policy)?;
/// let mut device = Device::new(&spec, epsilon)?;
/// let context = device.encode(&[0.3.into(), 0.9.into()])?;
/// let choice = device.choose(&plan, &context)?;
/// assert_eq!(choice.arm(), 1);
/// let report = device.answer(&plan, choice, 0.7)?;
/// assert!(report.encode().len() <= 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Device<G = NoiseRng> = crate::Device<Privatiser, G>;

/// The same with its budget in a file.
pub type DurableDevice = crate::DurableDevice<Privatiser>;

impl<G: Generator> Device<G> {
    /// The person's context as a cell of the grid; it stays here.
    pub fn encode(&self, context: &[Value]) -> Result<Context, DeviceError> {
        self.problem.encode(context)
    }

    /// The same for a context of numbers alone, without allocating.
    #[inline]
    pub fn encode_numbers(&self, context: &[f64]) -> Result<Context, DeviceError> {
        self.problem.encode_numbers(context)
    }

    /// Draws one of the plan's tasks, whoever the person is, and reads the arm off its map.
    #[inline]
    pub fn choose(&mut self, plan: &Plan, context: &Context) -> Result<Choice, DeviceError> {
        self.problem.choose(plan, *context, &mut self.noise)
    }

    /// Pays for one report, then privatises what happened. If anything is wrong, nothing is sent, and nothing paid.
    #[inline]
    pub fn answer(&mut self, plan: &Plan, choice: Choice, reward: f64) -> Result<Report, DeviceError> {
        let record = self.problem.record(plan, choice, reward)?;
        let receipt = self.ledger.charge(plan.epsilon())?;
        Ok(Privatiser::report(plan, record, receipt, &mut self.noise))
    }

    /// The same for a person of a source, who has an arm and a reward already.
    pub fn answer_record(
        &mut self,
        plan: &Plan,
        context: &Context,
        arm: u32,
        reward: f64,
    ) -> Result<Report, DeviceError> {
        let choice = self.problem.choice_of_record(plan, *context, arm, &mut self.noise)?;
        self.answer(plan, choice, reward)
    }
}

impl DurableDevice {
    /// The person's context as a cell of the grid; it stays here.
    pub fn encode(&self, context: &[Value]) -> Result<Context, DeviceError> {
        self.problem.encode(context)
    }

    /// The arm for this person.
    pub fn choose(&mut self, plan: &Plan, context: &Context) -> Result<Choice, DeviceError> {
        self.problem.choose(plan, *context, &mut self.noise)
    }

    /// Pays on the disk, privatises, stores the report, and returns it; or returns the report stored for `request`.
    pub fn answer(
        &mut self,
        request: &str,
        plan: &Plan,
        choice: Choice,
        reward: f64,
    ) -> Result<Report, DeviceError> {
        if let Some(bytes) = self.stored(request) {
            return Ok(Report::decode(bytes)?);
        }
        let record = self.problem.record(plan, choice, reward)?;
        let bytes = self.pay_and_store(request, plan.epsilon(), |_, receipt, noise| {
            Privatiser::report(plan, record, receipt, noise).encode()
        })?;
        Ok(Report::decode(&bytes)?)
    }
}
