//! What was learned and published, and how far folding has come.

use std::fmt;

use async_trait::async_trait;
use reticent_schema::Prefix;
use reticent_store::Moment;

use super::{Phase, StoreError};

/// How far an experiment has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// Whether it takes reports.
    pub phase: Phase,
    /// Reports that were taken, in all.
    pub appended: u64,
    /// Reports that are in the state.
    pub folded: u64,
    /// The oldest policy whose reports are taken. It never goes back, whatever a clock does: ids of older reports
    /// are forgotten.
    pub oldest: u64,
    /// The newest policy.
    pub newest: u64,
    /// When something was last learned or published.
    pub at: Moment,
}

/// A policy that was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedPolicy {
    /// Its version.
    pub version: u64,
    /// When.
    pub at: Moment,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What was learned.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Learned {
    /// The learner, saved.
    pub state: Vec<u8>,
    /// What it knows, for people: JSON.
    pub insight: Vec<u8>,
}

/// Sizes alone.
impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learned").field("state", &self.state.len()).finish_non_exhaustive()
    }
}

/// A step of folding: all of it becomes visible at once, or nothing.
#[derive(Debug, Clone)]
pub struct Publication {
    /// The experiment.
    pub experiment: Prefix,
    /// Reports that were in the state before: if another server was faster, this step does not happen.
    pub from: u64,
    /// Reports that are in it now.
    pub to: u64,
    /// When.
    pub at: Moment,
    /// What is known now.
    pub learned: Learned,
    /// A new policy, if there is one: version and bytes.
    pub policy: Option<(u64, Vec<u8>)>,
    /// A policy that need not be remembered any more: another of about the same time is.
    pub thinned: Option<u64>,
    /// Policies below this one are closed.
    pub oldest: u64,
    /// Folded reports that came before this are deleted.
    pub keep_since: Moment,
}

/// Policies and what is known.
#[async_trait]
pub trait Policies: Send + Sync {
    /// How far all experiments have come.
    async fn marks(&self) -> Result<Vec<(Prefix, Marks)>, StoreError>;

    /// What was learned, and the marks that belong to it.
    async fn learned(&self, experiment: Prefix) -> Result<Option<(Marks, Learned)>, StoreError>;

    /// Publishes; no if folding has gone on from another place meanwhile.
    async fn publish(&self, publication: Publication) -> Result<bool, StoreError>;

    /// Policies that are not closed, oldest first.
    async fn policies(&self, experiment: Prefix) -> Result<Vec<PublishedPolicy>, StoreError>;
}
