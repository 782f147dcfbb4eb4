//! Audits: a lower bound on what a mechanism really leaks, to hold against what it claims.
//!
//! A finite mechanism is audited from its probabilities, in integers ([`FiniteMechanism`]). Any other is run
//! many times, by an attacker who looks for whatever tells two inputs apart ([`Audit`]); proofs of what
//! either says are in `guarantee.md` beside this file. Here is a randomised response that somebody wrote by
//! hand, and the audit in their test:
//!
//! ```
//! use rand_core::Rng;
//! use reticent_audit::{Audit, Claim};
//! use reticent_privacy::{Epsilon, Generator};
//!
//! /// Tells the truth in three of four cases: ln 3, which is 1.0986.
//! fn answer<G: Generator>(truth: bool, rng: &mut G) -> bool {
//!     if rng.next_u32() % 4 == 0 { !truth } else { truth }
//! }
//!
//! let finding = Audit::new("my answer", Claim::pure(Epsilon::new(1.0987)?))
//!     .samples(100_000)
//!     .neighbours([false, true])
//!     .run(|&truth, rng| answer(truth, rng))?;
//! assert!(finding.passes(), "{finding}");
//!
//! // The mistake: asked three times, it answers three times.
//! let finding = Audit::new("my answers", Claim::pure(Epsilon::new(1.0987)?))
//!     .neighbours([false, true])
//!     .run(|&truth, rng| [answer(truth, rng), answer(truth, rng), answer(truth, rng)])?;
//! assert!(!finding.passes() && finding.measured > 2.0, "{finding}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod claim;
mod error;
mod exact;
mod finding;
mod sampling;
#[cfg(test)]
mod testing;

pub use claim::Claim;
pub use error::AuditError;
pub use exact::{ExactLoss, FiniteMechanism, Standing};
pub use finding::{Finding, Method, Samples, Verdict};
pub use num_bigint::BigUint;
pub use reticent_privacy::mechanism::Weight;
pub use sampling::{Audit, Observation, Seen};

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
