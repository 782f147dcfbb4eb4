//! Why a device did nothing.

use std::path::PathBuf;

use reticent_device::DeviceError;
use reticent_privacy::{EntropyError, Epsilon};
use reticent_protocol::{DecodeError, contextual, mab, pricing};
use reticent_schema::ExperimentError;
use reticent_store::{JournalError, LedgerError, files::FileError};

use crate::{Budget, Trouble};

/// Why a device did nothing. Depends on public things and on the budget, never on a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// Nobody has agreed to anything yet, or no more.
    #[error("the person has not given consent: nothing is fetched, chosen or sent (Client::give_consent)")]
    NoConsent,
    /// The person's budget does not cover another report.
    #[error(
        "a report costs epsilon {asked}, and the lifetime budget does not cover it: {budget}; nothing was sent"
    )]
    Budget {
        /// What it costs.
        asked: Epsilon,
        /// What was spent, by experiment.
        budget: Budget,
    },
    /// The policy was last seen so long ago that its reports may not be counted any more.
    #[error(
        "the policy of experiment {experiment} was last seen more than {days} days ago, so that a report might be \
         paid for and not counted; call Client::refresh when there is a network"
    )]
    Stale {
        /// The experiment.
        experiment: String,
        /// The report window.
        days: u32,
    },
    /// The experiment is of another kind.
    #[error("experiment {experiment} is of kind {kind}, not {asked}")]
    OtherKind {
        /// The experiment.
        experiment: String,
        /// What it is.
        kind: &'static str,
        /// What was asked for.
        asked: &'static str,
    },
    /// The server did not answer.
    #[error(transparent)]
    Server(#[from] Trouble),
    /// The server's document is none.
    #[error("the server's document of the experiment cannot be used: {0}")]
    Document(#[from] ExperimentError),
    /// The server's document asks for something that cannot be.
    #[error("the server's experiment cannot be taken part in: {0}")]
    Spec(String),
    /// The server's policy is none.
    #[error("the server's policy cannot be read: {0}")]
    Policy(#[from] DecodeError),
    /// The device refuses.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The budget's file refuses.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The queue's file refuses.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file refuses.
    #[error(transparent)]
    File(#[from] FileError),
    /// The folder refuses.
    #[error("{}: {source}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of this device holds what no device writes.
    #[error("this device's {what} is damaged")]
    Damaged {
        /// Which file.
        what: &'static str,
    },
    /// No entropy, no noise.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

impl From<mab::SpecError> for ClientError {
    fn from(error: mab::SpecError) -> ClientError {
        ClientError::Spec(error.to_string())
    }
}

impl From<contextual::SpecError> for ClientError {
    fn from(error: contextual::SpecError) -> ClientError {
        ClientError::Spec(error.to_string())
    }
}

impl From<pricing::SpecError> for ClientError {
    fn from(error: pricing::SpecError) -> ClientError {
        ClientError::Spec(error.to_string())
    }
}

impl From<contextual::PolicyError> for ClientError {
    fn from(error: contextual::PolicyError) -> ClientError {
        DeviceError::from(error).into()
    }
}
