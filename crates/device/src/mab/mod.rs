//! A device that takes part in a multi-armed bandit experiment.

mod privatiser;
#[cfg(test)]
mod tests;

use reticent_privacy::{Generator, NoiseRng, UnitGrid};
use reticent_protocol::mab::{Policy, Report};

use crate::DeviceError;
pub use privatiser::Privatiser;

/// One person's device: it sees the raw reward, pays for a report from the person's lifetime budget, and sends the
/// report alone.
///
/// ```
/// use reticent_device::mab::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::mab::{Policy, Spec, Squash};
///
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(3, epsilon)?;
/// let mut device = Device::new(&spec, epsilon)?;
/// let policy = Policy { arm: 2, stage: 0, squash: Squash::CLIP };
/// let report = device.answer(&policy, 0.7)?;
/// assert_eq!(report.arm, 2);
/// assert!(device.answer(&policy, 0.7).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Device<G = NoiseRng> = crate::Device<Privatiser, G>;

/// The same with its budget in a file.
///
/// ```
/// use reticent_device::mab::DurableDevice;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::mab::{Policy, Spec, Squash};
/// use reticent_store::DurableLedger;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("budget");
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(3, epsilon)?;
/// let mut device = DurableDevice::new(&spec, DurableLedger::open(&path, epsilon)?)?;
/// let policy = Policy { arm: 2, stage: 0, squash: Squash::CLIP };
/// let report = device.answer("visit-1", &policy, 0.7)?;
/// assert_eq!(device.answer("visit-1", &policy, 0.7)?, report);
/// assert!(device.answer("visit-2", &policy, 0.7).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type DurableDevice = crate::DurableDevice<Privatiser>;

impl<G: Generator> Device<G> {
    /// Pays for one report, then privatises the reward. If anything is wrong, nothing is sent; if the reward
    /// or the policy is wrong, nothing is paid either.
    #[inline]
    pub fn answer(&mut self, policy: &Policy, reward: f64) -> Result<Report, DeviceError> {
        let clipped = self.problem.clip(policy, reward)?;
        self.report(policy, clipped)
    }

    /// Answers for a person whose reward is missing or no number, as if it were in the middle: pays and
    /// reports like any other. Use it where whether there is a reward says something about the person,
    /// because silence would say it.
    pub fn answer_missing(&mut self, policy: &Policy) -> Result<Report, DeviceError> {
        let clipped = self.problem.middle(policy)?;
        self.report(policy, clipped)
    }

    #[inline]
    fn report(&mut self, policy: &Policy, clipped: UnitGrid) -> Result<Report, DeviceError> {
        let receipt = self.ledger.charge(self.problem.epsilon())?;
        Ok(self.problem.report(policy, clipped, receipt, &mut self.noise))
    }
}

impl DurableDevice {
    /// Pays on the disk, privatises the reward, stores the report, and returns it; or returns the report stored for
    /// `request`.
    pub fn answer(&mut self, request: &str, policy: &Policy, reward: f64) -> Result<Report, DeviceError> {
        if let Some(bytes) = self.stored(request) {
            return Ok(Report::decode(bytes)?);
        }
        let clipped = self.problem.clip(policy, reward)?;
        let bytes = self.pay_and_store(request, self.problem.epsilon(), |privatiser, receipt, noise| {
            privatiser.report(policy, clipped, receipt, noise).encode()
        })?;
        Ok(Report::decode(&bytes)?)
    }
}
