//! Reports into the learner, exactly once and in order; policy, state and position out, in one step.
//!
//! [`Fold`] is one experiment's folding, step by step: whatever stops it, the next one goes on where the store says.
//! [`run`] takes the steps while the lease is held.

mod run;

use std::sync::Arc;

use reticent_store::Moment;

pub(crate) use run::{Folding, run};

use crate::learner::{Learner, LearnerError};
use crate::store::{Entry, Learned, Phase, Publication, Store, StoreError};

/// Reports in one step.
const MOST_AT_ONCE: usize = 20_000;
const SECONDS_A_DAY: i64 = 86_400;
/// So many policies of a report window are told apart when they are closed.
const SLOTS: i64 = 256;
/// Where nothing comes, what may be forgotten is looked at so often.
const TIDY_EVERY: i64 = 600;

/// What a step came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// So many reports are in the state now that were not.
    Folded(u64),
    /// Nothing was to be done.
    Idle,
    /// Another server went on meanwhile: what was done here counts for nothing.
    Lost,
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FoldError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The state in the store.
    #[error(transparent)]
    Learner(#[from] LearnerError),
    /// The experiment is gone.
    #[error("the store does not have the experiment")]
    Gone,
    /// The work itself was interrupted.
    #[error("folding was interrupted")]
    Interrupted,
}

/// The folding of one experiment.
pub struct Fold {
    store: Arc<dyn Store>,
    entry: Entry,
    loaded: Option<Loaded>,
}

impl std::fmt::Debug for Fold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fold").finish_non_exhaustive()
    }
}

struct Loaded {
    learner: Learner,
    folded: u64,
    /// Versions and times of the policies that are open, oldest first.
    open: Vec<(u64, Moment)>,
    /// When nothing came, the last look at what may be forgotten.
    tidied: Moment,
}

impl Fold {
    /// Of this experiment.
    pub fn new(store: Arc<dyn Store>, entry: Entry) -> Fold {
        Fold { store, entry, loaded: None }
    }

    /// Takes in what came, and publishes. If it fails nothing is known of what happened: the next step reads it again.
    pub async fn step(&mut self, now: Moment, phase: Phase) -> Result<Step, FoldError> {
        let prefix = self.entry.experiment.prefix();
        let mut loaded = match self.loaded.take() {
            Some(loaded) => loaded,
            None => self.load(now).await?,
        };
        let segments = self.store.unfolded(prefix, loaded.folded, MOST_AT_ONCE).await?;
        let to = segments.last().map_or(loaded.folded, crate::store::Segment::end);
        let freeze = phase == Phase::Frozen && segments.is_empty() && !loaded.learner.is_frozen();
        let tidy = now.unix() >= loaded.tidied.unix().saturating_add(TIDY_EVERY);
        if segments.is_empty() && !freeze && !tidy {
            self.loaded = Some(loaded);
            return Ok(Step::Idle);
        }
        let work = move || {
            for segment in &segments {
                segment.reports.iter().for_each(|report| loaded.learner.absorb(report, segment.at));
            }
            if freeze {
                loaded.learner.freeze();
            }
            let learned = learned(&loaded.learner)?;
            Ok::<_, LearnerError>((loaded, learned))
        };
        let done = tokio::task::spawn_blocking(work).await.map_err(|_| FoldError::Interrupted)?;
        let (mut loaded, learned) = done?;
        let from = std::mem::replace(&mut loaded.folded, to);
        loaded.tidied = now;
        let step = self.publication(&mut loaded, from, learned, now);
        if !self.store.publish(step).await? {
            return Ok(Step::Lost);
        }
        self.loaded = Some(loaded);
        Ok(if to > from || freeze { Step::Folded(to - from) } else { Step::Idle })
    }

    async fn load(&self, now: Moment) -> Result<Loaded, FoldError> {
        let prefix = self.entry.experiment.prefix();
        let (marks, learned) = self.store.learned(prefix).await?.ok_or(FoldError::Gone)?;
        let open = self.store.policies(prefix).await?.iter().map(|one| (one.version, one.at)).collect();
        let read = move || Learner::load(&learned.state);
        let learner = tokio::task::spawn_blocking(read).await.map_err(|_| FoldError::Interrupted)??;
        Ok(Loaded { learner, folded: marks.folded, open, tidied: now })
    }

    fn publication(&self, loaded: &mut Loaded, from: u64, learned: Learned, now: Moment) -> Publication {
        let newest = loaded.open.last().map(|(version, _)| *version);
        let policy =
            loaded.learner.policy().filter(|policy| newest.is_none_or(|newest| policy.version > newest));
        let window = i64::from(self.entry.experiment.report_window_days().get()) * SECONDS_A_DAY;
        let mut thinned = None;
        if let Some(policy) = &policy {
            thinned = thin(&mut loaded.open, window / SLOTS);
            loaded.open.push((policy.version, now));
        }
        let over = |(_, at): &(u64, Moment)| at.unix() + window < now.unix();
        while loaded.open.len() > 1 && over(&loaded.open[0]) {
            loaded.open.remove(0);
        }
        let kept = i64::try_from(self.entry.settings.keep_reports_seconds).unwrap_or(i64::MAX);
        Publication {
            experiment: self.entry.experiment.prefix(),
            from,
            to: loaded.folded,
            at: now,
            learned,
            policy: policy.map(|policy| (policy.version, policy.bytes)),
            thinned,
            oldest: loaded.open.first().map_or(0, |(version, _)| *version),
            // What came in this second is before the next one.
            keep_since: Moment::from_unix(now.unix().saturating_sub(kept).saturating_add(1)),
        }
    }
}

/// Policies that follow each other within moments need not all be told apart when they are closed: reports of one that
/// is forgotten count for as long as those of the one after it.
fn thin(open: &mut Vec<(u64, Moment)>, slot: i64) -> Option<u64> {
    let [.., (_, before), (last, at)] = open.as_slice() else { return None };
    let close = at.unix() - before.unix() < slot;
    let last = *last;
    close.then(|| {
        open.pop();
        last
    })
}

/// What the store keeps of a learner.
pub(crate) fn learned(learner: &Learner) -> Result<Learned, LearnerError> {
    let insight = serde_json::to_vec(&learner.insight()).map_err(|e| LearnerError::Saved(e.to_string()))?;
    Ok(Learned { state: learner.save()?, insight })
}
