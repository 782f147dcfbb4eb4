//! A device that tells of one sale, privately (Algorithm 1).
//!
//! The proof is in `crates/learn/src/nw_lcb/guarantee.md`.

#[cfg(test)]
mod tests;

use reticent_privacy::mechanism::{LaplaceResponse, Mechanism};
use reticent_privacy::{
    Charge, EntropyError, Epsilon, Exhausted, Generator, Guarantee, Ledger, NoiseRng, NotFinite, Provenance,
    SimRng, UnitGrid,
};
use reticent_protocol::nw_lcb::{Report, Spec};

use crate::Shared;

/// One person's device: it sees context, price and reward, pays for a report from the person's lifetime budget, and sends the
/// report alone.
///
/// ```
/// use reticent_device::nw_lcb::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::nw_lcb::Spec;
///
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(1, 3, epsilon)?;
/// let mut device = Device::new(&spec, epsilon)?;
/// let report = device.report(&[0.2], 0.9, 0.7)?;
/// assert_eq!(report.values.len(), 2 * 9);
/// assert!(device.report(&[0.2], 0.9, 0.7).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Device<G: Generator = NoiseRng> {
    spec: Spec,
    mechanism: LaplaceResponse,
    ledger: Ledger,
    noise: G,
}

/// Why nothing was sent. No message contains the context, the price or the reward.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The context has another number of coordinates.
    #[error("the context must have {0} coordinates; nothing was sent")]
    WrongContext(u32),
    /// A coordinate of the context, the price or the reward is no number.
    #[error("the context, the price or the reward: {0}")]
    NotFinite(#[from] NotFinite),
    /// The person's budget does not cover another report.
    #[error(transparent)]
    Budget(#[from] Exhausted),
    /// No entropy, no noise.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

impl Device<NoiseRng> {
    /// A device whose noise comes from the operating system's entropy, with a fresh lifetime budget.
    pub fn new(spec: &Spec, lifetime: Epsilon) -> Result<Self, DeviceError> {
        Self::with_ledger(spec, Ledger::new(lifetime))
    }

    /// A device whose person has a budget already, possibly partly spent.
    pub fn with_ledger(spec: &Spec, ledger: Ledger) -> Result<Self, DeviceError> {
        Ok(Self::with_noise(spec, ledger, NoiseRng::from_os()?))
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
    /// A device that shares a generator with others, as one process that serves many people does.
    pub fn with_noise(spec: &Spec, ledger: Ledger, noise: G) -> Self {
        let mechanism = LaplaceResponse::new(spec.value_epsilon());
        Device { spec: spec.clone(), mechanism, ledger, noise }
    }

    /// Pays for one report, then privatises the record (Algorithm 1). Context, price and reward are clipped to [0, 1]. What is no
    /// number is refused; then nothing is sent and nothing is paid.
    pub fn report(&mut self, context: &[f64], price: f64, reward: f64) -> Result<Report, DeviceError> {
        let cell = self.cell(context, price)?;
        let reward = UnitGrid::clip(reward)?;
        let (zero, one) = (UnitGrid::clip(0.0)?, UnitGrid::clip(1.0)?);
        let receipt = self.ledger.charge(self.spec.epsilon())?;
        Ok(self.privatised(cell, [one, reward], zero, receipt))
    }

    /// W and Z of every cell, each with its own noise; all are zero but for those of the person's own cell. One report for one
    /// receipt, which it uses up.
    fn privatised(&mut self, own: usize, record: [UnitGrid; 2], zero: UnitGrid, receipt: Charge) -> Report {
        let mut values = Vec::with_capacity(2 * self.spec.cells());
        for cell in 0..self.spec.cells() {
            let pair = if cell == own { record } else { [zero; 2] };
            values.extend(pair.map(|value| self.mechanism.release_with(value, &mut self.noise)));
        }
        drop(receipt);
        Report { values }
    }

    fn cell(&self, context: &[f64], price: f64) -> Result<usize, DeviceError> {
        if context.len() != self.spec.dims() as usize {
            return Err(DeviceError::WrongContext(self.spec.dims()));
        }
        let clipped: Vec<f64> = context.iter().map(|x| x.clamp(0.0, 1.0)).collect();
        if !context.iter().chain([&price]).all(|x| x.is_finite()) {
            return Err(NotFinite.into());
        }
        // A clipped number is inside the cube.
        self.spec.cell(&clipped, price.clamp(0.0, 1.0)).ok_or(DeviceError::NotFinite(NotFinite))
    }

    /// The person's budget.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What each report promises.
    pub fn guarantee(&self) -> Guarantee {
        self.spec.guarantee()
    }

    /// Where this device's noise comes from.
    pub fn provenance(&self) -> Provenance {
        G::PROVENANCE
    }
}
