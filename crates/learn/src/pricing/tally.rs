//! Reports added up.

use reticent_protocol::pricing::{Report, ReportError, Spec};

/// Counts of one spec's reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    spec: Spec,
    counts: Vec<u64>,
}

/// Why nothing was added.
#[derive(Debug, thiserror::Error)]
pub enum TallyError {
    /// A report.
    #[error(transparent)]
    Report(#[from] ReportError),
}

impl Tally {
    /// No report yet.
    pub fn new(spec: &Spec) -> Tally {
        Tally { spec: spec.clone(), counts: vec![0; spec.codes() as usize] }
    }

    /// Adds a report.
    #[inline]
    pub fn add(&mut self, report: Report) -> Result<(), TallyError> {
        let code = self.spec.code(report)?;
        self.counts[code as usize] += 1;
        Ok(())
    }

    /// The spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The counts.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many reports.
    pub fn reports(&self) -> u64 {
        self.counts.iter().sum()
    }
}
