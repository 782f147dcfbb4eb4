//! A device whose budget and answers survive a crash.

use reticent_privacy::NoiseRng;
use reticent_protocol::mab::{Channel, Policy, Report, Spec};
use reticent_store::DurableLedger;

use super::{Curator, DeviceError};

/// One person's device with its budget in a file: a request that is made again, also after a restart, gets the report that was
/// made for it first, and costs nothing.
///
/// ```
/// use reticent_device::mab::DurableDevice;
/// use reticent_privacy::Epsilon;
/// use reticent_store::DurableLedger;
/// use reticent_protocol::mab::{Channel, Policy, Spec, Squash};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("budget");
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(3, Channel::Bernoulli { epsilon })?;
/// let mut device = DurableDevice::new(&spec, DurableLedger::open(&path, epsilon)?)?;
/// let policy = Policy { arm: 2, stage: 0, squash: Squash::CLIP };
/// let report = device.answer("visit-1", &policy, 0.7)?;
/// assert_eq!(device.answer("visit-1", &policy, 0.7)?, report);
/// assert!(device.answer("visit-2", &policy, 0.7).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DurableDevice {
    curator: Curator,
    ledger: DurableLedger,
    noise: NoiseRng,
}

impl DurableDevice {
    /// A device for this experiment; the open channel is refused.
    pub fn new(spec: &Spec, ledger: DurableLedger) -> Result<DurableDevice, DeviceError> {
        if spec.channel() == Channel::Open {
            return Err(DeviceError::NotPrivate);
        }
        Ok(DurableDevice { curator: Curator::new(spec), ledger, noise: NoiseRng::from_os()? })
    }

    /// Pays on the disk, privatises the reward, stores the report, and returns it; or returns the report stored for `request`.
    pub fn answer(&mut self, request: &str, policy: &Policy, reward: f64) -> Result<Report, DeviceError> {
        if let Some(bytes) = self.ledger.stored(request) {
            return Ok(Report::decode(bytes)?);
        }
        let clipped = self.curator.clip(policy, reward)?;
        let epsilon = self.curator.epsilon().ok_or(DeviceError::NotPrivate)?;
        let (curator, noise) = (&mut self.curator, &mut self.noise);
        let bytes = self.ledger.answer(request, epsilon, |receipt| {
            let response = curator.respond(clipped, Some(receipt), noise);
            Ok(Report { arm: policy.arm, stage: policy.stage, response }.encode())
        })?;
        Ok(Report::decode(&bytes)?)
    }

    /// Draws the noise of the next answer now: see [`Device::prepare`](super::Device::prepare).
    pub fn prepare(&mut self) {
        self.curator.prepare(&mut self.noise);
    }

    /// The person's budget.
    pub fn ledger(&self) -> &DurableLedger {
        &self.ledger
    }
}
