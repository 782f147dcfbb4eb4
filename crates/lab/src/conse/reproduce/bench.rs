//! Where a figure's experiments are run.

use reticent_privacy::Epsilon;

use crate::conse::{Experiment, Halved, Halves, Measured, measure};
use crate::reproduce::{ReproduceError, Stage};
use crate::runner::{Store, run_all};

/// What all experiments of one item share.
pub(super) struct Bench<'a>(pub(super) &'a Stage<'a>);

impl<'a> std::ops::Deref for Bench<'a> {
    type Target = Stage<'a>;
    fn deref(&self) -> &Stage<'a> {
        self.0
    }
}

/// Of a quick look; fewer would have no spread.
const FEWEST_TRIALS: u32 = 3;

/// A loss that is written in this module.
pub(super) fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).expect("the constants here are valid")
}

impl Bench<'_> {
    /// So many people, or a tenth for a quick look.
    pub(super) fn people(&self, all: u64) -> u64 {
        if self.options.quick { all / 10 } else { all }
    }

    /// So many trials, or a tenth for a quick look.
    pub(super) fn trials(&self, all: u32) -> u32 {
        if self.options.quick { (all / 10).max(FEWEST_TRIALS) } else { all }
    }

    /// Runs the paper's algorithms, and keeps what its lemmas speak of.
    pub(super) fn halves(&self, halves: &Halves) -> Result<Vec<Halved>, ReproduceError> {
        Ok(run_all(halves, self.options.threads, &mut Store::in_memory(), self.progress)?)
    }

    /// Runs an experiment; kept trials are under `out/trials`, where a rerun finds them. None if nothing was estimated.
    pub(super) fn measure(&self, experiment: &Experiment) -> Result<Option<Measured>, ReproduceError> {
        let mut store = self.store(&experiment.key())?;
        let trials = run_all(experiment, self.options.threads, &mut store, self.progress)?;
        Ok(measure(experiment, &trials))
    }
}
