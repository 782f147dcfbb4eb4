//! Why columns cannot be read. Places are named, values never: they belong to people.

use reticent_store::files::FileError;

/// Why columns cannot be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are places")]
#[non_exhaustive]
pub enum ColumnsError {
    /// The file could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The table is not one of numbers, or not with these columns.
    #[error("{file}: {fault}")]
    Data { file: String, fault: Fault },
}

/// What is wrong in a table. Rows are counted from 1 after the header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are places")]
#[non_exhaustive]
pub enum Fault {
    #[error("there is no column `{column}`; there are {}", listed(have))]
    NoColumn { column: String, have: Vec<String> },
    /// The names there are stay unsaid, as they may be somebody's values.
    #[error("there is no column `{column}`, and the first line holds numbers: is the header missing?")]
    NoHeader { column: String },
    #[error("there is more than one column `{column}`")]
    RepeatedColumn { column: String },
    #[error("row {row}: {got} columns where the header has {expected}")]
    Ragged { row: u64, expected: usize, got: usize },
    #[error("row {row}, column `{column}`: not a number")]
    NotANumber { row: u64, column: String },
    #[error("row {row}, column `{column}`: not a finite number")]
    NotFinite { row: u64, column: String },
    #[error("row {row}, column `{column}`: no value, but every row needs one")]
    Missing { row: u64, column: String },
    #[error(
        "column `{column}` is of type {found}; make it one of BOOLEAN, INT32, INT64, FLOAT and DOUBLE without a unit"
    )]
    WrongType { column: String, found: String },
    #[error("column `{column}` is compressed by {found}; use SNAPPY, GZIP, ZSTD or none")]
    Compression { column: String, found: String },
    #[error("there are no rows")]
    NoRows,
    #[error("not a Parquet file, or one that is damaged, cut short or encrypted")]
    Damaged,
}

/// The first names: a wide table's would fill the screen.
fn listed(names: &[String]) -> String {
    const MOST: usize = 20;
    let shown: Vec<_> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    match names.len().checked_sub(MOST) {
        None | Some(0) => shown.join(", "),
        Some(more) => format!("{} and {more} more", shown.join(", ")),
    }
}
