//! What one person sends.

/// One person's report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// For each cell in the spec's order, W then Z (Algorithm 1) in grid steps of 2^-30.
    pub values: Vec<i64>,
}
