//! A device that takes part in a multi-armed bandit experiment.

mod curator;
mod durable;
#[cfg(test)]
mod tests;

use reticent_privacy::{
    EntropyError, Epsilon, Exhausted, Generator, Guarantee, Ledger, NoiseRng, NotFinite, Provenance, SimRng,
    UnitGrid,
};
use reticent_protocol::mab::{Channel, DecodeError, Policy, Report, Spec};
use reticent_store::LedgerError;

pub use crate::Shared;
use curator::Curator;
pub use durable::DurableDevice;

/// One person's device: it sees the raw reward, pays for a report from the person's lifetime budget, and sends the
/// report alone.
///
/// ```
/// use reticent_device::mab::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::mab::{Channel, Policy, Spec, Squash};
///
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(3, Channel::Bernoulli { epsilon })?;
/// let mut device = Device::new(&spec, epsilon)?;
/// let policy = Policy { arm: 2, stage: 0, squash: Squash::CLIP };
/// let report = device.answer(&policy, 0.7)?;
/// assert_eq!(report.arm, 2);
/// assert!(device.answer(&policy, 0.7).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Device<G: Generator = NoiseRng> {
    curator: Curator,
    ledger: Ledger,
    noise: G,
}

/// Why nothing was sent. No message contains the reward.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The policy names an arm that the experiment does not have.
    #[error("the policy names arm {arm}, but the experiment has arms 0 to {last}; nothing was sent", last = arms - 1)]
    UnknownArm {
        /// The arm named.
        arm: u32,
        /// How many arms there are.
        arms: u32,
    },
    /// The reward is no number that could be privatised.
    #[error("the reward: {0}")]
    Reward(#[from] NotFinite),
    /// The experiment would have the device send the raw reward.
    #[error("the experiment's channel is open: it would send raw rewards; a person's device refuses it")]
    NotPrivate,
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
    /// A device whose noise comes from the operating system's entropy, with a fresh lifetime budget. An experiment with the open
    /// channel is refused: it would send raw rewards, and only simulations may.
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
        Device { curator: Curator::new(spec), ledger: Ledger::new(lifetime), noise }
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
        if spec.channel() == Channel::Open && G::PROVENANCE == Provenance::SystemEntropy {
            return Err(DeviceError::NotPrivate);
        }
        Ok(Device { curator: Curator::new(spec), ledger, noise })
    }

    /// Pays for one report, then privatises the reward. If anything is wrong, nothing is sent; if the reward or the policy
    /// is wrong, nothing is paid either.
    #[inline]
    pub fn answer(&mut self, policy: &Policy, reward: f64) -> Result<Report, DeviceError> {
        let clipped = self.curator.clip(policy, reward)?;
        self.report(policy, clipped)
    }

    /// Answers for a person whose reward is missing or no number, as if it were in the middle: pays and reports like any other. Use it
    /// where whether there is a reward says something about the person, because silence would say it.
    pub fn answer_missing(&mut self, policy: &Policy) -> Result<Report, DeviceError> {
        let clipped = self.curator.middle(policy)?;
        self.report(policy, clipped)
    }

    #[inline]
    fn report(&mut self, policy: &Policy, clipped: UnitGrid) -> Result<Report, DeviceError> {
        let receipt = self.curator.epsilon().map(|epsilon| self.ledger.charge(epsilon)).transpose()?;
        let response = self.curator.respond(clipped, receipt, &mut self.noise);
        Ok(Report { arm: policy.arm, stage: policy.stage, response })
    }

    /// Draws the noise of the next answer now, if the channel is one whose noise takes time that tells about it. Call it while idle, and
    /// nobody who times the next answer learns anything. Without it, the noise is drawn when the answer is made.
    pub fn prepare(&mut self) {
        self.curator.prepare(&mut self.noise);
    }

    /// The person's budget.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What each report promises.
    pub fn guarantee(&self) -> Guarantee {
        self.curator.channel().guarantee()
    }

    /// Where this device's noise comes from.
    pub fn provenance(&self) -> Provenance {
        G::PROVENANCE
    }
}
