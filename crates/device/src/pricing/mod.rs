//! The side that holds raw sales records: a person's own device, or the clerk of a log's owner who privatises
//! it row by row.
//!
//! The proof is in `crates/learn/src/pricing/guarantee.md`.

mod privatiser;
#[cfg(test)]
mod tests;

use reticent_privacy::{Generator, NoiseRng};
use reticent_protocol::pricing::Report;
use reticent_schema::Value;

use crate::DeviceError;
pub use privatiser::Privatiser;

/// One person's device: it sees context, price and outcome of a sale, pays for a report from the person's
/// lifetime budget, and sends one randomised symbol.
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
pub type Device<G = NoiseRng> = crate::Device<Privatiser, G>;

impl<G: Generator> Device<G> {
    /// Pays for one report, then privatises the sale: what lies outside the declared ranges is clipped first.
    /// If anything is wrong, nothing is sent, and nothing paid.
    pub fn report(&mut self, context: &[Value], price: f64, outcome: f64) -> Result<Report, DeviceError> {
        let record = self.problem.record(context, price, outcome)?;
        let receipt = self.ledger.charge(self.problem.epsilon())?;
        Ok(self.problem.report(&record, receipt, &mut self.noise))
    }

    /// The same for a context of numbers alone, without allocating.
    #[inline]
    pub fn report_numbers(
        &mut self,
        context: &[f64],
        price: f64,
        outcome: f64,
    ) -> Result<Report, DeviceError> {
        let record = self.problem.record_of_numbers(context, price, outcome)?;
        let receipt = self.ledger.charge(self.problem.epsilon())?;
        Ok(self.problem.report(&record, receipt, &mut self.noise))
    }
}
