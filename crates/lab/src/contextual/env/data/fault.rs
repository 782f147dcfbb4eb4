//! What can be wrong in a data file. Places are named, values never: they belong to people.

use super::super::error::label_range;

/// What is wrong in a data file. Rows are counted from 1 after the header, columns from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are places")]
#[non_exhaustive]
pub enum DataFault {
    /// A header cell that is not a column's name. It is not shown: in a file without a header it is a value.
    #[error(
        "header, column {column}: not x1, x2, .., label, group or another name; is the first row a header with a column `label`?"
    )]
    UnknownColumn { column: usize },
    /// A column that occurs twice.
    #[error("header, column {column}: there is a column `{name}` before it")]
    RepeatedColumn { column: usize, name: String },
    /// A column that is needed.
    #[error("the header has no column `{name}`; it needs x1, x2, .. without a gap, and label")]
    MissingColumn { name: String },
    /// More coordinates than can be.
    #[error("header, column {column}: a context has at most {max} coordinates", max = super::super::MAX_DIMS)]
    TooManyColumns { column: usize },
    /// A category of names.
    #[error("column `{name}`: words, and too many different ones for a category")]
    TooManyLevels { name: String },
    /// A label that is no arm.
    #[error("row {row}, column `label`: not {}", label_range())]
    BadLabel { row: u64 },
    /// A group that is no number.
    #[error("row {row}, column `group`: not a whole number from 0 to {}", u32::MAX)]
    BadGroup { row: u64 },
    /// More rows than can be counted here.
    #[error("there are more than {} rows", u32::MAX)]
    TooManyRows,
    /// A target group in a file without groups.
    #[error("a target group was asked for, but there is no column `group`")]
    NoGroupColumn,
    /// A target group that does not occur.
    #[error("no row is of group {asked}")]
    UnknownGroup { asked: u32 },
}
