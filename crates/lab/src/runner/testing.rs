//! For the tests of experiments.

use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};

use reticent_jobs::Progress;

use super::{Repeated, Store, run_all};

/// Stops when so many trials have finished.
pub(crate) struct StopAfter(usize, AtomicUsize);

impl StopAfter {
    pub(crate) fn trials(trials: usize) -> StopAfter {
        StopAfter(trials, AtomicUsize::new(0))
    }

    pub(crate) fn never() -> StopAfter {
        StopAfter::trials(usize::MAX)
    }
}

impl Progress for StopAfter {
    fn trial(&self, finished: usize, _: usize) {
        self.1.store(finished, Ordering::Relaxed);
    }
    fn stop(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

/// All trials, on so many threads.
pub(crate) fn on_threads<E: Repeated>(experiment: &E, threads: usize) -> Vec<E::Trial> {
    run_all(experiment, threads, &mut Store::in_memory(), &StopAfter::never()).unwrap()
}

/// The number of threads changes nothing.
pub(crate) fn threads_change_nothing<E: Repeated>(experiment: &E)
where
    E::Trial: PartialEq + Debug,
{
    let alone = on_threads(experiment, 1);
    for threads in [2, 3] {
        assert_eq!(on_threads(experiment, threads), alone);
    }
}
