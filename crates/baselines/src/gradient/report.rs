//! What one person sends.

use serde::Serialize;

/// One coordinate, chosen by lot, and a sign for each arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Draw {
    /// Which of an arm's parameters.
    pub coordinate: u32,
    /// Bit k is 1 for plus and 0 for minus at arm k.
    pub signs: u64,
}

/// A privatised gradient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Response {
    /// From [`Channel::Signs`](super::Channel::Signs), in increasing order of the coordinates.
    Signs(Vec<Draw>),
    /// From [`Channel::Laplace`](super::Channel::Laplace): steps of 2^-20, all parameters of arm 0, then of
    /// arm 1 and so on.
    Steps(Vec<i64>),
}

/// One person's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The version of the policy at whose parameters the gradient was taken.
    pub version: u64,
    /// The auxiliary source that the person belongs to; none for the target.
    pub source: Option<u32>,
    /// The privatised gradient.
    pub response: Response,
}
