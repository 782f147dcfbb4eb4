//! A trial's steps: assign, record, stop.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use reticent_curate::trial::{
    Actor, Amended, Assignment, Author, DurableTrial, Recorded, Release, Stratum, TrialSpec,
};
use reticent_privacy::NoiseRng;
use reticent_schema::Prefix;
use tokio::sync::Mutex;

use super::CentralError;
use super::storage::InStore;
use crate::store::{JournalName, Store};

/// A trial as it is served. The journal in the store is the trial; what is here only saves reading it again.
pub(crate) struct TrialDesk {
    experiment: Prefix,
    spec: TrialSpec,
    open: Arc<Mutex<Option<Open>>>,
}

struct Open {
    trial: DurableTrial<NoiseRng>,
    length: Arc<AtomicU64>,
}

impl TrialDesk {
    pub(super) fn new(experiment: Prefix, spec: TrialSpec) -> TrialDesk {
        TrialDesk { experiment, spec, open: Arc::default() }
    }

    /// The assignment of a patient: a new one, or the one that they have.
    pub(crate) async fn assign(
        &self,
        store: &Arc<dyn Store>,
        actor: &str,
        patient: String,
        stratum: Stratum,
    ) -> Result<Assignment, CentralError> {
        self.step(store, actor, move |trial| match trial.assignment(&patient) {
            Some(assignment) => Ok(assignment),
            None => Ok(trial.assign(&patient, stratum)?),
        })
        .await
    }

    /// The assignment of a patient who is enrolled.
    pub(crate) async fn assignment(
        &self,
        store: &Arc<dyn Store>,
        patient: String,
    ) -> Result<Option<Assignment>, CentralError> {
        self.step(store, "server", move |trial| Ok(trial.assignment(&patient))).await
    }

    /// Records an outcome, or that none will come.
    pub(crate) async fn record(
        &self,
        store: &Arc<dyn Store>,
        actor: &str,
        patient: String,
        outcome: Option<f64>,
    ) -> Result<Recorded, CentralError> {
        self.step(store, actor, move |trial| {
            Ok(match outcome {
                Some(outcome) => trial.record(&patient, outcome)?,
                None => trial.missing(&patient)?,
            })
        })
        .await
    }

    /// Corrects an outcome.
    pub(crate) async fn correct(
        &self,
        store: &Arc<dyn Store>,
        actor: &str,
        patient: String,
        (outcome, reason): (Option<f64>, Option<String>),
    ) -> Result<Amended, CentralError> {
        self.step(store, actor, move |trial| Ok(trial.correct(&patient, outcome, reason.as_deref())?)).await
    }

    /// Takes back a patient's consent.
    pub(crate) async fn withdraw(
        &self,
        store: &Arc<dyn Store>,
        actor: &str,
        patient: String,
        reason: Option<String>,
    ) -> Result<Amended, CentralError> {
        self.step(store, actor, move |trial| Ok(trial.withdraw(&patient, reason.as_deref())?)).await
    }

    /// Publishes the last tables. Stopping again changes nothing.
    pub(crate) async fn stop(&self, store: &Arc<dyn Store>, actor: &str) -> Result<(), CentralError> {
        self.step(store, actor, |trial| Ok(trial.stop()?)).await
    }

    /// What anybody may see so far.
    pub(crate) async fn release(&self, store: &Arc<dyn Store>) -> Result<Release, CentralError> {
        self.step(store, "server", |trial| Ok(trial.release().clone())).await
    }

    /// The stratum of a person with these features.
    pub(crate) fn stratum(&self, features: &BTreeMap<String, String>) -> Result<Stratum, CentralError> {
        let declared = &self.spec.draft().features;
        if features.keys().any(|name| !declared.iter().any(|one| one.column == *name)) {
            // The name may be a value in the wrong place: it is not repeated.
            return Err(CentralError::Refused("a feature is none that the plan declares".into()));
        }
        let cells = declared.iter().map(|one| features.get(&one.column).map(String::as_str));
        let cells = cells.collect::<Option<Vec<&str>>>();
        let cells = cells
            .ok_or_else(|| CentralError::Refused("a feature that the plan declares is missing".into()))?;
        self.spec.stratum(&cells).map_err(|error| CentralError::Trial(error.into()))
    }

    /// Takes a step, alone. What failed is read again from the store before the next.
    async fn step<T: Send + 'static>(
        &self,
        store: &Arc<dyn Store>,
        actor: &str,
        step: impl FnOnce(&mut DurableTrial<NoiseRng>) -> Result<T, CentralError> + Send + 'static,
    ) -> Result<T, CentralError> {
        let mut open = Arc::clone(&self.open).lock_owned().await;
        let length = store.journal_length(self.experiment, JournalName::Trial).await?;
        let (store, experiment, spec) = (Arc::clone(store), self.experiment, self.spec.clone());
        let author = Author::new(actor.parse::<Actor>().ok());
        let work = move || {
            let known = open.take().filter(|open| open.length.load(Ordering::SeqCst) == length);
            let mut now = if let Some(Open { trial, length }) = known {
                Open { trial: trial.by(author), length }
            } else {
                let (storage, length) = InStore::new(store, experiment, JournalName::Trial);
                let rng = NoiseRng::from_os().map_err(|error| CentralError::Trial(error.into()))?;
                Open { trial: DurableTrial::open_over(storage, spec, rng, author)?, length }
            };
            let done = step(&mut now.trial);
            if !matches!(done, Err(CentralError::Busy)) {
                *open = Some(now);
            }
            done
        };
        tokio::task::spawn_blocking(work).await.map_err(|_| CentralError::Interrupted)?
    }
}
