//! What a person has spent, on what, and what is left.

use std::fmt;

use reticent_privacy::Epsilon;

/// A person's lifetime budget, in nano-epsilon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// All of it.
    pub limit_nano: u64,
    /// What is left.
    pub left_nano: u64,
    /// What each experiment has spent.
    pub spent: Vec<Spent>,
}

/// What one experiment has spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// Its name, or its digest if this device has forgotten the name.
    pub experiment: String,
    /// How much.
    pub nano: u64,
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spent = self.limit_nano - self.left_nano;
        write!(
            f,
            "{} of {} is spent, {} is left",
            words(spent),
            words(self.limit_nano),
            words(self.left_nano)
        )?;
        for (place, one) in self.spent.iter().enumerate() {
            write!(f, "{}{} {}", if place == 0 { ": " } else { ", " }, one.experiment, words(one.nano))?;
        }
        Ok(())
    }
}

/// So many billionths as a decimal.
pub(crate) fn words(nano: u64) -> String {
    Epsilon::from_nano(nano).map_or_else(|_| "0".into(), |epsilon| epsilon.to_string())
}
