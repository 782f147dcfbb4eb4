//! Rows as they are, whatever a plan wants of them: for who must know people again.

use csv::ByteRecord;

use super::format::plain;
use super::parquet_file::Loaded;

/// Sees every row of a table while it is read. The same people in CSV, gzip or Parquet, under any plan, look
/// the same; rows come in the file's order.
pub trait RowWatcher {
    /// A file begins: the names of its columns, in the order of the cells of its rows.
    fn columns(&mut self, names: &[String]);

    /// One row of it.
    fn row(&mut self, row: &Row<'_>);
}

/// A cell in its one spelling. Shows nothing: it belongs to a person.
#[derive(Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// No value.
    Missing,
    /// A finite number, never a negative zero. Truth values are 1 and 0.
    Number(f64),
    /// Anything else, without spaces around it; days as `2024-01-31`.
    Text(&'a [u8]),
}

impl std::fmt::Debug for Cell<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cell(..)")
    }
}

/// All cells of a row. Shows nothing.
#[derive(Clone, Copy)]
pub struct Row<'a>(Source<'a>);

#[derive(Clone, Copy)]
enum Source<'a> {
    Record(&'a ByteRecord),
    Columns { columns: &'a [Loaded], row: usize },
}

impl std::fmt::Debug for Row<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Row(..)")
    }
}

impl<'a> Row<'a> {
    pub(super) fn of_record(record: &'a ByteRecord) -> Row<'a> {
        Row(Source::Record(record))
    }

    pub(super) fn of_columns(columns: &'a [Loaded], row: usize) -> Row<'a> {
        Row(Source::Columns { columns, row })
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        match self.0 {
            Source::Record(record) => record.len(),
            Source::Columns { columns, .. } => columns.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A cell, by its column's place.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline]
    pub fn cell(&self, place: usize) -> Cell<'a> {
        match self.0 {
            Source::Record(record) => canonical(&record[place]),
            Source::Columns { columns, row } => columns[place].cell(row),
        }
    }
}

/// The one spelling of a cell of text.
#[inline]
pub(super) fn canonical(cell: &[u8]) -> Cell<'_> {
    let cell = cell.trim_ascii();
    match cell.first() {
        None => Cell::Missing,
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => match plain(cell) {
            Some(number) => of_number(number),
            None => Cell::Text(cell),
        },
        Some(_) if cell.eq_ignore_ascii_case(b"true") => Cell::Number(1.0),
        Some(_) if cell.eq_ignore_ascii_case(b"false") => Cell::Number(0.0),
        Some(_) if cell.eq_ignore_ascii_case(b"nan") => Cell::Missing,
        Some(_) => Cell::Text(cell),
    }
}

/// The one spelling of a number.
#[inline]
pub(super) fn of_number(number: f64) -> Cell<'static> {
    if number.is_finite() {
        // Adding zero turns -0 into 0.
        Cell::Number(number + 0.0)
    } else if number.is_nan() {
        Cell::Missing
    } else {
        Cell::Text(if number > 0.0 { b"inf" } else { b"-inf" })
    }
}
