//! Why a step of a trial is refused. Nothing changes when one is, and no message contains a value of a person.

use reticent_privacy::{EntropyError, VectorError};
use reticent_store::JournalError;

use super::spec::{PersonError, SpecError};

/// A refused step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrialError {
    /// The plan cannot be carried out.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A row that does not fit the plan.
    #[error(transparent)]
    Person(#[from] PersonError),
    /// Everyone planned is enrolled.
    #[error("all {0} planned people are enrolled; record their outcomes and stop the trial")]
    Full(u64),
    /// Too late.
    #[error("the trial is stopped: its last table is published, and nothing more can be counted")]
    Stopped,
    /// A stop that was begun and not finished.
    #[error("the trial was being stopped when it was interrupted, and its last tables are out; stop it")]
    Stopping,
    /// No such assignment.
    #[error(
        "no assignment was made with this number; an outcome can only be recorded for a person who was assigned an arm"
    )]
    NeverAssigned,
    /// A correction of what is not there.
    #[error(
        "no outcome is on record for this person, so there is nothing to correct; record it, unless the trial is stopped"
    )]
    NothingOnRecord,
    /// Consent that was taken back.
    #[error("this person withdrew their consent; nothing more is recorded or corrected for them")]
    Withdrawn,
    /// An invalid reason.
    #[error("a reason must have 1 to 500 bytes, and no line breaks or other control characters")]
    Reason,
    /// Outside the declared range.
    #[error(
        "the outcome is outside the range that the plan declares (`outcome.low` to `outcome.high`, and only these two if it is binary); nothing was recorded"
    )]
    OutOfRange,
    /// A patient a second time.
    #[error("this patient is already enrolled; ask for their assignment instead of a new one (`assignment`)")]
    DuplicatePatient,
    /// A patient nobody enrolled.
    #[error("no patient of this name was assigned an arm; assign one first, or check the name")]
    UnknownPatient,
    /// An invalid name.
    #[error("a patient's name must have 1 to 200 bytes")]
    PatientName,
    /// Another plan than the one the trial began with.
    #[error(
        "the trial's file began with another plan, which cannot be changed after the start; run it with the plan it has, or start a new trial in a new file"
    )]
    SpecChanged,
    /// More people than a sum holds.
    #[error(transparent)]
    Vector(#[from] VectorError),
    /// No entropy, no noise.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// The trial's file.
    #[error("the trial's file: {0}; nothing was published")]
    Journal(#[from] JournalError),
    /// A file whose lines contradict each other.
    #[error(
        "the trial's file is damaged at line {0}: the step does not fit those before it; restore it from a copy that is not older than its last use"
    )]
    Damaged(usize),
}
