//! A device that takes part in a contextual experiment: context, arm and reward stay on it.

mod privatiser;
mod record;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use reticent_privacy::{Generator, NoiseRng};
use reticent_protocol::Report;
use reticent_protocol::contextual::Plan;
use reticent_schema::Value;

use crate::DeviceError;
pub use privatiser::Privatiser;
pub use record::{Choice, Context, Record};

/// One person's device: it sees the raw context and reward, picks the arm from the public policy, pays for a
/// report from the person's lifetime budget, and sends one randomised symbol.
///
/// ```
/// use std::sync::Arc;
/// use reticent_device::contextual::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::contextual::{Plan, Policy, Question, Spec, Task};
/// use reticent_schema::Encoding;
///
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(2, Encoding::unit(2)?, epsilon)?;
/// let policy = Policy {
///     experiment: spec.digest(),
///     source: None,
///     version: 0,
///     questions: vec![Question::effect(vec![8, 8])],
///     maps: vec![vec![1; 256]],
///     tasks: vec![Task { map: 0, question: 0 }],
///     cells: None,
/// };
/// let plan = Arc::new(Plan::new(&spec, policy)?);
/// let mut device = Device::new(&spec, epsilon)?;
/// let context = device.encode(&[0.3.into(), 0.9.into()])?;
/// let choice = device.choose(&plan, &context)?;
/// assert_eq!(choice.arm(), 1);
/// let report = device.answer(choice, 0.7)?;
/// assert!(report.encode().len() <= 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Device<G = NoiseRng> = crate::Device<Privatiser, G>;

/// The same with its budget in a file.
pub type DurableDevice = crate::DurableDevice<Privatiser>;

impl<G: Generator> Device<G> {
    /// The person's context as a point; it stays here. Whatever the values, there is one.
    pub fn encode(&self, context: &[Value]) -> Result<Context, DeviceError> {
        self.problem.encode(context)
    }

    /// The same for a context of numbers alone, without allocating.
    #[inline]
    pub fn encode_numbers(&self, context: &[f64]) -> Result<Context, DeviceError> {
        self.problem.encode_numbers(context)
    }

    /// The same for a context that a table's reader has made numbers of: a level is its place plus one half.
    #[inline]
    pub fn encode_placed(&self, context: &[f64]) -> Result<Context, DeviceError> {
        self.problem.encode_placed(context)
    }

    /// Draws one of the plan's tasks, whoever the person is, and reads the arm off its map. An experiment
    /// whose arms are private pays for the arm here, before it is shown.
    #[inline]
    pub fn choose(&mut self, plan: &Arc<Plan>, context: &Context) -> Result<Choice, DeviceError> {
        let choice = self.problem.choose(plan, context, &mut self.noise)?;
        match self.problem.arm_response() {
            None => Ok(choice),
            Some(response) => {
                let receipt = self.ledger.charge(response.epsilon())?;
                response.randomise(choice, receipt, &mut self.noise)
            }
        }
    }

    /// Pays for one report, then privatises what happened. A reward that is no number counts as missing.
    #[inline]
    pub fn answer(&mut self, choice: Choice, reward: f64) -> Result<Report, DeviceError> {
        let record = self.problem.record(choice, reward);
        self.send(record)
    }

    /// The same for a person whose reward is missing: as if it were in the middle of its range.
    pub fn answer_missing(&mut self, choice: Choice) -> Result<Report, DeviceError> {
        self.answer(choice, f64::NAN)
    }

    /// The same for a person of a source, who has an arm and a reward already. An arm that the experiment
    /// does not have counts as missing, and its reward with it.
    pub fn answer_record(
        &mut self,
        plan: &Arc<Plan>,
        context: &Context,
        arm: u32,
        reward: f64,
    ) -> Result<Report, DeviceError> {
        let record = self.problem.record_of_source(plan, context, arm, reward, &mut self.noise)?;
        self.send(record)
    }
}

impl DurableDevice {
    /// The person's context as a point; it stays here.
    pub fn encode(&self, context: &[Value]) -> Result<Context, DeviceError> {
        self.problem.encode(context)
    }

    /// The arm for this person. Where arms are private it is paid for on the disk and stored: the same request
    /// under the same policy gets the same arm.
    pub fn choose(
        &mut self,
        request: &str,
        plan: &Arc<Plan>,
        context: &Context,
    ) -> Result<Choice, DeviceError> {
        let choice = self.problem.choose(plan, context, &mut self.noise)?;
        if self.problem.arm_response().is_none() {
            return Ok(choice);
        }
        self.choose_privately(request, choice)
    }

    /// Pays on the disk, privatises, stores the report, and returns it; or returns the report stored for this
    /// request under this policy.
    pub fn answer(&mut self, request: &str, choice: Choice, reward: f64) -> Result<Report, DeviceError> {
        let record = self.problem.record(choice, reward);
        self.send(request, record)
    }

    /// The same for a person whose reward is missing.
    pub fn answer_missing(&mut self, request: &str, choice: Choice) -> Result<Report, DeviceError> {
        self.answer(request, choice, f64::NAN)
    }

    fn choose_privately(&mut self, request: &str, choice: Choice) -> Result<Choice, DeviceError> {
        let key = self.key(choice.policy(), "arm", request);
        let wallet = self.wallet().clone();
        let (problem, noise) = (&self.problem, &mut self.noise);
        let Some(response) = problem.arm_response() else { return Ok(choice) };
        let cell = choice.cell();
        let plan = Arc::clone(choice.plan());
        let stored = wallet.ledger().answer(&key, response.epsilon(), |receipt| {
            Ok(response.randomise(choice, receipt, noise)?.shown())
        })?;
        Choice::shown_before(plan, cell, &stored)
    }
}
