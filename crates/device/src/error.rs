//! Why nothing was sent.

use reticent_privacy::{EntropyError, Exhausted};
use reticent_protocol::{DecodeError, contextual, mab};
use reticent_schema::{ContextError, Digest};
use reticent_store::LedgerError;

/// Why nothing was sent. Depends on public things and on the budget, never on a context, an arm that depends
/// on one, a price, a reward or an outcome: what is missing or out of range counts as a declared value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The number of values is another than the experiment's.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The policy cannot be followed.
    #[error(transparent)]
    Bandit(#[from] mab::PolicyError),
    /// The policy cannot be followed.
    #[error(transparent)]
    Contextual(#[from] contextual::PolicyError),
    /// A source's plan for a person of the target, or the reverse; or a plan or choice of another experiment.
    #[error("the plan is not the one that this person follows; nothing was sent")]
    OtherPlan,
    /// Nobody has looked at the experiment.
    #[error("experiment {0} is not among those that this device's owner has vetted; nothing was sent")]
    NotVetted(Digest),
    /// A receipt for another loss than the answer's.
    #[error("the receipt is for another loss than this answer's; nothing was sent")]
    OtherReceipt,
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
