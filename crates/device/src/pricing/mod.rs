//! The side that holds raw sales records: a person's own device, or the clerk of a log's owner who privatises
//! it row by row.
//!
//! The proof is in `crates/learn/src/pricing/guarantee.md`.

mod privatiser;
#[cfg(test)]
mod tests;

use reticent_privacy::{Generator, NoiseRng};
use reticent_protocol::Report;
use reticent_schema::Value;

use crate::DeviceError;
pub use privatiser::{Privatiser, Record};

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
/// let record = device.record(&[0.3.into()], 9.99)?;
/// let report = device.answer(record, 1.0)?;
/// assert!(spec.received(&report).is_ok());
/// let next = device.record(&[0.3.into()], 9.99)?;
/// assert!(device.answer(next, 1.0).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Device<G = NoiseRng> = crate::Device<Privatiser, G>;

/// The same with its budget in a file.
pub type DurableDevice = crate::DurableDevice<Privatiser>;

impl<G: Generator> Device<G> {
    /// The context and price of a sale; they stay here. What lies outside the declared ranges is clipped, and
    /// what is missing counts as the middle.
    pub fn record(&self, context: &[Value], price: f64) -> Result<Record, DeviceError> {
        self.problem.record(context, price)
    }

    /// The same for a context of numbers alone, without allocating.
    #[inline]
    pub fn record_numbers(&self, context: &[f64], price: f64) -> Result<Record, DeviceError> {
        self.problem.record_numbers(context, price)
    }

    /// The same for a row of a table, where a level is its place, counted from 0, plus one half.
    #[inline]
    pub fn record_placed(&self, context: &[f64], price: f64) -> Result<Record, DeviceError> {
        self.problem.record_placed(context, price)
    }

    /// Pays for one report, then privatises the sale. An outcome that is no number counts as missing.
    #[inline]
    pub fn answer(&mut self, record: Record, outcome: f64) -> Result<Report, DeviceError> {
        let record = self.problem.with_outcome(record, outcome);
        self.send(record)
    }

    /// The same for a sale of which nobody knows what came: as if the outcome were in the middle.
    pub fn answer_missing(&mut self, record: Record) -> Result<Report, DeviceError> {
        self.answer(record, f64::NAN)
    }
}

impl DurableDevice {
    /// The context and price of a sale; they stay here.
    pub fn record(&self, context: &[Value], price: f64) -> Result<Record, DeviceError> {
        self.problem.record(context, price)
    }

    /// Pays on the disk, privatises, stores the report, and returns it; or returns the report stored for this
    /// request.
    pub fn answer(&mut self, request: &str, record: Record, outcome: f64) -> Result<Report, DeviceError> {
        let record = self.problem.with_outcome(record, outcome);
        self.send(request, record)
    }

    /// The same for a sale of which nobody knows what came.
    pub fn answer_missing(&mut self, request: &str, record: Record) -> Result<Report, DeviceError> {
        self.answer(request, record, f64::NAN)
    }
}
