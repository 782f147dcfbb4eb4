//! Why a table cannot be read. Places are named, by the names that the plan declares; what the file holds is
//! never repeated, a header neither: in a file without one it is a record.

use reticent_store::files::FileError;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are places")]
#[non_exhaustive]
pub enum ColumnsError {
    /// The file could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The table is not as the plan declares it.
    #[error("{file}: {fault}")]
    Data { file: String, fault: Fault },
    /// There is nothing to read.
    #[error("{file}: {why}")]
    NoTable { file: String, why: &'static str },
}

/// What is wrong in a table. Rows are counted from 1 after the header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are places")]
#[non_exhaustive]
pub enum Fault {
    /// Names that the plan declares and the header does not have. What it has stays unsaid.
    #[error(
        "the header has no column {}, which the plan names (it has {columns} column{}; is the first line a header, and the delimiter right?)",
        listed(missing),
        if *columns == 1 { "" } else { "s" }
    )]
    NoColumns { missing: Vec<String>, columns: usize },
    #[error("there is more than one column `{column}`")]
    RepeatedColumn { column: String },
    #[error("the first line is longer than {} bytes, so it is no header", super::header::LONGEST)]
    LongHeader,
    #[error(
        "row {row}: a quote is opened and never closed, so that all rows behind it would be lost; close it"
    )]
    OpenQuote { row: u64 },
    #[error(
        "this is a spreadsheet or an archive, not text; save the sheet as CSV (UTF-8), or unpack the archive, and give that file"
    )]
    Archive,
    #[error("this is text in UTF-16; save it as CSV in UTF-8, and give that file")]
    Utf16,
    #[error("row {row}: {got} columns where the header has {expected}")]
    Ragged { row: u64, expected: usize, got: usize },
    #[error("row {row}, column `{column}`: {fault}")]
    Cell { row: u64, column: String, fault: CellFault },
    #[error(
        "column `{column}` is of type {found}, which is not read as the plan declares it; dates need `date` and `origin` in [table.columns], and lists and groups are not read"
    )]
    WrongType { column: String, found: String },
    #[error("column `{column}` is compressed by {found}; use SNAPPY, GZIP, ZSTD or none")]
    Compression { column: String, found: String },
    #[error("there are no rows")]
    NoRows,
    #[error("not a Parquet file, or one that is damaged, cut short or encrypted")]
    Damaged,
}

/// What is wrong with a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum CellFault {
    /// It is empty.
    #[error("no value, but every row needs one; or declare what a missing one counts as")]
    Missing,
    /// It is no number of the declared form.
    #[error("not a number")]
    NotANumber,
    /// It is infinite, or a NaN.
    #[error("not a finite number")]
    NotFinite,
    /// It is no date of the declared form.
    #[error("not a date of the declared form")]
    NotADate,
    /// It is none of the words for yes and no.
    #[error("none of the declared words for yes and no")]
    NeitherYesNorNo,
    /// It is none of the levels.
    #[error("not one of the declared levels")]
    NoLevel,
    /// It lies outside the range.
    #[error("outside the declared range")]
    Outside,
    /// It is none of the declared values.
    #[error("none of the declared values")]
    NotListed,
}

impl CellFault {
    /// A few words for a table of counts.
    pub fn kind(self) -> &'static str {
        match self {
            CellFault::Missing => "missing",
            CellFault::NotANumber => "not a number",
            CellFault::NotFinite => "not finite",
            CellFault::NotADate => "not a date",
            CellFault::NeitherYesNorNo => "neither yes nor no",
            CellFault::NoLevel => "undeclared level",
            CellFault::Outside => "outside the range",
            CellFault::NotListed => "not a declared value",
        }
    }
}

/// Names that the plan declares.
fn listed(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    shown.join(", ")
}
