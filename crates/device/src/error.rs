//! Why nothing was sent.

use reticent_privacy::{EntropyError, Exhausted, NotFinite};
use reticent_protocol::DecodeError;
use reticent_protocol::contextual::PolicyError;
use reticent_schema::ContextError;
use reticent_store::LedgerError;

/// Why nothing was sent. No message contains a context, an arm that depends on one, a price, a reward or an outcome.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The policy names an arm that the experiment does not have.
    #[error("the policy names arm {arm}, but the experiment has arms 0 to {last}; nothing was sent", last = arms - 1)]
    UnknownArm {
        /// The arm named.
        arm: u32,
        /// How many arms there are.
        arms: u32,
    },
    /// An arm of a record that the experiment does not have.
    #[error("the record's arm is not one of the experiment's {arms}; nothing was sent")]
    RecordArm {
        /// How many arms there are.
        arms: u32,
    },
    /// The context cannot be encoded.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The policy cannot be followed.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A source's plan for a person of the target, or the reverse; or a choice made under another policy.
    #[error("the plan is not the one that this person follows; nothing was sent")]
    OtherPlan,
    /// The reward is no number that could be privatised.
    #[error("the reward: {0}")]
    Reward(NotFinite),
    /// The price is no number.
    #[error("the price is not a finite number; nothing was sent")]
    Price,
    /// The outcome is no number that could be privatised.
    #[error("the outcome: {0}")]
    Outcome(NotFinite),
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
