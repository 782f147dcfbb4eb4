//! A whole log in memory, for methods that were not made for streams.

use reticent_curate::kernel::{KernelSpec, Records};
use reticent_jobs::Progress;
use reticent_jobs::tune::{Counted, Log, TuneError};

/// All records of a log, which must be as it was counted.
pub(super) fn records(
    setting: &KernelSpec,
    log: &Log<'_>,
    counted: Counted,
    progress: &dyn Progress,
) -> Result<Records, TuneError> {
    let mut all = Records::new(setting.inputs());
    let now = log.each(counted.rows, progress, |records| {
        for place in 0..records.len() {
            // A reward beyond its range stays one.
            let further = if records.beyond()[place] { 2.0 } else { 1.0 };
            all.push(&records.points().point(place), further * records.rewards()[place]);
        }
        Ok(())
    })?;
    if now == counted { Ok(all) } else { Err(TuneError::Changed) }
}
