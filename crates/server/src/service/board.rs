//! An experiment that is served, and what everybody sees of it now.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use reticent_privacy::Guarantee;
use reticent_protocol::Reason;
use reticent_schema::{Experiment, Prefix};
use tokio::sync::{Notify, watch};

use crate::central::Curated;
use crate::learner::Gate;
use crate::store::{Entry, Marks, PublishedPolicy, Store, StoreError};

/// An experiment in its place.
pub struct Seat {
    entry: Entry,
    guarantee: Guarantee,
    gate: Option<RwLock<Arc<Gate>>>,
    view: watch::Sender<Arc<View>>,
    /// Whether policies were read at all.
    read: AtomicBool,
    pub(super) nudge: Arc<Notify>,
    refused: [AtomicU64; Reason::ALL.len()],
    /// Trials and tuning, whose records are here.
    pub(crate) curated: Curated,
}

impl std::fmt::Debug for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seat").field("experiment", &self.prefix()).finish_non_exhaustive()
    }
}

/// What is public now.
#[derive(Debug, Clone)]
pub struct View {
    /// How far it has come.
    pub marks: Marks,
    /// The newest policy; none where devices need none.
    pub policy: Option<PublishedPolicy>,
}

impl Seat {
    pub(super) fn new(entry: Entry, marks: Marks) -> Seat {
        let gate = Gate::of(&entry.experiment).map(|gate| RwLock::new(Arc::new(gate)));
        let (view, _) = watch::channel(Arc::new(View { marks, policy: None }));
        let refused = std::array::from_fn(|_| AtomicU64::new(0));
        let guarantee = crate::guarantee::of(&entry.experiment);

        let (read, curated) = (AtomicBool::new(false), Curated::of(&entry.experiment));
        Seat { entry, guarantee, gate, view, read, nudge: Arc::new(Notify::new()), refused, curated }
    }

    /// The public document.
    pub fn experiment(&self) -> &Experiment {
        &self.entry.experiment
    }

    /// The document with what is not public about it.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// What the experiment promises everyone in it.
    pub fn guarantee(&self) -> &Guarantee {
        &self.guarantee
    }

    pub(crate) fn prefix(&self) -> Prefix {
        self.entry.experiment.prefix()
    }

    /// Whether devices send reports to it.
    pub fn takes_reports(&self) -> bool {
        self.gate.is_some()
    }

    /// What is public now.
    pub fn view(&self) -> Arc<View> {
        Arc::clone(&self.view.borrow())
    }

    /// Hears of every change.
    pub fn watch(&self) -> watch::Receiver<Arc<View>> {
        self.view.subscribe()
    }

    pub(super) fn gate(&self) -> Option<Arc<Gate>> {
        let gate = self.gate.as_ref()?;
        Some(Arc::clone(&gate.read().unwrap_or_else(PoisonError::into_inner)))
    }

    /// What the people of a source are asked, if there is such a source: its bytes.
    pub fn source_policy(&self, source: usize) -> Option<PublishedPolicy> {
        let gate = self.gate()?;
        let policy = gate.source_policy(source)?;
        Some(PublishedPolicy { version: policy.version, at: self.entry.created, bytes: policy.encode() })
    }

    pub(super) fn refuse(&self, refusal: Reason) {
        if let Some(at) = Reason::ALL.iter().position(|reason| *reason == refusal) {
            self.refused[at].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reports that were not taken since this process started, by reason.
    pub fn refusals(&self) -> impl Iterator<Item = (Reason, u64)> {
        let counts = self.refused.iter().map(|count| count.load(Ordering::Relaxed));
        Reason::ALL.into_iter().zip(counts)
    }

    /// Shows what the store has, if it has changed.
    pub(super) async fn refresh(&self, marks: Marks, store: &dyn Store) -> Result<(), StoreError> {
        let before = self.view();
        let fresh = !self.read.load(Ordering::Relaxed) || before.marks.newest != marks.newest;
        if before.marks == marks && !fresh {
            return Ok(());
        }
        let mut policy = before.policy.clone();
        if let Some(gate) = self.gate.as_ref().filter(|_| fresh) {
            let policies = store.policies(self.prefix()).await?;
            let next = Arc::new(gate.read().unwrap_or_else(PoisonError::into_inner).with(&policies));
            *gate.write().unwrap_or_else(PoisonError::into_inner) = next;
            policy = policies.into_iter().next_back();
        }
        self.read.store(true, Ordering::Relaxed);
        self.view.send_replace(Arc::new(View { marks, policy }));
        Ok(())
    }
}
