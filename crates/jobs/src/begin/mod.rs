//! Plans that are begun from the names in a table's header. Nothing else of the table gets into them: what a
//! range or a list of levels would take from the data tells about the people at its ends.

mod guess;
mod write;

use crate::columns::{ColumnsError, Header, TableFiles, header};

pub use write::{Roles, begin};

/// What a plan is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// `reticent price`.
    Price,
    /// `reticent tune`.
    Tune,
    /// `reticent trial`.
    Trial,
}

/// Why no plan is begun. The header is not quoted: it may be a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BeginError {
    /// The table cannot be read.
    #[error(transparent)]
    Columns(#[from] ColumnsError),
    /// The first line is a record, as far as one can tell.
    #[error(
        "{file}: column {column} of the first line looks like a value, not like a name. If the first line is a record, give the file a header; if it is a header, say --header. Nothing was written"
    )]
    Record {
        /// The file.
        file: String,
        /// Counted from 1.
        column: usize,
    },
    /// The first line looks like those below it.
    #[error(
        "{file}: the first line looks like the lines below it, so it may be a record. If it is a header, say --header. Nothing was written"
    )]
    Alike {
        /// The file.
        file: String,
    },
    /// There is one line.
    #[error(
        "{file}: there are no rows below the first line, so nothing tells whether it is a header or a record. If it is a header, say --header. Nothing was written"
    )]
    Alone {
        /// The file.
        file: String,
    },
    /// A column that cannot be named in a plan.
    #[error(
        "{file}: column {column} of the header is empty, longer than {} characters, or there is another of that name; give it a name of its own",
        guess::LONGEST
    )]
    Name {
        /// The file.
        file: String,
        /// Counted from 1.
        column: usize,
    },
    /// A role for a column that is not there.
    #[error("{flag}: no column of the header has this name")]
    NoColumn {
        /// The option.
        flag: &'static str,
    },
}

/// The names of a table's columns, if its first line is a header: by its look, or because the owner says so.
pub fn names(files: &TableFiles, is_header: bool) -> Result<Header, BeginError> {
    let found = header(files)?;
    let file = || files.name().to_string();
    if !is_header && found.delimiter.is_some() {
        if let Some(place) = found.names.iter().position(|name| guess::is_value(name)) {
            return Err(BeginError::Record { file: file(), column: place + 1 });
        }
        if found.sample.is_empty() {
            return Err(BeginError::Alone { file: file() });
        }
        if !guess::differs(&found) {
            return Err(BeginError::Alike { file: file() });
        }
    }
    match guess::unusable(&found.names) {
        Some(place) => Err(BeginError::Name { file: file(), column: place + 1 }),
        None => Ok(found),
    }
}

#[cfg(test)]
mod tests;
