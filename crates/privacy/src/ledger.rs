//! One person's lifetime budget. Reports compose: their losses add up, whatever the order (basic composition).

use serde::{Deserialize, Serialize};

use crate::{Epsilon, loss};

/// How much privacy one person may still spend, in whole nano-epsilon, as exact as [`Epsilon`] itself.
///
/// Integers cannot drift: a million charges of 0.000001 spend exactly 1, and a limit is enough for a charge
/// equal to it.
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
    limit_nano: u64,
    spent_nano: u64,
}

/// Proof that a loss was charged. Made only by [`Ledger::charge`] and used up by the answer it pays for. It
/// has no clone, which would pay for a second answer.
///
/// ```compile_fail
/// fn twice<T: Clone>() {}
/// twice::<reticent_privacy::Paid>();
/// ```
/// ```
/// fn once<T: std::fmt::Debug>() {}
/// once::<reticent_privacy::Paid>(); // it is the `Clone` above that does not compile
/// ```
#[derive(Debug)]
#[must_use = "the loss is charged: answer with it"]
pub struct Paid {
    epsilon: Epsilon,
}

/// The budget does not cover the charge. Nothing was spent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the lifetime privacy budget is used up: epsilon {asked} asked, {} left; nothing was sent", loss::nano_words(*left_nano))]
pub struct Exhausted {
    /// What the charge would have cost.
    pub asked: Epsilon,
    /// What is left, in nano-epsilon.
    pub left_nano: u64,
}

impl Ledger {
    /// A fresh budget.
    pub fn new(limit: Epsilon) -> Ledger {
        Ledger::of_nano(limit.nano())
    }

    /// A fresh budget of so many nano-epsilon: a stored limit, which may be none at all.
    pub fn of_nano(limit_nano: u64) -> Ledger {
        Ledger { limit_nano, spent_nano: 0 }
    }

    /// Charges `epsilon`, or refuses and leaves everything as it was.
    #[inline]
    pub fn charge(&mut self, epsilon: Epsilon) -> Result<Paid, Exhausted> {
        let left_nano = self.left_nano();
        if epsilon.nano() > left_nano {
            return Err(Exhausted { asked: epsilon, left_nano });
        }
        self.spent_nano += epsilon.nano();
        Ok(Paid { epsilon })
    }

    /// What is left, in nano-epsilon.
    #[inline]
    pub fn left_nano(&self) -> u64 {
        self.limit_nano - self.spent_nano
    }

    /// What was spent, in nano-epsilon.
    pub fn spent_nano(&self) -> u64 {
        self.spent_nano
    }
}

impl Paid {
    /// The loss that was paid for.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }
}

/// The stored form, or the first version's, whose charges were rounded up to whole micro-epsilon. Reading it
/// goes through the same check as spending.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Entries {
    Nano { limit_nano: u64, spent_nano: u64 },
    Micro { limit_micro: u64, spent_micro: u64 },
}

impl TryFrom<Entries> for Ledger {
    type Error = &'static str;
    fn try_from(entries: Entries) -> Result<Ledger, Self::Error> {
        let in_nano = |micro: u64| micro.checked_mul(1000).ok_or("the ledger's numbers are too large");
        let (limit_nano, spent_nano) = match entries {
            Entries::Nano { limit_nano, spent_nano } => (limit_nano, spent_nano),
            Entries::Micro { limit_micro, spent_micro } => (in_nano(limit_micro)?, in_nano(spent_micro)?),
        };
        if spent_nano > limit_nano {
            return Err("the ledger shows more spent than its limit");
        }
        Ok(Ledger { limit_nano, spent_nano })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_refused_charge_changes_nothing() {
        let mut ledger = Ledger::new(Epsilon::new(1.0).unwrap());
        let asked = Epsilon::new(1.5).unwrap();
        let error = ledger.charge(asked).unwrap_err();
        assert_eq!(error, Exhausted { asked, left_nano: 1_000_000_000 });
        assert!(error.to_string().contains("epsilon 1.5 asked, 1 left"), "{error}");
        assert_eq!((ledger.left_nano(), ledger.spent_nano()), (1_000_000_000, 0));
    }

    #[test]
    fn a_charge_of_the_whole_limit_is_accepted() {
        for nano in [1, 999, 1_000, 1_001, 1_000_000_500, Epsilon::MAX.nano()] {
            let epsilon = Epsilon::from_nano(nano).unwrap();
            let mut ledger = Ledger::new(epsilon);
            assert!(ledger.charge(epsilon).is_ok(), "{epsilon}");
            assert!(ledger.charge(Epsilon::MIN).is_err(), "{epsilon}");
        }
    }

    #[test]
    fn an_overdrawn_or_mixed_file_is_refused() {
        let read = |text: &str| serde_json::from_str::<Ledger>(text);
        for unit in ["micro", "nano"] {
            let entries =
                |limit: u64, spent: i64| format!(r#"{{"limit_{unit}":{limit},"spent_{unit}":{spent}}}"#);
            assert!(read(&entries(5, 5)).is_ok());
            assert!(read(&entries(5, 6)).is_err());
            assert!(read(&entries(5, -1)).is_err());
        }
        assert!(read(r#"{"limit_micro":18446744073709551615,"spent_micro":0}"#).is_err());
        assert!(read(r#"{"limit_micro":5,"spent_nano":0}"#).is_err());
        assert!(read(r#"{"limit_nano":5,"spent_nano":0,"spent_micro":0}"#).is_err());
    }

    #[test]
    fn what_is_stored_loads_and_so_does_what_the_first_version_stored() {
        let mut ledger = Ledger::new(Epsilon::from_nano(2_999).unwrap());
        assert!(ledger.charge(Epsilon::from_nano(1).unwrap()).is_ok());
        let text = serde_json::to_string(&ledger).unwrap();
        assert_eq!(text, r#"{"limit_nano":2999,"spent_nano":1}"#);
        assert_eq!(serde_json::from_str::<Ledger>(&text).unwrap(), ledger);
        let first: Ledger = serde_json::from_str(r#"{"limit_micro":5,"spent_micro":4}"#).unwrap();
        assert_eq!((first.left_nano(), first.spent_nano()), (1_000, 4_000));
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
            prop_assert_eq!((granted, limit - granted), (ledger.spent_nano(), ledger.left_nano()));
        }
    }
}
