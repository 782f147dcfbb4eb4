//! What the server knows of one arm: how often it answered, and how many of the answers were ones.

use serde::{Deserialize, Serialize};

/// Counts of one arm, as integers, so that merging and saving lose nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub(super) struct Arm {
    /// Answers so far.
    pub(super) pulls: u64,
    /// Ones among them.
    ones: u64,
}

impl Arm {
    /// Adds one answer.
    #[inline]
    pub(super) fn add(&mut self, bit: bool) {
        self.pulls += 1;
        self.ones += u64::from(bit);
    }

    /// The share of ones; meaningless before the first answer.
    #[inline]
    pub(super) fn mean(&self) -> f64 {
        self.ones as f64 / self.pulls as f64
    }

    /// Ones and zeros among the answers.
    #[inline]
    pub(super) fn ones_and_zeros(&self) -> (u64, u64) {
        (self.ones, self.pulls - self.ones)
    }
}

/// The stored form of version 1, which had room for sums of numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    pulls: u64,
    sum: u64,
    carry: u8,
}

impl From<Arm> for Raw {
    fn from(arm: Arm) -> Raw {
        Raw { pulls: arm.pulls, sum: arm.ones, carry: 0 }
    }
}

impl TryFrom<Raw> for Arm {
    type Error = &'static str;
    fn try_from(raw: Raw) -> Result<Arm, Self::Error> {
        if raw.carry == 0 && raw.sum <= raw.pulls {
            Ok(Arm { pulls: raw.pulls, ones: raw.sum })
        } else {
            Err("an arm has counts that no answers give")
        }
    }
}
