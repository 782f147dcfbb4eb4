//! What a device asks of a server, whatever carries it.

use std::ops::ControlFlow;
use std::time::Duration;

use reticent_protocol::Report;

use crate::ReportId;

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

/// Why a report was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// It was taken before.
    Replayed,
    /// Its policy is not known yet to the server that was asked.
    TooEarly,
    /// Its policy is out of its window.
    TooLate,
    /// It is of another experiment.
    OtherExperiment,
    /// It answers nothing that was asked.
    NotAnAnswer,
    /// The experiment takes no reports for now.
    Paused,
    /// The experiment takes no more reports.
    Closed,
    /// For a reason that this version does not know.
    Unknown,
}

impl Reason {
    /// Whether it makes sense to send the same report again later.
    pub fn is_for_now(self) -> bool {
        matches!(self, Reason::TooEarly | Reason::Paused)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Reason::Replayed => "taken before",
            Reason::TooEarly => "its policy is not known yet",
            Reason::TooLate => "too late for its policy",
            Reason::OtherExperiment => "of another experiment",
            Reason::NotAnAnswer => "no answer to what was asked",
            Reason::Paused => "the experiment is paused",
            Reason::Closed => "the experiment is over",
            Reason::Unknown => "refused for a reason that this version does not know",
        }
    }
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
