//! Trials and tuning: the server is the curator's own machine, and sees records. Every step is in the store before
//! anybody sees what it gave; every release is paid for before its noise is drawn.

mod storage;
mod trial;
mod tuning;

use reticent_curate::kernel::{KernelSpec, ReadError};
use reticent_curate::trial::{TrialError, TrialSpec};
use reticent_schema::Experiment;
use reticent_schema::experiment::Problem;
use reticent_store::{AccountError, JournalError};

pub(crate) use trial::TrialDesk;
pub(crate) use tuning::{Fitted, TuningDesk};

use crate::store::StoreError;

/// What is curated of an experiment.
pub(crate) enum Curated {
    /// Nothing: devices privatise what they send.
    Nothing,
    Trial(Box<TrialDesk>),
    Tuning(Box<TuningDesk>),
}

impl Curated {
    pub(crate) fn of(experiment: &Experiment) -> Curated {
        let desk = match experiment.problem() {
            Problem::Trial(_) => {
                let spec = TrialSpec::of(experiment).ok();
                spec.map(|spec| Curated::Trial(Box::new(TrialDesk::new(experiment.prefix(), spec))))
            }
            Problem::Tuning(_) => {
                let spec = KernelSpec::of(experiment).ok();
                spec.map(|spec| {
                    Curated::Tuning(Box::new(TuningDesk::new(
                        experiment.prefix(),
                        spec,
                        experiment.epsilon(),
                    )))
                })
            }
            _ => None,
        };
        desk.unwrap_or(Curated::Nothing)
    }
}

/// Why a step of a central kind was not taken. No message contains a value of a person.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CentralError {
    #[error(transparent)]
    Trial(TrialError),
    #[error(transparent)]
    Account(AccountError),
    #[error("{0}")]
    Refused(String),
    #[error("something else is on record under an id of this request; nothing of it was kept")]
    Contradiction,
    #[error("another server took a step at the same time")]
    Busy,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("nothing was released yet; fit first")]
    NothingReleased,
    #[error(transparent)]
    Function(#[from] ReadError),
    #[error("the work was interrupted")]
    Interrupted,
}

/// A journal that could not be written is read again before the next step.
impl From<TrialError> for CentralError {
    fn from(error: TrialError) -> CentralError {
        match error {
            TrialError::Journal(_) => CentralError::Busy,
            error => CentralError::Trial(error),
        }
    }
}

impl From<AccountError> for CentralError {
    fn from(error: AccountError) -> CentralError {
        match error {
            AccountError::Journal(_) => CentralError::Busy,
            error => CentralError::Account(error),
        }
    }
}

impl From<JournalError> for CentralError {
    fn from(_: JournalError) -> CentralError {
        CentralError::Busy
    }
}
