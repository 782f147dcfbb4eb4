//! Contexts in a table, as the log's terms declare them.

use reticent_protocol::pricing::Terms;
use reticent_schema::{ContextError, Field};

use super::PolicyFileError;
use crate::Progress;
use crate::columns::{self, CellFault, ColumnsError, Fault, Layout, RawTable, Reading, Wanted};
use crate::price::market_file::wanted_of;

/// More contexts of a target market than this are thinned evenly: a sample need not be larger.
const MOST: usize = 50_000;

/// A sample of the contexts of the market in which prices will be quoted.
#[derive(Debug, Clone)]
pub struct Target {
    /// In the unit cube.
    pub(super) points: Vec<Vec<f64>>,
    /// How many rows there were: more than points if they were thinned.
    pub(super) rows: u64,
}

impl Target {
    /// How many rows the table had.
    pub fn rows(&self) -> u64 {
        self.rows
    }
}

/// Reads a sample of target contexts, in one pass and bounded memory.
pub fn read_target(
    table: &RawTable,
    terms: &Terms,
    progress: &dyn Progress,
) -> Result<Target, PolicyFileError> {
    progress.begin("reading target contexts");
    let mut points: Vec<Vec<f64>> = Vec::new();
    let mut stride = 1;
    let rows = read_contexts(table, terms, progress, |row, context| {
        if (row - 1).is_multiple_of(stride) {
            points.push(encoded(terms, context)?);
        }
        if points.len() > MOST {
            stride *= 2;
            points = std::mem::take(&mut points).into_iter().step_by(2).collect();
        }
        Ok(())
    })?;
    Ok(Target { points, rows })
}

pub(super) fn encoded(terms: &Terms, context: &[f64]) -> Result<Vec<f64>, PolicyFileError> {
    let mut point = vec![0.0; terms.context().dimension()];
    let encoded = terms.context().encode_placed(context, &mut point);
    // Finite numbers, one a field, are always encoded.
    encoded.map_err(|error: ContextError| PolicyFileError::Policy(error.into()))?;
    Ok(point)
}

/// Gives each row's context to `each`, in own units and inside the declared ranges, a level as the middle of
/// its cell; returns how many rows there were. Rows count from 1.
fn read_contexts(
    table: &RawTable,
    terms: &Terms,
    progress: &dyn Progress,
    mut each: impl FnMut(u64, &[f64]) -> Result<(), PolicyFileError>,
) -> Result<u64, PolicyFileError> {
    let mut context = vec![0.0; terms.context().fields().len()];
    let mut row = 0;
    read_blocks(table, terms, &[], progress, |block| {
        for place in 0..block.rows {
            for (value, column) in context.iter_mut().zip(&block.columns) {
                *value = column[place];
            }
            row += 1;
            each(row, &context)?;
        }
        Ok(())
    })
}

/// Some rows' contexts, a column for each field: in own units and inside the declared ranges, a level as the middle
/// of its cell.
pub(super) struct Block {
    pub(super) rows: usize,
    pub(super) columns: Vec<Vec<f64>>,
}

/// Gives all contexts to `each`, block by block; returns how many rows there were. Fields that nothing looks at need
/// not be in the table, and are in the middle of their range.
pub(super) fn read_blocks(
    table: &RawTable,
    terms: &Terms,
    blind: &[String],
    progress: &dyn Progress,
    mut each: impl FnMut(Block) -> Result<(), PolicyFileError>,
) -> Result<u64, PolicyFileError> {
    let fields = terms.context().fields();
    let seen = |field: &Field| !blind.iter().any(|name| name == field.name());
    let wanted: Vec<Wanted> =
        fields.iter().filter(|field| seen(field)).map(|field| wanted_of(field, false)).collect();
    if wanted.is_empty() && !fields.is_empty() {
        return Err(PolicyFileError::SeesNothing);
    }
    let layout = Layout::new(&table.format, &wanted)?;
    let rows = columns::read_with(&table.files, &layout, Reading { watcher: None, once: true }, |batch| {
        if progress.stop() {
            return Err(PolicyFileError::Interrupted);
        }
        let mut place = 0;
        let column = |field: &Field| {
            let (low, high) = ends(field);
            if !seen(field) {
                return vec![f64::midpoint(low, high); batch.rows()];
            }
            place += 1;
            batch.column(place - 1).iter().map(|value| value.clamp(low, high)).collect()
        };
        each(Block { rows: batch.rows(), columns: fields.iter().map(column).collect() })?;
        progress.served(batch.rows() as u64);
        Ok(())
    });
    rows.map_err(advised)
}

/// A value may lie outside by as much as single precision rounds.
fn ends(field: &Field) -> (f64, f64) {
    match field {
        Field::Numeric { low, high, .. } => (*low, *high),
        Field::Category { levels, .. } => (0.0, levels.len() as f64),
    }
}

fn advised(error: PolicyFileError) -> PolicyFileError {
    match error {
        PolicyFileError::Columns(ColumnsError::Data {
            file,
            fault: Fault::Cell { row, column, fault: CellFault::Outside },
        }) => PolicyFileError::Outside { file, row, column },
        other => other,
    }
}
