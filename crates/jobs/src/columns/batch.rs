//! Some rows of the wanted columns.

use std::fmt;

use super::BATCH_ROWS;

/// At most [`BATCH_ROWS`] rows of one file in succession, column by column in the order in which they were
/// asked for.
pub struct Batch {
    first_row: u64,
    rows: usize,
    file: String,
    /// How many rows there were before this file.
    before_file: u64,
    pub(super) columns: Vec<Vec<f64>>,
}

/// The shape alone: the values belong to people.
impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("first_row", &self.first_row)
            .field("rows", &self.rows)
            .field("columns", &self.columns.len())
            .finish_non_exhaustive()
    }
}

impl Batch {
    pub(super) fn new(columns: usize) -> Batch {
        let column = || Vec::with_capacity(BATCH_ROWS);
        Batch {
            first_row: 1,
            rows: 0,
            file: String::new(),
            before_file: 0,
            columns: std::iter::repeat_with(column).take(columns).collect(),
        }
    }

    /// How many rows there are: at least one.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of the first row. Rows are counted from 1 after the header, through all files.
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// The file that the rows are of.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The number of a row in its file, by its place in the batch.
    pub fn row_in_file(&self, place: usize) -> u64 {
        self.first_row - self.before_file + place as u64
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// A column's numbers, one a row; all finite, unless a plan may count some as lost.
    ///
    /// # Panics
    /// If fewer columns were asked for.
    pub fn column(&self, place: usize) -> &[f64] {
        &self.columns[place]
    }

    /// The number of the row that comes after these.
    pub(super) fn next_row(&self) -> u64 {
        self.first_row + self.rows as u64
    }

    /// The same in its file.
    pub(super) fn next_row_in_file(&self) -> u64 {
        self.row_in_file(self.rows)
    }

    /// Counts rows that were added to each column.
    pub(super) fn add(&mut self, rows: usize) {
        self.rows += rows;
    }

    /// Makes room for the rows after these.
    pub(super) fn turn(&mut self) {
        self.first_row = self.next_row();
        self.rows = 0;
        self.columns.iter_mut().for_each(Vec::clear);
    }

    /// Another file begins.
    pub(super) fn begin(&mut self, file: String) {
        self.turn();
        self.before_file = self.first_row - 1;
        self.file = file;
    }
}
