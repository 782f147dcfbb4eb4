//! Where a figure's experiments are run.

use reticent_privacy::Epsilon;

use crate::kernel::{Experiment, Measured, Method, measure};
use crate::reproduce::{ReproduceError, Stage};

/// What all experiments of one item share.
pub(super) struct Bench<'a> {
    /// What is compared.
    pub(super) methods: &'static [&'static dyn Method],
    pub(super) stage: &'a Stage<'a>,
}

impl<'a> std::ops::Deref for Bench<'a> {
    type Target = Stage<'a>;
    fn deref(&self) -> &Stage<'a> {
        self.stage
    }
}

const TRIALS: u32 = 20;
const QUICK_TRIALS: u32 = 3;
/// Half a decade apart, so that slopes have five points.
const PEOPLE: [u64; 5] = [1000, 3162, 10_000, 31_623, 100_000];
const QUICK_PEOPLE: usize = 3;

/// A loss that is written in this module.
pub(super) fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).expect("the constants here are valid")
}

impl Bench<'_> {
    /// Numbers of people.
    pub(super) fn people(&self) -> &'static [u64] {
        if self.options.quick { &PEOPLE[..QUICK_PEOPLE] } else { &PEOPLE }
    }

    /// Trials of each experiment.
    pub(super) fn trials(&self) -> u32 {
        if self.options.quick { QUICK_TRIALS } else { TRIALS }
    }

    /// Runs an experiment; kept trials are under `out/trials`, where a rerun finds them.
    pub(super) fn measure(&self, experiment: &Experiment) -> Result<Measured, ReproduceError> {
        let mut store = self.store(&experiment.key())?;
        Ok(measure(experiment, self.options.threads, &mut store, self.progress)?)
    }
}
