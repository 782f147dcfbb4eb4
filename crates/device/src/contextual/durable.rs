//! A device whose budget and answers survive a crash.

use reticent_privacy::NoiseRng;
use reticent_protocol::contextual::{Plan, Report, Spec};
use reticent_schema::Value;
use reticent_store::DurableLedger;

use super::{Choice, Context, Curator, DeviceError};

/// One person's device with its budget in a file: a request that is made again, also after a restart, gets the report that was
/// made for it first, and costs nothing.
#[derive(Debug)]
pub struct DurableDevice {
    curator: Curator,
    ledger: DurableLedger,
    noise: NoiseRng,
}

impl DurableDevice {
    /// A device for this experiment.
    pub fn new(spec: &Spec, ledger: DurableLedger) -> Result<DurableDevice, DeviceError> {
        Ok(DurableDevice { curator: Curator::new(spec), ledger, noise: NoiseRng::from_os()? })
    }

    /// The person's context as a cell of the grid; it stays here.
    pub fn encode(&self, context: &[Value]) -> Result<Context, DeviceError> {
        self.curator.encode(context)
    }

    /// The arm for this person.
    pub fn choose(&mut self, plan: &Plan, context: &Context) -> Result<Choice, DeviceError> {
        self.curator.choose(plan, *context, &mut self.noise)
    }

    /// Pays on the disk, privatises, stores the report, and returns it; or returns the report stored for `request`.
    pub fn answer(
        &mut self,
        request: &str,
        plan: &Plan,
        choice: Choice,
        reward: f64,
    ) -> Result<Report, DeviceError> {
        if let Some(bytes) = self.ledger.stored(request) {
            return Ok(Report::decode(bytes)?);
        }
        let record = self.curator.record(plan, choice, reward)?;
        let noise = &mut self.noise;
        let bytes = self.ledger.answer(request, plan.epsilon(), |receipt| {
            Ok(Curator::report(plan, record, receipt, noise).encode())
        })?;
        Ok(Report::decode(&bytes)?)
    }

    /// The person's budget.
    pub fn ledger(&self) -> &DurableLedger {
        &self.ledger
    }
}
