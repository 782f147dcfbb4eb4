//! Where experiments are run.

use reticent_privacy::Epsilon;

use super::row::Row;
use crate::pricing::{Experiment, MethodName, Setting, measure};
use crate::reproduce::{ReproduceError, Stage};

const TRIALS: u32 = 10;
const QUICK_TRIALS: u32 = 2;

/// A loss that is written in this module.
pub(super) fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).expect("the constants here are valid")
}

impl Stage<'_> {
    /// Trials of each experiment.
    pub(super) fn trials(&self) -> u32 {
        if self.options.quick { QUICK_TRIALS } else { TRIALS }
    }

    /// Runs an experiment; kept trials are under `out/trials`, where a rerun finds them.
    pub(super) fn measure(
        &self,
        label: String,
        kind: MethodName,
        setting: Setting,
        trials: u32,
    ) -> Result<Row, ReproduceError> {
        let experiment = Experiment { kind, setting, trials, seed: self.options.seed };
        let mut store = self.store(&experiment.key())?;
        let measured = measure(&experiment, self.options.threads, &mut store, self.progress)?;
        Ok(Row { label, kind, setting, trials, measured })
    }
}
