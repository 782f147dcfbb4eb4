//! One person's lifetime budget. Reports compose: their losses add up, whatever the order (basic composition).

use serde::{Deserialize, Serialize};

use crate::Epsilon;

/// How much privacy one person may still spend, in whole micro-epsilon.
///
/// Integers cannot drift: a million charges of 0.000001 spend exactly 1. A charge is rounded up, never down.
///
/// ```
/// use reticent_privacy::{Epsilon, Ledger};
/// let mut ledger = Ledger::new(Epsilon::new(1.0)?);
/// let half = Epsilon::new(0.5)?;
/// assert!(ledger.charge(half).is_ok());
/// assert!(ledger.charge(half).is_ok());
/// assert!(ledger.charge(half).is_err());
/// # Ok::<(), reticent_privacy::LossError>(())
/// ```
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Entries")]
pub struct Ledger {
    limit_micro: u64,
    spent_micro: u64,
}

/// Proof that a loss was charged. Made only by [`Ledger::charge`] and used up by the answer it pays for.
#[derive(Debug)]
#[must_use = "the loss is charged: answer with it"]
pub struct Charge {
    epsilon: Epsilon,
}

/// The budget does not cover the charge. Nothing was spent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the lifetime privacy budget is used up: {asked_micro} micro-epsilon asked, {left_micro} left; nothing was sent"
)]
pub struct Exhausted {
    /// What the charge would have cost.
    pub asked_micro: u64,
    /// What is left.
    pub left_micro: u64,
}

impl Ledger {
    /// A fresh budget. The limit rounds down to whole micro-epsilon, since it is a ceiling and not a loss.
    pub fn new(limit: Epsilon) -> Ledger {
        Ledger { limit_micro: limit.nano() / 1000, spent_micro: 0 }
    }

    /// Charges `epsilon`, or refuses and leaves everything as it was.
    #[inline]
    pub fn charge(&mut self, epsilon: Epsilon) -> Result<Charge, Exhausted> {
        let asked_micro = epsilon.micro_ceil();
        let left_micro = self.left_micro();
        if asked_micro > left_micro {
            return Err(Exhausted { asked_micro, left_micro });
        }
        self.spent_micro += asked_micro;
        Ok(Charge { epsilon })
    }

    /// What is left, in micro-epsilon.
    #[inline]
    pub fn left_micro(&self) -> u64 {
        self.limit_micro - self.spent_micro
    }

    /// What was spent, in micro-epsilon.
    pub fn spent_micro(&self) -> u64 {
        self.spent_micro
    }
}

impl Charge {
    /// The loss that was paid for.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }
}

/// The stored form; reading it goes through the same check as spending.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    limit_micro: u64,
    spent_micro: u64,
}

impl TryFrom<Entries> for Ledger {
    type Error = &'static str;
    fn try_from(entries: Entries) -> Result<Ledger, Self::Error> {
        if entries.spent_micro > entries.limit_micro {
            return Err("the ledger shows more spent than its limit");
        }
        Ok(Ledger { limit_micro: entries.limit_micro, spent_micro: entries.spent_micro })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_refused_charge_changes_nothing() {
        let mut ledger = Ledger::new(Epsilon::new(1.0).unwrap());
        let before = ledger.left_micro();
        assert_eq!(
            ledger.charge(Epsilon::new(1.5).unwrap()).unwrap_err(),
            Exhausted { asked_micro: 1_500_000, left_micro: 1_000_000 }
        );
        assert_eq!(ledger.left_micro(), before);
    }

    #[test]
    fn a_nano_costs_a_micro() {
        let mut ledger = Ledger::new(Epsilon::from_nano(2_999).unwrap());
        assert_eq!(ledger.left_micro(), 2);
        assert!(ledger.charge(Epsilon::from_nano(1).unwrap()).is_ok());
        assert_eq!(ledger.left_micro(), 1);
        assert!(ledger.charge(Epsilon::from_nano(1_001).unwrap()).is_err());
    }

    #[test]
    fn an_overdrawn_file_is_refused() {
        assert!(serde_json::from_str::<Ledger>(r#"{"limit_micro":5,"spent_micro":6}"#).is_err());
        assert!(serde_json::from_str::<Ledger>(r#"{"limit_micro":5,"spent_micro":-1}"#).is_err());
        let ledger: Ledger = serde_json::from_str(r#"{"limit_micro":5,"spent_micro":4}"#).unwrap();
        assert_eq!(ledger.left_micro(), 1);
    }

    proptest! {
        #[test]
        fn the_granted_losses_never_exceed_the_limit(
            limit in 1_u64..10_000_000_000,
            charges in prop::collection::vec(1_u64..2_000_000_000, 0..60),
        ) {
            let mut ledger = Ledger::new(Epsilon::from_nano(limit).unwrap());
            let mut granted = 0;
            for nano in charges {
                granted += ledger.charge(Epsilon::from_nano(nano).unwrap()).map_or(0, |c| c.epsilon().nano());
            }
            prop_assert!(granted <= limit);
            prop_assert!(granted <= ledger.spent_micro() * 1000);
        }
    }
}
