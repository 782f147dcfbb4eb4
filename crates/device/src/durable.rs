//! A device whose budget and answers survive a crash.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reticent_privacy::{Guarantee, NoiseRng, Provenance};
use reticent_protocol::Report;
use reticent_store::DurableLedger;

use crate::{DeviceError, Problem};

/// One person's lifetime budget in a file, shared by their devices for several experiments.
#[derive(Debug, Clone)]
pub struct Wallet(Arc<Mutex<DurableLedger>>);

impl Wallet {
    /// Of this ledger.
    pub fn new(ledger: DurableLedger) -> Wallet {
        Wallet(Arc::new(Mutex::new(ledger)))
    }

    /// The ledger, for as long as the guard lives.
    pub fn ledger(&self) -> MutexGuard<'_, DurableLedger> {
        // A draw that panicked left its charge spent: the ledger itself is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<DurableLedger> for Wallet {
    fn from(ledger: DurableLedger) -> Wallet {
        Wallet::new(ledger)
    }
}

/// One person's device with its budget in a file: a request that is made again, also after a restart, gets
/// the report that was made for it first, and costs nothing. A request is one of this experiment and this
/// policy: another one's answer is never given for it.
#[derive(Debug)]
pub struct DurableDevice<P> {
    pub(crate) problem: P,
    wallet: Wallet,
    pub(crate) noise: NoiseRng,
}

impl<P: Problem> DurableDevice<P> {
    /// A device for this experiment; devices of other experiments may share the wallet.
    pub fn new(spec: &P::Spec, wallet: impl Into<Wallet>) -> Result<Self, DeviceError> {
        Ok(DurableDevice { problem: P::new(spec), wallet: wallet.into(), noise: NoiseRng::from_os()? })
    }

    /// The person's budget.
    pub fn wallet(&self) -> &Wallet {
        &self.wallet
    }

    /// What each report promises.
    pub fn guarantee(&self) -> Guarantee {
        self.problem.guarantee().made_with(Provenance::SystemEntropy)
    }

    /// Pays on the disk, draws the report, stores it, and returns it; or returns the report that was stored
    /// for exactly this request.
    pub(crate) fn send(&mut self, request: &str, record: P::Record) -> Result<Report, DeviceError> {
        let key = self.key(P::policy(&record), "report", request);
        let DurableDevice { problem, wallet, noise } = self;
        let cost = problem.cost(&record);
        let bytes = wallet
            .ledger()
            .answer(&key, cost, |receipt| Ok(problem.report(record, receipt, noise)?.encode()))?;
        Ok(Report::decode(&bytes)?)
    }

    /// What a request is called in the ledger: two experiments, policies or purposes never share a name.
    pub(crate) fn key(&self, policy: u64, purpose: &str, request: &str) -> String {
        format!("{}/{policy}/{purpose}/{request}", self.problem.experiment())
    }
}
