//! Contexts in a table, as the log's terms declare them.

use std::path::Path;

use reticent_protocol::pricing::Terms;
use reticent_schema::{ContextError, Field};

use super::PolicyFileError;
use crate::Progress;
use crate::columns::{self, Batch};

/// More contexts of a target market than this are thinned evenly: a sample need not be larger.
const MOST: usize = 50_000;

/// A field that a table can hold.
struct Column<'a> {
    name: &'a str,
    low: f64,
    high: f64,
}

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
pub fn read_target(path: &Path, terms: &Terms, progress: &dyn Progress) -> Result<Target, PolicyFileError> {
    progress.begin("reading target contexts");
    let mut points: Vec<Vec<f64>> = Vec::new();
    let mut stride = 1;
    let rows = read_contexts(path, terms, progress, |row, context| {
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

fn encoded(terms: &Terms, context: &[f64]) -> Result<Vec<f64>, PolicyFileError> {
    let mut point = vec![0.0; terms.context().dimension()];
    let encoded = terms.context().encode_numbers(context, &mut point);
    // Finite numbers, one a field, are always encoded; a category has no column.
    encoded.map_err(|error: ContextError| PolicyFileError::Policy(error.into()))?;
    Ok(point)
}

/// Gives each row's context to `each`, in own units and inside the declared ranges; returns how many rows
/// there were. Rows count from 1.
pub(super) fn read_contexts(
    path: &Path,
    terms: &Terms,
    progress: &dyn Progress,
    mut each: impl FnMut(u64, &[f64]) -> Result<(), PolicyFileError>,
) -> Result<u64, PolicyFileError> {
    let columns = terms.context().fields().iter().map(column).collect::<Result<Vec<Column>, _>>()?;
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let mut context = vec![0.0; columns.len()];
    columns::read(path, &names, |batch| {
        if progress.stop() {
            return Err(PolicyFileError::Interrupted);
        }
        check(path, &columns, batch)?;
        for row in 0..batch.rows() {
            for (place, (value, column)) in context.iter_mut().zip(&columns).enumerate() {
                *value = batch.column(place)[row].clamp(column.low, column.high);
            }
            each(batch.first_row() + row as u64, &context)?;
        }
        progress.served(batch.rows() as u64);
        Ok(())
    })
}

fn column(field: &Field) -> Result<Column<'_>, PolicyFileError> {
    match field {
        Field::Numeric { name, low, high } => Ok(Column { name, low: *low, high: *high }),
        Field::Category { name, .. } => Err(PolicyFileError::Category(name.clone())),
    }
}

/// The first row that is outside is told.
fn check(path: &Path, columns: &[Column], batch: &Batch) -> Result<(), PolicyFileError> {
    let outside = columns.iter().enumerate().filter_map(|(place, column)| {
        let row = batch.column(place).iter().position(|&value| !column.holds(value))?;
        Some((row, column.name))
    });
    match outside.min_by_key(|(row, _)| *row) {
        None => Ok(()),
        Some((row, name)) => {
            let (file, row) = (path.display().to_string(), batch.first_row() + row as u64);
            Err(PolicyFileError::Outside { file, row, column: name.into() })
        }
    }
}

impl Column<'_> {
    /// As exactly as a column of single precision can say.
    fn holds(&self, value: f64) -> bool {
        let slack = |end: f64| end.abs() * f64::from(f32::EPSILON);
        (self.low - slack(self.low)..=self.high + slack(self.high)).contains(&value)
    }
}
