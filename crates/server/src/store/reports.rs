//! Reports between their arrival and their fold.

use std::fmt;

use async_trait::async_trait;
use reticent_protocol::ReportId;
use reticent_schema::Prefix;
use reticent_store::Moment;

use super::StoreError;

/// Stands for questions that are never closed: those of a source's people.
pub const ALWAYS_OPEN: u64 = u64::MAX - 1;

/// A report that came.
#[derive(Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Its id.
    pub id: ReportId,
    /// The policy that it names, or [`ALWAYS_OPEN`].
    pub policy: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Without the report.
impl fmt::Debug for Arrival {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arrival").field("policy", &self.policy).finish_non_exhaustive()
    }
}

/// Reports that came together.
#[derive(Debug, Clone)]
pub struct Upload {
    /// Their experiment.
    pub experiment: Prefix,
    /// When.
    pub at: Moment,
    /// The reports.
    pub reports: Vec<Arrival>,
}

/// What became of a report that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is on the disk and will be counted once.
    Taken,
    /// It was taken before: nothing happened.
    Replayed,
    /// Its policy is not published yet.
    TooEarly,
    /// Its policy is closed.
    TooLate,
    /// The experiment takes no reports for now.
    Paused,
    /// The experiment takes no more reports.
    Closed,
}

/// Reports that were taken together, in their order.
#[derive(Clone, PartialEq, Eq)]
pub struct Segment {
    /// The number of the first, among all of the experiment.
    pub first: u64,
    /// When they came.
    pub at: Moment,
    /// Their bytes.
    pub reports: Vec<Vec<u8>>,
}

/// Without the reports.
impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segment").field("first", &self.first).finish_non_exhaustive()
    }
}

impl Segment {
    /// The number of the first report after these.
    pub fn end(&self) -> u64 {
        self.first + self.reports.len() as u64
    }
}

/// Reports, appended and read again.
#[async_trait]
pub trait Reports: Send + Sync {
    /// Takes uploads in one durable step, and says what became of each report. Reports of one experiment are numbered
    /// in the order in which they become visible, without gaps.
    async fn append(&self, uploads: Vec<Upload>) -> Result<Vec<Vec<Fate>>, StoreError>;

    /// How many steps are worth taking at the same time.
    fn appends_at_once(&self) -> usize {
        1
    }

    /// Reports from a number on, in their order, `most` or a few more: whole segments, and at least one if there is
    /// any.
    async fn unfolded(&self, experiment: Prefix, from: u64, most: usize) -> Result<Vec<Segment>, StoreError>;
}
