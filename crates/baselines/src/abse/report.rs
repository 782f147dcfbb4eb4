//! What one person sends.

use serde::Serialize;

/// One person's report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The version of the policy that was answered.
    pub version: u64,
    /// The auxiliary source that the person belongs to, if any.
    pub source: Option<u32>,
    /// The answer.
    pub answer: Answer,
}

/// A privatised record, or for the non-private baseline the record itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// For each bin and each active arm in the policy's order, V then U (equation (12)) in grid steps of 2^-30.
    Values(Vec<i64>),
    /// The raw record: simulations only.
    Open(Record),
}

/// What happened to one person: their context, arm and reward. Only simulations of the non-private baseline send it.
#[derive(Clone, PartialEq, Serialize)]
pub struct Record {
    /// The context, clipped to the cube.
    pub context: Vec<f64>,
    /// The arm.
    pub arm: u32,
    /// The reward in grid steps of 2^-30.
    pub reward: u32,
}

/// Shows nothing, so that no log can.
impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Record { .. }")
    }
}
