//! A public sample of contexts.

use reticent_curate::kernel::{KernelSpec, Points, Population};

use super::TuneError;
use super::log::wanted;
use crate::columns::{self, Layout, RawTable, Reading, Wanted};

/// No more are ever looked at, and they are stored with the release.
const MOST: usize = 16_384;

/// Reads contexts that are public and not those of the people in the log. A long file is thinned evenly.
pub fn read_sample(table: &RawTable, setting: &KernelSpec) -> Result<Population, TuneError> {
    let inputs: Vec<Wanted> = setting.draft().contexts.iter().map(wanted).collect();
    if inputs.is_empty() {
        let fault = "the plan has no [[context]], so there is no population to describe".to_string();
        return Err(TuneError::Asked { flag: "--contexts", fault });
    }
    let layout = Layout::new(&table.format, &inputs)?;
    let mut sample = Points::new(inputs.len());
    let mut step = 1;
    let once = Reading { watcher: None, once: true };
    columns::read_with(&table.files, &layout, once, |batch| -> Result<(), TuneError> {
        for row in 0..batch.rows() {
            if !(batch.first_row() - 1 + row as u64).is_multiple_of(step) {
                continue;
            }
            if sample.len() == MOST {
                // Every other one of those so far stays; this row's number is a multiple of the new step too.
                sample = sample.select(&(0..MOST).step_by(2).collect::<Vec<_>>());
                step *= 2;
            }
            let value = |i: usize| setting.scaled(setting.actions() + i, batch.column(i)[row]);
            sample.push(&(0..inputs.len()).map(value).collect::<Vec<_>>());
        }
        Ok(())
    })?;
    Ok(Population::Sample(sample))
}
