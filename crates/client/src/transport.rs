//! What a device asks of a server, whatever carries it.

use std::ops::ControlFlow;
use std::time::Duration;

use reticent_protocol::{Reason, Report, ReportId};

/// A server, as a device sees it.
pub trait Transport: Send + Sync {
    /// The experiment's public document, in JSON.
    fn document(&self, experiment: &str) -> Result<String, Trouble>;

    /// The newest policy, unless it is the one that this tag names.
    fn policy(&self, experiment: &str, tag: Option<&str>) -> Result<Fetched, Trouble>;

    /// Uploads reports; the answer has those that were not taken.
    fn upload(&self, experiment: &str, parcels: &[Parcel]) -> Result<Vec<Refusal>, Trouble>;

    /// Listens until the server hangs up or `heard` has enough: it is told of each new policy's version.
    fn listen(&self, experiment: &str, heard: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<(), Trouble>;
}

/// A report on its way. It holds noise and no record, and prints neither.
#[derive(Clone, PartialEq)]
pub struct Parcel {
    /// What the server knows it by if it comes again.
    pub id: ReportId,
    /// The report.
    pub report: Report,
}

impl std::fmt::Debug for Parcel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parcel").finish_non_exhaustive()
    }
}

/// What a server has of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// Still the one that was named.
    Same,
    /// Another.
    New {
        /// Its tag.
        tag: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

/// A report that was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// Which.
    pub id: ReportId,
    /// Why.
    pub reason: Reason,
}

/// Why a server did not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// It may answer later.
    #[error("the server cannot be reached or has no time: {what}; the same call may work later")]
    Later {
        /// What happened.
        what: String,
        /// When it wants to be asked again.
        after: Option<Duration>,
    },
    /// It will not answer this.
    #[error("the server refuses (status {status}): {what}")]
    Refused {
        /// The status of its answer.
        status: u16,
        /// Its words.
        what: String,
    },
}
