//! Named columns of numbers from a table in a file, CSV or Parquet, as a stream of batches: the file may be
//! larger than memory.

mod batch;
mod csv_file;
mod error;
mod parquet_file;
#[cfg(test)]
mod tests;

use std::path::Path;

pub use batch::Batch;
pub use error::{ColumnsError, Fault};

use crate::table_file::Trouble;
use reticent_store::files::FileError;

/// The most rows of a batch.
pub const BATCH_ROWS: usize = 8192;

/// Reads the columns `names` and gives them to `each`, batch by batch and in the file's order. All batches
/// but the last have [`BATCH_ROWS`] rows, whatever the file's own blocks are. Returns how many rows there
/// were.
///
/// A file is Parquet if its name ends in `.parquet`; any other is CSV with a header, decompressed if its name
/// ends in `.gz`. Every cell of the columns must be a finite number; integers beyond 2⁵³ are rounded to the
/// nearest double. Blank lines of a CSV file are no rows.
///
/// Rows are checked as they are read: batches before the one with a fault have been given to `each`.
pub fn read<E: From<ColumnsError>>(
    path: &Path,
    names: &[&str],
    each: impl FnMut(&Batch) -> Result<(), E>,
) -> Result<u64, E> {
    let rows = if is_parquet(path) {
        parquet_file::read(path, names, each)
    } else {
        csv_file::read(path, names, each)
    };
    rows.map_err(|stop| match stop {
        Stop::Table(error) => error.into(),
        Stop::Each(error) => error,
    })
}

/// The names of a table's columns. A CSV file's first line is taken for them, whatever it holds.
pub fn header(path: &Path) -> Result<Vec<String>, ColumnsError> {
    if is_parquet(path) { parquet_file::header(path) } else { csv_file::header(path) }
}

fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

/// Where a wanted column is among those there are.
fn find(names: &[String], column: &str) -> Result<usize, Fault> {
    let mut places = (0..names.len()).filter(|&place| names[place] == column);
    let first =
        places.next().ok_or_else(|| Fault::NoColumn { column: column.into(), have: names.to_vec() })?;
    match places.next() {
        None => Ok(first),
        Some(_) => Err(Fault::RepeatedColumn { column: column.into() }),
    }
}

/// Why reading stopped: the table, or the one who is given its batches.
enum Stop<E> {
    Table(ColumnsError),
    Each(E),
}

impl<E> From<FileError> for Stop<E> {
    fn from(error: FileError) -> Stop<E> {
        Stop::Table(error.into())
    }
}

/// The same before the file's name is known.
enum Halt<E> {
    Fault(Fault),
    Each(E),
}

impl<E> Halt<E> {
    fn of(self, file: String) -> Stop<E> {
        match self {
            Halt::Fault(fault) => Stop::Table(ColumnsError::Data { file, fault }),
            Halt::Each(error) => Stop::Each(error),
        }
    }
}

impl<E> From<Fault> for Trouble<Halt<E>> {
    fn from(fault: Fault) -> Trouble<Halt<E>> {
        Trouble::Fault(Halt::Fault(fault))
    }
}

impl From<Fault> for Trouble<Fault> {
    fn from(fault: Fault) -> Trouble<Fault> {
        Trouble::Fault(fault)
    }
}

impl<E> From<Trouble<Fault>> for Trouble<Halt<E>> {
    fn from(trouble: Trouble<Fault>) -> Trouble<Halt<E>> {
        match trouble {
            Trouble::Io(source) => Trouble::Io(source),
            Trouble::Fault(fault) => fault.into(),
        }
    }
}
