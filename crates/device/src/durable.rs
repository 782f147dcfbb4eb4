//! A device whose budget and answers survive a crash.

use reticent_privacy::{Charge, Epsilon, Guarantee, NoiseRng};
use reticent_store::DurableLedger;

use crate::{DeviceError, Problem};

/// One person's device with its budget in a file: a request that is made again, also after a restart, gets
/// the report that was made for it first, and costs nothing.
#[derive(Debug)]
pub struct DurableDevice<P> {
    pub(crate) problem: P,
    ledger: DurableLedger,
    pub(crate) noise: NoiseRng,
}

impl<P: Problem> DurableDevice<P> {
    /// A device for this experiment.
    pub fn new(spec: &P::Spec, ledger: DurableLedger) -> Result<Self, DeviceError> {
        Ok(DurableDevice { problem: P::new(spec), ledger, noise: NoiseRng::from_os()? })
    }

    /// The person's budget.
    pub fn ledger(&self) -> &DurableLedger {
        &self.ledger
    }

    /// What each report promises.
    pub fn guarantee(&self) -> Guarantee {
        self.problem.guarantee()
    }

    /// The bytes stored for this request, if it was answered before.
    pub(crate) fn stored(&self, request: &str) -> Option<&[u8]> {
        self.ledger.stored(request)
    }

    /// Pays on the disk, draws a report's bytes, stores them, and returns them.
    pub(crate) fn pay_and_store(
        &mut self,
        request: &str,
        epsilon: Epsilon,
        draw: impl FnOnce(&P, Charge, &mut NoiseRng) -> Vec<u8>,
    ) -> Result<Vec<u8>, DeviceError> {
        let (problem, noise) = (&self.problem, &mut self.noise);
        Ok(self.ledger.answer(request, epsilon, |receipt| Ok(draw(problem, receipt, noise)))?)
    }
}
