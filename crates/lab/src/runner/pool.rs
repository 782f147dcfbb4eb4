//! Trials on several threads. Each trial has its own streams, so results do not depend on how many threads there are.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use reticent_jobs::Progress;

use super::{LabError, Numbered, Size, Store};

/// An experiment that is repeated in independent trials.
pub trait Repeated: Sync {
    /// What one trial gives.
    type Trial: Numbered + Send;

    /// How much there is to do.
    fn size(&self) -> Size;
    /// Checks that it can be run, before any work.
    fn check(&self) -> Result<(), LabError> {
        self.size().check()
    }
    /// One trial. `go_on` hears how many people were served and may say no; then there is no result.
    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Self::Trial>, LabError>;
}

/// Runs whatever trials the store does not have yet, stores each as it finishes, and returns all of them in order.
pub fn run_all<E: Repeated>(
    experiment: &E,
    threads: usize,
    store: &mut Store<E::Trial>,
    progress: &dyn Progress,
) -> Result<Vec<E::Trial>, LabError> {
    experiment.check()?;
    let Size { people, trials: wanted } = experiment.size();
    let total = wanted as usize;
    let missing: Vec<u32> = (0..wanted).filter(|&trial| !store.has(trial)).collect();
    progress.size(missing.len() as u64 * people);
    progress.trial(total - missing.len(), total);
    work(experiment, threads, &missing, progress, |trial| {
        store.add(trial)?;
        progress.trial(store.count_below(wanted), total);
        Ok(())
    })?;
    let trials = store.first(wanted);
    if trials.len() < total {
        return Err(LabError::Interrupted { finished: trials.len(), trials: wanted });
    }
    Ok(trials)
}

/// Hands out `missing` to threads and passes what comes back to `keep`, on this thread.
fn work<E: Repeated>(
    experiment: &E,
    threads: usize,
    missing: &[u32],
    progress: &dyn Progress,
    mut keep: impl FnMut(E::Trial) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, missing.len().max(1)) {
            let sender = sender.clone();
            let (next, failed) = (&next, &failed);
            scope.spawn(move || {
                while let Some(&trial) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let go_on = |people| {
                        progress.served(people);
                        !progress.stop() && !failed.load(Ordering::Relaxed)
                    };
                    match experiment.run(trial, &go_on) {
                        Ok(None) => break,
                        Ok(Some(trial)) => drop(sender.send(Ok(trial))),
                        Err(error) => drop(sender.send(Err(error))),
                    }
                }
            });
        }
        drop(sender);
        let outcome = receiver.iter().try_for_each(|trial| keep(trial?));
        failed.store(outcome.is_err(), Ordering::Relaxed);
        outcome
    })
}
