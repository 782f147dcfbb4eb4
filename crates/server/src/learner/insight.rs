//! What a learner knows. All of it follows from reports.

use std::collections::BTreeMap;

use reticent_learn::contextual;
use reticent_learn::mab::{ArmEstimate, Robustness};
use reticent_protocol::Reason;
use serde::{Deserialize, Serialize};

/// What is known of one experiment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Insight {
    /// Reports that count.
    pub people: u64,
    /// Reports that were taken and did not count, by reason.
    pub refused: Refusals,
    /// What was learned.
    #[serde(flatten)]
    pub known: Known,
    /// What people who look at the numbers should know.
    pub warnings: Vec<String>,
}

/// What was learned, by kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Known {
    /// A bandit's arms.
    Arms {
        /// Each arm.
        arms: Vec<ArmEstimate>,
        /// What forged reports could have changed.
        robustness: Robustness,
    },
    /// A contextual bandit's arms, at large and for each cell.
    Map {
        /// Each arm, if everybody got it.
        arms: Vec<ArmEstimate>,
        /// Each cell.
        map: Box<contextual::Insight>,
        /// What forged reports could have changed.
        robustness: contextual::Robustness,
    },
    /// What a pricing collection has.
    Collected {
        /// Reports for each question.
        reports_by_question: Vec<u64>,
    },
}

/// Counts by reason.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Refusals(BTreeMap<Reason, u64>);

impl Refusals {
    /// One more.
    pub fn add(&mut self, refusal: Reason) {
        *self.0.entry(refusal).or_default() += 1;
    }

    /// All counts.
    pub fn counts(&self) -> impl Iterator<Item = (Reason, u64)> {
        self.0.iter().map(|(refusal, count)| (*refusal, *count))
    }
}
