//! The side that holds raw sales records: a person's own device, or the clerk of a log's owner who privatises it row by row.
//!
//! The proof is in `crates/learn/src/pricing/guarantee.md`.

mod privatiser;
#[cfg(test)]
mod tests;

use reticent_privacy::{
    EntropyError, Epsilon, Exhausted, Generator, Guarantee, Ledger, NoiseRng, NotFinite, Provenance, SimRng,
};
use reticent_protocol::pricing::{Report, Spec};
use reticent_schema::{ContextError, Value};

use crate::Shared;
use privatiser::Privatiser;

/// One person's device: it sees context, price and outcome of a sale, pays for a report from the person's lifetime budget, and sends one
/// randomised symbol.
///
/// ```
/// use reticent_device::pricing::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_schema::{Encoding, Range};
/// use reticent_protocol::pricing::{Prices, Spec, Terms};
///
/// let epsilon = Epsilon::new(1.0)?;
/// let sold = Range::UNIT;
/// let terms = Terms::new(Encoding::unit(1)?, Prices::range(0.0, 20.0)?, sold)?;
/// let spec = Spec::designed(terms, epsilon, 100_000)?;
/// let mut device = Device::new(&spec, epsilon)?;
/// let report = device.report(&[0.3.into()], 9.99, 1.0)?;
/// assert!(spec.code(report)? < spec.codes());
/// assert!(device.report(&[0.3.into()], 9.99, 1.0).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Device<G: Generator = NoiseRng> {
    privatiser: Privatiser,
    ledger: Ledger,
    noise: G,
}

/// Why nothing was sent. No message contains a context, a price or an outcome.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The context cannot be encoded.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The price is no number.
    #[error("the price is not a finite number; nothing was sent")]
    Price,
    /// The outcome is no number that could be privatised.
    #[error("the outcome: {0}")]
    Outcome(#[from] NotFinite),
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
        Ok(Self::with_noise(spec, Ledger::new(lifetime), NoiseRng::from_os()?))
    }
}

impl Device<SimRng> {
    /// A device for simulation: seeded noise, hence not private.
    pub fn simulated(spec: &Spec, lifetime: Epsilon, noise: SimRng) -> Self {
        Self::with_noise(spec, Ledger::new(lifetime), noise)
    }
}

impl<G: Shared> Device<G> {
    /// The next person, with a lifetime budget of their own; the noise goes on. This is how the owner of a log privatises it: each row is a person.
    #[inline]
    pub fn next_person(&mut self, lifetime: Epsilon) {
        self.ledger = Ledger::new(lifetime);
    }
}

impl<G: Generator> Device<G> {
    /// A device whose person has a budget already, or that shares a generator with others.
    pub fn with_noise(spec: &Spec, ledger: Ledger, noise: G) -> Self {
        Device { privatiser: Privatiser::new(spec), ledger, noise }
    }

    /// Pays for one report, then privatises the sale: what lies outside the declared ranges is clipped first. If anything is wrong, nothing is sent, and
    /// nothing paid.
    pub fn report(&mut self, context: &[Value], price: f64, outcome: f64) -> Result<Report, DeviceError> {
        let record = self.privatiser.record(context, price, outcome)?;
        let receipt = self.ledger.charge(self.privatiser.epsilon())?;
        Ok(self.privatiser.report(&record, receipt, &mut self.noise))
    }

    /// The same for a context of numbers alone, without allocating.
    #[inline]
    pub fn report_numbers(
        &mut self,
        context: &[f64],
        price: f64,
        outcome: f64,
    ) -> Result<Report, DeviceError> {
        let record = self.privatiser.record_of_numbers(context, price, outcome)?;
        let receipt = self.ledger.charge(self.privatiser.epsilon())?;
        Ok(self.privatiser.report(&record, receipt, &mut self.noise))
    }

    /// The person's budget.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What a report promises.
    pub fn guarantee(&self) -> Guarantee {
        self.privatiser.guarantee()
    }

    /// Where this device's noise comes from.
    pub fn provenance(&self) -> Provenance {
        G::PROVENANCE
    }
}
