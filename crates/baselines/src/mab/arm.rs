//! What the agent knows of one arm: how often it answered, and the sum of the answers.

use reticent_privacy::UnitGrid;
use serde::{Deserialize, Serialize};

use super::{Answer, Channel};

/// Counts of one arm, as integers, so that saving loses nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arm {
    /// Answers so far.
    pub(super) pulls: u64,
    /// Their sum: ones, or grid steps.
    sum: i64,
    /// What `sum` had to carry beyond 64 bits (only tiny epsilons and long runs of Laplace answers get here).
    carry: i32,
}

const CARRY: f64 = 18_446_744_073_709_551_616.0;

impl Arm {
    /// Adds one answer.
    #[inline]
    pub(super) fn add(&mut self, answer: Answer) {
        let value = match answer {
            Answer::Bit(bit) => i64::from(bit),
            Answer::Steps(steps) => steps,
        };
        let (sum, overflow) = self.sum.overflowing_add(value);
        self.carry += if overflow { value.signum() as i32 } else { 0 };
        self.sum = sum;
        self.pulls += 1;
    }

    /// The mean answer in reward units; meaningless before the first.
    #[inline]
    pub(super) fn mean(&self, channel: Channel) -> f64 {
        let sum =
            if self.carry == 0 { self.sum as f64 } else { f64::from(self.carry) * CARRY + self.sum as f64 };
        let scale = match channel {
            Channel::Bernoulli { .. } => 1.0,
            Channel::Laplace { .. } | Channel::Open => 1.0 / f64::from(UnitGrid::STEPS),
        };
        sum * scale / self.pulls as f64
    }

    /// Whether these counts can have come from answers of this channel.
    pub(super) fn is_possible(&self, channel: Channel) -> bool {
        match channel {
            Channel::Bernoulli { .. } => self.carry == 0 && (0..=self.pulls as i64).contains(&self.sum),
            Channel::Laplace { .. } | Channel::Open => self.pulls > 0 || (self.sum, self.carry) == (0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_sum_survives_overflow(values in prop::collection::vec(any::<i64>(), 1..50)) {
            let mut arm = Arm::default();
            for &value in &values {
                arm.add(Answer::Steps(value));
            }
            let exact: i128 = values.iter().map(|&v| i128::from(v)).sum();
            prop_assert_eq!((i128::from(arm.carry) << 64) + i128::from(arm.sum), exact);
        }
    }
}
