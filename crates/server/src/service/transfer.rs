//! Experiments as documents that another server can go on with.

use reticent_schema::Experiment;
use reticent_store::Form;
use serde::{Deserialize, Serialize};

use super::lifecycle::{Action, CreateError, deed};
use super::{Seat, Service};
use crate::fold::learned;
use crate::learner::{Learner, LearnerError};
use crate::store::{Phase, Settings, StoreError};

const FORM: Form = Form { format: "reticent-exported-experiment", version: 1, called: "exported experiment" };

/// An experiment with all that was learned, and no report.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exported {
    /// What this document is.
    pub format: String,
    /// The version of its form.
    pub version: u32,
    /// The public document.
    pub experiment: Experiment,
    /// How it was treated.
    pub settings: Settings,
    /// The learner, saved.
    pub state: String,
    /// Whether it takes reports; documents of the first programs do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
}

/// Why an experiment cannot go from one server to another.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransferError {
    /// Its records are the curator's.
    #[error("an experiment of this kind has records of people: back up the store instead")]
    Central,
    /// The document.
    #[error("{0}")]
    Document(String),
    /// Creating it.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Service {
    /// The experiment with all that was learned from reports that are folded.
    pub(crate) async fn export(&self, seat: &Seat, actor: &str) -> Result<Exported, TransferError> {
        if !seat.takes_reports() {
            return Err(TransferError::Central);
        }
        let known = self.store.learned(seat.prefix()).await?;
        let (marks, learned) =
            known.ok_or_else(|| TransferError::Document("the experiment is gone".into()))?;
        let state = String::from_utf8(learned.state)
            .map_err(|_| TransferError::Document("its state cannot be read".into()))?;
        self.store.note(deed(self.clock.now(), actor, "experiment.export", seat.experiment().name())).await?;
        Ok(Exported {
            format: FORM.format.into(),
            version: FORM.version,
            experiment: seat.experiment().clone(),
            settings: seat.entry().settings,
            state,
            phase: Some(marks.phase),
        })
    }

    /// Goes on with an experiment of another server. Reports of its earlier policies come too late here.
    pub(crate) async fn import(&self, text: &str, actor: &str) -> Result<Experiment, TransferError> {
        let read: Exported = FORM.read(text).map_err(|error| TransferError::Document(error.to_string()))?;
        let wrong = |error: LearnerError| TransferError::Document(error.to_string());
        let learner = Learner::load(read.state.as_bytes()).map_err(wrong)?;
        if !learner.is_of(&read.experiment) {
            return Err(TransferError::Document("its state is another experiment's".into()));
        }
        let policy = learner.policy().map(|policy| (policy.version, policy.bytes));
        let known = learned(&learner).map_err(wrong)?;
        let deed = ("experiment.import", actor);
        if !self.add(read.experiment.clone(), read.settings, known, policy, deed).await? {
            return Err(CreateError::Served.into());
        }
        let implied = if learner.is_frozen() { Phase::Frozen } else { Phase::Running };
        self.bring_to(&read.experiment, read.phase.unwrap_or(implied), actor).await?;
        Ok(read.experiment)
    }

    /// What was over elsewhere is over here: its people would pay for reports that nobody counts.
    async fn bring_to(&self, experiment: &Experiment, phase: Phase, actor: &str) -> Result<(), StoreError> {
        let action = match phase {
            Phase::Running => return Ok(()),
            Phase::Paused => Action::Pause,
            Phase::Stopped => Action::Stop,
            Phase::Frozen => Action::Freeze,
        };
        if let Some(seat) = self.seat(experiment.name()) {
            self.act(&seat, action, actor).await?;
        }
        Ok(())
    }
}
