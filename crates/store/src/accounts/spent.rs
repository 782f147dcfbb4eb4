//! Losses in words, and beside a limit.

use reticent_privacy::{Delta, Epsilon, Loss};
use serde::Serialize;

/// What an account may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// The loss.
    pub epsilon: Epsilon,
    /// Its failure probability.
    pub delta: Delta,
}

impl Limit {
    /// Whether a loss stays within.
    pub fn covers(self, loss: Loss) -> bool {
        as_pair(loss, self.delta)
            .is_some_and(|(epsilon, delta)| epsilon <= self.epsilon && delta <= self.delta)
    }

    /// The stricter of both, in each part.
    pub(super) fn and(self, other: Limit) -> Limit {
        Limit { epsilon: self.epsilon.min(other.epsilon), delta: self.delta.min(other.delta) }
    }
}

/// A loss as (epsilon, delta), at the limit's own delta where there is a choice.
pub(crate) fn as_pair(loss: Loss, limit: Delta) -> Option<(Epsilon, Delta)> {
    match loss {
        Loss::Pure { epsilon } => Some((epsilon, Delta::ZERO)),
        Loss::Approximate { epsilon, delta } => Some((epsilon, delta)),
        Loss::Concentrated { rho } => Some((rho.to_epsilon(limit)?, limit)),
        Loss::Unbounded => None,
    }
}

/// `epsilon 1 and delta 0.000001`, or `nothing`.
pub fn loss_words(loss: Option<Loss>) -> String {
    match loss {
        None => "nothing".into(),
        Some(Loss::Pure { epsilon }) => format!("epsilon {epsilon}"),
        Some(Loss::Approximate { epsilon, delta }) => format!("epsilon {epsilon} and delta {delta}"),
        Some(Loss::Concentrated { rho }) => format!("rho {} (zero-concentrated)", rho.value()),
        Some(Loss::Unbounded) => "more than any bound".into(),
    }
}
