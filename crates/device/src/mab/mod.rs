//! A device that takes part in a multi-armed bandit experiment.

mod privatiser;
#[cfg(test)]
mod tests;

use reticent_privacy::{Generator, NoiseRng};
use reticent_protocol::Report;
use reticent_protocol::mab::Policy;

use crate::DeviceError;
pub use privatiser::{Choice, Privatiser, Record};

/// One person's device: it draws the arm from the public policy, sees the raw reward, pays for a report from
/// the person's lifetime budget, and sends the report alone.
///
/// ```
/// use reticent_device::mab::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::Answer;
/// use reticent_protocol::mab::{Lottery, Policy, Spec, Squash};
///
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(3, epsilon)?;
/// let mut device = Device::new(&spec, epsilon)?;
/// let policy = Policy {
///     experiment: spec.digest(),
///     version: 1,
///     question: 0,
///     squash: Squash::CLIP,
///     arms: Lottery::new(vec![(1, 1), (2, 3)])?,
/// };
/// let choice = device.choose(&policy)?;
/// assert!([1, 2].contains(&choice.arm()));
/// let report = device.answer(choice, 0.7)?;
/// assert!(matches!(report.answer, Answer::Bit { .. }));
/// let next = device.choose(&policy)?;
/// assert!(device.answer(next, 0.7).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Device<G = NoiseRng> = crate::Device<Privatiser, G>;

/// The same with its budget in a file.
///
/// ```
/// use reticent_device::mab::DurableDevice;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::mab::{Lottery, Policy, Spec, Squash};
/// use reticent_store::DurableLedger;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("budget");
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(3, epsilon)?;
/// let mut device = DurableDevice::new(&spec, DurableLedger::open(&path, epsilon)?)?;
/// let (experiment, arms) = (spec.digest(), Lottery::one(2));
/// let policy = Policy { experiment, version: 1, question: 0, squash: Squash::CLIP, arms };
/// let choice = device.choose(&policy)?;
/// let report = device.answer("visit-1", choice, 0.7)?;
/// let again = device.choose(&policy)?;
/// assert_eq!(device.answer("visit-1", again, 0.7)?, report);
/// let next = device.choose(&policy)?;
/// assert!(device.answer("visit-2", next, 0.7).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type DurableDevice = crate::DurableDevice<Privatiser>;

impl<G: Generator> Device<G> {
    /// The arm for this person, drawn from the policy's lottery.
    #[inline]
    pub fn choose(&mut self, policy: &Policy) -> Result<Choice, DeviceError> {
        self.problem.choose(policy, &mut self.noise)
    }

    /// Pays for one report, then privatises the reward. A reward that is no number counts as missing.
    #[inline]
    pub fn answer(&mut self, choice: Choice, reward: f64) -> Result<Report, DeviceError> {
        self.send(Record::new(choice, reward))
    }

    /// Answers for a person whose reward is missing, as if it were in the middle: pays and reports like any
    /// other. Whether there is a reward may say something about the person, and silence would say it.
    pub fn answer_missing(&mut self, choice: Choice) -> Result<Report, DeviceError> {
        self.send(Record::missing(choice))
    }
}

impl DurableDevice {
    /// The arm for this person, drawn from the policy's lottery.
    pub fn choose(&mut self, policy: &Policy) -> Result<Choice, DeviceError> {
        self.problem.choose(policy, &mut self.noise)
    }

    /// Pays on the disk, privatises the reward, stores the report, and returns it; or returns the report
    /// stored for this request under this policy.
    pub fn answer(&mut self, request: &str, choice: Choice, reward: f64) -> Result<Report, DeviceError> {
        self.send(request, Record::new(choice, reward))
    }

    /// The same for a person whose reward is missing.
    pub fn answer_missing(&mut self, request: &str, choice: Choice) -> Result<Report, DeviceError> {
        self.send(request, Record::missing(choice))
    }
}
