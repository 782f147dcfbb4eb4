//! Context columns with names of their own, some of numbers and some of words.
//!
//! Like the ranges of numbers, the levels of a category are those in the file, in alphabetical order: fine for a
//! benchmark, and nothing that a deployment may do with its users' data.

use std::collections::BTreeMap;

use reticent_jobs::columns::{Cell, Row, RowWatcher};
use reticent_schema::Field;

use super::DataFault;

/// What a missing value of a category is called: a level like any other.
const MISSING: &str = "(missing)";
/// A category with more levels is somebody's name.
const MAX_LEVELS: usize = 256;

/// Keeps the wanted columns' cells as they come.
pub(super) struct Mixed {
    wanted: Vec<String>,
    /// For each wanted column its place in the file.
    places: Vec<usize>,
    columns: Vec<Column>,
}

/// The cells of a column so far.
#[derive(Default)]
struct Column {
    numbers: Vec<f64>,
    /// Every spelling, with a number in the order of appearance.
    spellings: BTreeMap<String, usize>,
    /// The spelling of each row.
    spelled: Vec<u16>,
    has_words: bool,
}

impl Mixed {
    pub(super) fn new(wanted: &[String]) -> Mixed {
        let columns = wanted.iter().map(|_| Column::default()).collect();
        Mixed { wanted: wanted.to_vec(), places: Vec::new(), columns }
    }

    /// What each column is, and its numbers: a level is its place plus one half, a missing number a NaN.
    pub(super) fn finish(self) -> Result<Vec<(Field, Vec<f64>)>, DataFault> {
        self.wanted.into_iter().zip(self.columns).map(|(name, column)| column.finish(name)).collect()
    }
}

impl Column {
    fn add(&mut self, cell: Cell<'_>) {
        let (number, text) = match cell {
            Cell::Missing => (f64::NAN, MISSING.to_string()),
            Cell::Number(number) => (number, number.to_string()),
            Cell::Text(text) => {
                self.has_words = true;
                (f64::NAN, String::from_utf8_lossy(text).into_owned())
            }
        };
        self.numbers.push(number);
        // A column of numbers has any number of spellings, and needs none of them.
        if self.spellings.len() <= MAX_LEVELS {
            let next = self.spellings.len();
            let spelling = *self.spellings.entry(text).or_insert(next);
            self.spelled.push(spelling as u16);
        }
    }

    fn finish(self, name: String) -> Result<(Field, Vec<f64>), DataFault> {
        if !self.has_words {
            let known = self.numbers.iter().copied().filter(|x| !x.is_nan());
            let (low, high) =
                known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
            // A column without values, or with one value alone, says nothing wherever it is put.
            let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
            return Ok((Field::Numeric { name, low, high }, self.numbers));
        }
        if self.spellings.len() > MAX_LEVELS {
            return Err(DataFault::TooManyLevels { name });
        }
        let mut place = vec![0.0; self.spellings.len()];
        for (level, &spelling) in self.spellings.values().enumerate() {
            place[spelling] = level as f64 + 0.5;
        }
        let numbers = self.spelled.iter().map(|&spelling| place[spelling as usize]).collect();
        let mut levels: Vec<String> = self.spellings.into_keys().collect();
        if levels.len() < 2 {
            levels.push("(other)".into());
        }
        Ok((Field::Category { name, levels }, numbers))
    }
}

impl RowWatcher for Mixed {
    fn columns(&mut self, names: &[String]) {
        // The header was checked: each wanted name is there.
        let place = |name: &String| names.iter().position(|other| other == name).unwrap_or_default();
        self.places = self.wanted.iter().map(place).collect();
    }

    fn row(&mut self, row: &Row<'_>) {
        for (column, &place) in self.columns.iter_mut().zip(&self.places) {
            column.add(row.cell(place));
        }
    }
}
