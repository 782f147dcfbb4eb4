//! The contexts that actions are wanted for.

use reticent_curate::kernel::{Input, KernelSpec};
use reticent_jobs::columns::{ColumnsError, Layout, RawTable, Reading, Wanted, read_with};

use super::OwnLogError;

/// A plan's contexts in a table, in their own units. One outside its declared range is refused: nothing was learned
/// there.
pub fn own_contexts(setting: &KernelSpec, table: &RawTable) -> Result<Vec<Vec<f64>>, OwnLogError> {
    let inputs = &setting.draft().contexts;
    let layout = Layout::new(&table.format, &inputs.iter().map(wanted).collect::<Vec<_>>())?;
    let mut contexts = Vec::new();
    let once = Reading { watcher: None, once: true };
    read_with(&table.files, &layout, once, |batch| -> Result<(), ColumnsError> {
        let row = |row: usize| (0..inputs.len()).map(|place| batch.column(place)[row]).collect();
        contexts.extend((0..batch.rows()).map(row));
        Ok(())
    })?;
    Ok(contexts)
}

fn wanted(input: &Input) -> Wanted {
    match &input.levels {
        Some(levels) => Wanted::levels(&input.column, levels),
        None => Wanted::range(&input.column, input.low, input.high, false),
    }
}
