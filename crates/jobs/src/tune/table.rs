//! Predictions for many contexts, streamed from file to file.

use std::io::Write;
use std::path::Path;

use super::log::wanted;
use super::{Function, Prediction, TuneError};
use crate::Progress;
use crate::columns::{self, Batch, Layout, RawTable, Reading, Wanted};
use reticent_store::files::{self, FileError};

/// Contexts at a time.
const BLOCK: usize = 256;

/// Writes a row for each context of a file: the context, the best action (or the given one), and the expected reward
/// with its 95 % band, whether people of the context got such actions, and whether it is the usual one. If a context
/// lies outside the declared ranges there is no file. Says how many rows.
pub fn write_table(
    function: &Function,
    contexts: &RawTable,
    action: Option<&[f64]>,
    out: &Path,
    threads: usize,
    progress: &dyn Progress,
) -> Result<u64, TuneError> {
    let plan = function.setting().draft();
    let names: Vec<&str> = plan.contexts.iter().map(|input| input.column.as_str()).collect();
    if names.is_empty() {
        let fault = "the function has no contexts: ask without it".to_string();
        return Err(TuneError::Asked { flag: "--contexts", fault });
    }
    let inputs: Vec<Wanted> = plan.contexts.iter().map(wanted).collect();
    let layout = Layout::new(&contexts.format, &inputs)?;
    progress.begin("predicting");
    files::write_stream(out, |file: &mut dyn Write| {
        let mut table = csv::Writer::from_writer(file);
        let actions = plan.actions.iter().map(|input| input.column.as_str());
        let head = names.iter().copied().chain(actions).chain(["mean", "low", "high", "supported", "usual"]);
        table.write_record(head).map_err(|error| csv_failed(out, error))?;
        let once = Reading { watcher: None, once: true };
        let rows = columns::read_with(&contexts.files, &layout, once, |batch| {
            if progress.stop() {
                return Err(TuneError::Interrupted);
            }
            refuse_outside(function, batch)?;
            for (row, said) in rows(function, batch, action, threads) {
                let cell = |(place, value): (usize, &f64)| {
                    let level = plan.contexts.get(place).and_then(|input| input.level(*value));
                    level.map_or_else(|| value.to_string(), String::from)
                };
                let cells = row.iter().enumerate().map(cell).chain(said.map(|said| said.to_string()));
                table.write_record(cells).map_err(|error| csv_failed(out, error))?;
            }
            progress.served(batch.rows() as u64);
            Ok(())
        })?;
        table.flush().map_err(|error| csv_failed(out, error.into()))?;
        Ok(rows)
    })
}

/// Names the first row with a context that nothing was learned about.
fn refuse_outside(function: &Function, batch: &Batch) -> Result<(), TuneError> {
    for (place, input) in function.setting().draft().contexts.iter().enumerate() {
        let outside = batch.column(place).iter().position(|x| !(input.low..=input.high).contains(x));
        if let Some(row) = outside {
            let (file, row) = (batch.file().to_string(), batch.row_in_file(row));
            return Err(TuneError::Outside { file, row, column: input.column.clone() });
        }
    }
    Ok(())
}

/// Numbers, and whether the action is supported and whether it is the usual one.
type Row = (Vec<f64>, [bool; 2]);

/// The rows of a batch.
fn rows(function: &Function, batch: &Batch, action: Option<&[f64]>, threads: usize) -> Vec<Row> {
    let inputs = &function.setting().draft().contexts;
    let some = |numbers: std::ops::Range<usize>| -> Vec<Row> {
        let context = |row: usize| (0..inputs.len()).map(|input| batch.column(input)[row]).collect();
        let contexts: Vec<Vec<f64>> = numbers.map(context).collect();
        let found = function.best_of(&contexts, action).into_iter();
        let row = |(context, found): (Vec<f64>, Prediction)| {
            let Prediction { action, mean, low, high, supported, usual } = found;
            ([context, action, vec![mean, low, high]].concat(), [supported, usual])
        };
        contexts.into_iter().zip(found).map(row).collect()
    };
    let share = batch.rows().div_ceil(threads.max(1)).max(1);
    let starts = (0..batch.rows()).step_by(share);
    let parts: Vec<Vec<Row>> = std::thread::scope(|scope| {
        let some = &some;
        let work = starts.map(|start| {
            let numbers = start..batch.rows().min(start + share);
            scope.spawn(move || {
                let blocks = numbers.clone().step_by(BLOCK);
                blocks.flat_map(|block| some(block..numbers.end.min(block + BLOCK))).collect::<Vec<_>>()
            })
        });
        let work: Vec<_> = work.collect();
        work.into_iter()
            .map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    parts.into_iter().flatten().collect()
}

/// Rows of equal length are always CSV, so writing is all that can fail.
pub(super) fn csv_failed(path: &Path, error: csv::Error) -> TuneError {
    let source = match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        _ => std::io::Error::other("not CSV"),
    };
    FileError::new("cannot write", path, source).into()
}
