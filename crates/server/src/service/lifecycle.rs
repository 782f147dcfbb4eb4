//! Experiments come, rest and end; keys come and go. Every such deed is in the audit log, in the same step.

use reticent_jobs::experiment_file::complete;
use reticent_privacy::{EntropyError, SimSeed};
use reticent_schema::Experiment;
use reticent_store::Moment;

use super::{Seat, Service};
use crate::fold::learned;
use crate::keys::{NewKey, Secret};
use crate::learner::{Learner, LearnerError};
use crate::store::{
    Created, Deed, Entry, KeyRecord, Learned, Phase, Publication, Role, Scope, Settings, StoreError,
};

/// What can be done to an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Takes no reports for now.
    Pause,
    /// Takes reports again.
    Resume,
    /// Takes no more reports.
    Stop,
    /// Takes no more reports, and everybody gets what is best.
    Freeze,
}

impl Action {
    /// Its name in routes and in the audit log.
    pub fn name(self) -> &'static str {
        match self {
            Action::Pause => "pause",
            Action::Resume => "resume",
            Action::Stop => "stop",
            Action::Freeze => "freeze",
        }
    }

    /// The phase after it, if it can be done in this one.
    fn leads(self, from: Phase) -> Option<Phase> {
        match (self, from) {
            (Action::Pause, Phase::Running) => Some(Phase::Paused),
            (Action::Resume, Phase::Paused) => Some(Phase::Running),
            (Action::Stop, Phase::Running | Phase::Paused) => Some(Phase::Stopped),
            (Action::Freeze, Phase::Running | Phase::Paused | Phase::Stopped) => Some(Phase::Frozen),
            _ => None,
        }
    }

    /// The phase that it is for, reached before: doing it again changes nothing.
    fn goal(self) -> Phase {
        match self {
            Action::Pause => Phase::Paused,
            Action::Resume => Phase::Running,
            Action::Stop => Phase::Stopped,
            Action::Freeze => Phase::Frozen,
        }
    }
}

/// Why an experiment is not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CreateError {
    /// The document.
    #[error("{0}")]
    Document(String),
    /// Another experiment has the name.
    #[error("another experiment has this name; choose another name")]
    NameTaken,
    /// It is served here already.
    #[error("the experiment is served here already: nothing was imported")]
    Served,
    /// Reports could not be told apart.
    #[error(
        "another experiment's digest begins with the same four bytes, so that reports could not be told apart; \
         change something, such as the unit's words"
    )]
    PrefixTaken,
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The learner.
    #[error(transparent)]
    Learner(#[from] LearnerError),
    /// No entropy.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

impl Service {
    /// Serves an experiment from now on; yes if it was not served before.
    pub async fn create(
        &self,
        experiment: Experiment,
        settings: Settings,
        actor: &str,
    ) -> Result<bool, CreateError> {
        self.create_with(experiment, settings, SimSeed::random()?, actor).await
    }

    /// The same with the seed of the agent's own choices: for comparisons with simulations.
    pub async fn create_with(
        &self,
        experiment: Experiment,
        settings: Settings,
        seed: SimSeed,
        actor: &str,
    ) -> Result<bool, CreateError> {
        let experiment = complete(experiment).map_err(CreateError::Document)?;
        let (known, policy) = match Learner::begin(&experiment, settings, seed) {
            Ok(learner) => (learned(&learner)?, learner.policy()),
            Err(LearnerError::Central(_)) => (Learned::default(), None),
            Err(error) => return Err(error.into()),
        };
        let policy = policy.map(|policy| (policy.version, policy.bytes));
        self.add(experiment, settings, known, policy, ("experiment.create", actor)).await
    }

    pub(super) async fn add(
        &self,
        experiment: Experiment,
        settings: Settings,
        learned: Learned,
        policy: Option<(u64, Vec<u8>)>,
        (action, actor): (&str, &str),
    ) -> Result<bool, CreateError> {
        if matches!(experiment.name(), "." | "..") {
            let text = "a name of one or two dots is lost in an address: choose another name";
            return Err(CreateError::Document(text.into()));
        }
        let now = self.clock.now();
        let deed = deed(now, actor, action, experiment.name());
        let first = Publication {
            experiment: experiment.prefix(),
            from: 0,
            to: 0,
            at: now,
            learned,
            oldest: policy.as_ref().map_or(0, |(version, _)| *version),
            policy,
            thinned: None,
            keep_since: now,
        };
        let entry = Entry { experiment, created: now, settings };
        match self.store.create(entry, first, deed).await? {
            Created::New => {
                self.refresh().await?;
                Ok(true)
            }
            Created::Same => Ok(false),
            Created::NameTaken => Err(CreateError::NameTaken),
            Created::PrefixTaken => Err(CreateError::PrefixTaken),
        }
    }

    /// Does something to an experiment; no if it cannot be done in its phase. What was done before changes nothing.
    pub(crate) async fn act(&self, seat: &Seat, action: Action, actor: &str) -> Result<bool, StoreError> {
        // Somebody else may act at the same time.
        for _ in 0..3 {
            let phase = self.phase(seat).await?;
            if phase == action.goal() {
                return Ok(true);
            }
            let Some(to) = action.leads(phase) else { return Ok(false) };
            let what = format!("experiment.{}", action.name());
            let deed = deed(self.clock.now(), actor, &what, seat.experiment().name());
            if self.store.change(seat.prefix(), phase, to, deed).await? {
                self.refresh().await?;
                seat.nudge.notify_one();
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn phase(&self, seat: &Seat) -> Result<Phase, StoreError> {
        let learned = self.store.learned(seat.prefix()).await?;
        Ok(learned.map_or(Phase::Stopped, |(marks, _)| marks.phase))
    }

    /// Makes a key.
    pub async fn make_key(&self, new: NewKey, actor: &str) -> Result<(Secret, KeyRecord), CreateError> {
        let now = self.clock.now();
        let (secret, record) = new.draw(now)?;
        self.store.add_key(record.clone(), deed(now, actor, "key.make", &record.id)).await?;
        self.keys.load(self.store.keys().await?);
        Ok((secret, record))
    }

    /// Whether nobody could do anything any more without this key.
    pub async fn is_last_admin(&self, id: &str) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let is_good = |key: &KeyRecord| {
            key.role == Role::Admin
                && key.scope == Scope::All
                && key.revoked.is_none()
                && key.expires.is_none_or(|end| now < end)
        };
        let good: Vec<String> =
            self.store.keys().await?.into_iter().filter(is_good).map(|key| key.id).collect();
        Ok(good.as_slice() == [id])
    }

    /// Revokes a key; no if there is none such.
    pub async fn revoke_key(&self, id: &str, actor: &str) -> Result<bool, StoreError> {
        let revoked = self.store.revoke_key(id, deed(self.clock.now(), actor, "key.revoke", id)).await?;
        self.keys.load(self.store.keys().await?);
        Ok(revoked)
    }
}

pub(super) fn deed(at: Moment, actor: &str, action: &str, subject: &str) -> Deed {
    Deed { at, actor: actor.into(), action: action.into(), subject: subject.into() }
}
