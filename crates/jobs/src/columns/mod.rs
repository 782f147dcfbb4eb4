//! Named columns of a table as numbers, in batches: the one reader of raw tables. A table may be larger than
//! memory; it is CSV, plain or compressed by gzip, or Parquet; in one file, in several, or on standard input.
//!
//! [`TableFiles`] is where the table is, [`TableFormat`] how it is written, [`Wanted`] what the plan wants of a
//! column, and [`Layout`] all of that, ready to read. [`RowWatcher`] sees whole rows. `docs/tables.md` has all
//! formats.

mod batch;
mod csv_file;
mod ending;
mod error;
mod files;
pub mod format;
mod header;
mod layout;
mod parquet_file;
mod survey;
#[cfg(test)]
mod tests;
mod watch;

use std::io;
use std::path::Path;

pub use batch::Batch;
pub use error::{CellFault, ColumnsError, Fault};
pub use files::TableFiles;
pub use format::{FormatError, TableFormat};
pub use layout::{Layout, Wanted};
pub use survey::{Survey, Surveyed};
pub use watch::{Cell, Row, RowWatcher};

use files::{Opened, Part};

/// The most rows of a batch.
pub const BATCH_ROWS: usize = 8192;

/// A table that is not read yet: where it is, and how it is written.
#[derive(Debug)]
pub struct RawTable {
    /// Where it is.
    pub files: TableFiles,
    /// How it is written.
    pub format: TableFormat,
}

impl RawTable {
    /// A table at one place that is written plainly.
    pub fn plain(place: &Path) -> Result<RawTable, ColumnsError> {
        Ok(RawTable { files: TableFiles::one(place)?, format: TableFormat::default() })
    }
}

/// How a table is read.
#[derive(Default)]
pub struct Reading<'a> {
    /// Sees whole rows before they are given to anybody.
    pub watcher: Option<&'a mut dyn RowWatcher>,
    /// The table will not be read again, so that standard input need not be kept in memory.
    pub once: bool,
}

/// Reads the columns `names` of plain numbers from one place; see [`read_with`].
pub fn read<E: From<ColumnsError>>(
    path: &Path,
    names: &[&str],
    each: impl FnMut(&Batch) -> Result<(), E>,
) -> Result<u64, E> {
    let files = TableFiles::one(path)?;
    read_with(&files, &Layout::numbers(names), Reading::default(), each)
}

/// Reads the wanted columns and gives them to `each`, batch by batch and in the files' order. All batches of a
/// file but its last have [`BATCH_ROWS`] rows, whatever the file's own blocks are. Returns how many rows there
/// were.
///
/// A file is Parquet or gzip by its name's ending or its first bytes; any other is CSV with a header. Integers
/// beyond 2⁵³ are rounded to the nearest double. Blank lines of a CSV file are no rows.
///
/// Rows are checked as they are read: batches before the one with a fault have been given to `each`.
pub fn read_with<E: From<ColumnsError>>(
    files: &TableFiles,
    layout: &Layout,
    reading: Reading<'_>,
    mut each: impl FnMut(&Batch) -> Result<(), E>,
) -> Result<u64, E> {
    let task = Task { layout, watcher: reading.watcher, survey: None };
    run(files, task, !reading.once, &mut each)
}

/// Counts what is wrong in a table, by column and kind.
pub fn survey(
    files: &TableFiles,
    layout: &Layout,
    go_on: &dyn Fn(u64) -> bool,
) -> Result<Option<Survey>, ColumnsError> {
    enum End {
        Stopped,
        Wrong(ColumnsError),
    }
    impl From<ColumnsError> for End {
        fn from(error: ColumnsError) -> End {
            End::Wrong(error)
        }
    }
    let mut survey = Survey::new(layout.names());
    let task = Task { layout, watcher: None, survey: Some(&mut survey) };
    let each = &mut |batch: &Batch| if go_on(batch.rows() as u64) { Ok(()) } else { Err(End::Stopped) };
    match run(files, task, false, each) {
        Ok(_) => Ok(Some(survey)),
        Err(End::Stopped) => Ok(None),
        Err(End::Wrong(error)) => Err(error),
    }
}

/// What a table's first line says. For those alone who write a plan for the table's owner: in a file without a
/// header the names are somebody's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The names of the columns.
    pub names: Vec<String>,
    /// What stands between cells of a CSV file; none for Parquet, where names are names.
    pub delimiter: Option<char>,
    /// The first rows of a CSV file, to tell a header from a record.
    pub(crate) sample: Vec<Vec<String>>,
}

/// The names of the columns of a table's first file.
pub fn header(files: &TableFiles) -> Result<Header, ColumnsError> {
    let Some(part) = files.parts().first() else {
        return Err(ColumnsError::NoTable { file: files.name().into(), why: "there is no file" });
    };
    let told = |trouble| match trouble {
        Trouble::Io(source) => part.failed(source).into(),
        Trouble::Fault(fault) => ColumnsError::Data { file: part.name(), fault },
    };
    match part.open(true).map_err(|source| part.failed(source))? {
        Opened::Parquet(stored) => parquet_file::header(stored).map_err(told),
        Opened::Csv(input) => csv_file::header(input).map_err(told),
    }
}

/// What is read, who watches, and what happens to faults.
struct Task<'a, 'w> {
    layout: &'a Layout,
    watcher: Option<&'w mut dyn RowWatcher>,
    /// Faults are counted here; without it the first one ends the reading.
    survey: Option<&'a mut Survey>,
}

impl Task<'_, '_> {
    /// What becomes of a cell that cannot be read: an error, or a count and a NaN.
    fn fault(&mut self, row: u64, column: usize, fault: CellFault) -> Result<f64, Fault> {
        match &mut self.survey {
            Some(survey) => {
                survey.fault(column, fault);
                Ok(f64::NAN)
            }
            None => Err(Fault::Cell { row, column: self.layout.columns[column].name.clone(), fault }),
        }
    }

    /// Counts what will be clipped, for who counts.
    fn note(&mut self, batch: &Batch) {
        let Some(survey) = &mut self.survey else { return };
        survey.rows += batch.rows() as u64;
        for (place, column) in self.layout.columns.iter().enumerate() {
            let clipped = batch.column(place).iter().filter(|number| column.is_clipped(**number)).count();
            survey.columns[place].clipped += clipped as u64;
        }
    }
}

type Each<'a, E> = &'a mut dyn FnMut(&Batch) -> Result<(), E>;

fn run<E: From<ColumnsError>>(
    files: &TableFiles,
    mut task: Task<'_, '_>,
    again: bool,
    each: Each<'_, E>,
) -> Result<u64, E> {
    let mut batch = Batch::new(task.layout.columns.len());
    for part in files.parts() {
        batch.begin(part.name());
        read_part(part, again, &mut task, &mut batch, each)?;
    }
    match batch.next_row() - 1 {
        0 => Err(ColumnsError::Data { file: files.name().into(), fault: Fault::NoRows }.into()),
        rows => Ok(rows),
    }
}

fn read_part<E: From<ColumnsError>>(
    part: &Part,
    again: bool,
    task: &mut Task<'_, '_>,
    batch: &mut Batch,
    each: Each<'_, E>,
) -> Result<(), E> {
    let unreadable = |source| E::from(ColumnsError::File(part.failed(source)));
    let done = match part.open(again).map_err(unreadable)? {
        Opened::Parquet(stored) => parquet_file::read(stored, task, batch, each),
        Opened::Csv(input) => csv_file::read(input, task, batch, each),
    };
    done.map_err(|stop| match stop {
        Stop::Trouble(Trouble::Io(source)) => unreadable(source),
        Stop::Trouble(Trouble::Fault(fault)) => ColumnsError::Data { file: part.name(), fault }.into(),
        Stop::Each(error) => error,
    })
}

/// What went wrong while reading: the file itself or what is in it.
enum Trouble {
    Io(io::Error),
    Fault(Fault),
}

/// Why reading stopped: the table, or the one who is given its batches.
enum Stop<E> {
    Trouble(Trouble),
    Each(E),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Io(error)
    }
}

impl From<csv::Error> for Trouble {
    /// Bytes of any length in rows of any length are accepted, so reading is all that can fail.
    fn from(error: csv::Error) -> Trouble {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Trouble::Io(error),
            _ => Trouble::Io(io::Error::other("not CSV")),
        }
    }
}

impl<E, T: Into<Trouble>> From<T> for Stop<E> {
    fn from(trouble: T) -> Stop<E> {
        Stop::Trouble(trouble.into())
    }
}
