//! Audits: a lower bound on what a mechanism really leaks, to hold against what it claims.
//!
//! A finite mechanism is audited from its probabilities, in integers ([`FiniteMechanism`]).

mod claim;
mod error;
mod exact;
mod finding;

pub use claim::Claim;
pub use error::AuditError;
pub use exact::{ExactLoss, FiniteMechanism, Standing, Weight};
pub use finding::{Finding, Method, Samples, Verdict};

/// Pairs that name two different inputs each.
fn checked_pairs(
    pairs: impl IntoIterator<Item = (usize, usize)>,
    inputs: usize,
) -> Result<Vec<(usize, usize)>, AuditError> {
    let pairs: Vec<_> = pairs.into_iter().collect();
    match pairs.iter().find(|&&(a, b)| a == b || a.max(b) >= inputs) {
        Some(&(a, b)) => Err(AuditError::BadPair(a, b, inputs)),
        None if pairs.is_empty() => Err(AuditError::NoPairs),
        None => Ok(pairs),
    }
}
