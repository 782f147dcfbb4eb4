//! What devices of all problems have: a way from a record to a report, a lifetime budget, and noise.

use reticent_privacy::{Epsilon, Generator, Guarantee, Ledger, NoiseRng, Paid, Provenance, SimRng};
use reticent_protocol::Report;
use reticent_schema::Digest;

use crate::DeviceError;

/// How one problem's records become reports, with constants computed once.
pub trait Problem: Sized {
    /// The experiment that all parties agreed on.
    type Spec;
    /// What happened, checked and clipped, ready to be privatised. It shows nothing and is used up.
    type Record;

    /// For the devices of this experiment.
    fn new(spec: &Self::Spec) -> Self;

    /// The experiment.
    fn experiment(&self) -> Digest;

    /// What a report promises, given good noise.
    fn guarantee(&self) -> Guarantee;

    /// The policy under which the record's question was asked.
    fn policy(record: &Self::Record) -> u64;

    /// What the report of a record costs.
    fn cost(&self, record: &Self::Record) -> Epsilon;

    /// One draw for one receipt, which it uses up: the only way from a record to a report. A receipt of
    /// another loss is refused.
    fn report<G: Generator>(
        &self,
        record: Self::Record,
        receipt: Paid,
        noise: &mut G,
    ) -> Result<Report, DeviceError>;
}

/// Whether a receipt is for this loss.
#[inline]
#[allow(clippy::needless_pass_by_value, reason = "a receipt is used up")]
pub(crate) fn ensure_paid(receipt: Paid, cost: Epsilon) -> Result<(), DeviceError> {
    if receipt.epsilon() == cost { Ok(()) } else { Err(DeviceError::OtherReceipt) }
}

/// One person's device. [`mab::Device`](crate::mab::Device), [`contextual::Device`](crate::contextual::Device) and
/// [`pricing::Device`](crate::pricing::Device) say what each problem asks of it.
#[derive(Debug)]
pub struct Device<P, G: Generator = NoiseRng> {
    pub(crate) problem: P,
    pub(crate) ledger: Ledger,
    pub(crate) noise: G,
}

/// A simulation's generator, or one that devices share: it serves one person after another.
pub trait Shared: Generator {}
impl Shared for SimRng {}
impl<G: Generator> Shared for &mut G {}

impl<P: Problem> Device<P, NoiseRng> {
    /// A device whose noise comes from the operating system's entropy, with a fresh lifetime budget.
    pub fn new(spec: &P::Spec, lifetime: Epsilon) -> Result<Self, DeviceError> {
        Self::with_ledger(spec, Ledger::new(lifetime))
    }

    /// A device whose person has a budget already, possibly partly spent.
    pub fn with_ledger(spec: &P::Spec, ledger: Ledger) -> Result<Self, DeviceError> {
        Ok(Self::with_noise(spec, ledger, NoiseRng::from_os()?))
    }
}

impl<P: Problem> Device<P, SimRng> {
    /// A device for simulation: seeded noise, hence not private.
    pub fn simulated(spec: &P::Spec, lifetime: Epsilon, noise: SimRng) -> Self {
        Self::with_noise(spec, Ledger::new(lifetime), noise)
    }

    /// The noise generator, for the stored form of an interrupted simulation.
    pub fn noise(&self) -> &SimRng {
        &self.noise
    }
}

impl<P: Problem, G: Shared> Device<P, G> {
    /// The next person, with a lifetime budget of their own; the noise goes on.
    #[inline]
    pub fn next_person(&mut self, lifetime: Epsilon) {
        self.ledger = Ledger::new(lifetime);
    }
}

impl<P: Problem, G: Generator> Device<P, G> {
    /// A device that shares a generator with others, as one process that serves many people does.
    pub fn with_noise(spec: &P::Spec, ledger: Ledger, noise: G) -> Self {
        Device { problem: P::new(spec), ledger, noise }
    }

    /// The person's budget.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The budget with what is left of it, for the person's next device.
    pub fn into_ledger(self) -> Ledger {
        self.ledger
    }

    /// What each report promises: nothing, if its noise came from a seed.
    pub fn guarantee(&self) -> Guarantee {
        self.problem.guarantee().made_with(G::PROVENANCE)
    }

    /// Where this device's noise comes from.
    pub fn provenance(&self) -> Provenance {
        G::PROVENANCE
    }

    /// Pays for one report, then draws it.
    #[inline]
    pub(crate) fn send(&mut self, record: P::Record) -> Result<Report, DeviceError> {
        let receipt = self.ledger.charge(self.problem.cost(&record))?;
        self.problem.report(record, receipt, &mut self.noise)
    }
}
