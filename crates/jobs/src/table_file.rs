//! Tables in files: CSV, plain or compressed by gzip.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use reticent_store::files::FileError;

/// What went wrong while reading: the file itself or what is in it.
pub enum Trouble<F> {
    /// The file.
    Io(io::Error),
    /// What is in it.
    Fault(F),
}

impl<F> From<csv::Error> for Trouble<F> {
    /// Bytes of any length in rows of any length are accepted, so reading is all that can fail.
    fn from(error: csv::Error) -> Trouble<F> {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Trouble::Io(error),
            _ => Trouble::Io(io::Error::other("not CSV")),
        }
    }
}

/// Reads a file with `parse`, decompressed if its name ends in `.gz`. A fault is told with the file's name.
pub fn read<T, F, E: From<FileError>>(
    path: &Path,
    parse: impl FnOnce(&mut dyn Read) -> Result<T, Trouble<F>>,
    fault: impl FnOnce(String, F) -> E,
) -> Result<T, E> {
    let unreadable = |source| E::from(FileError::new("cannot read", path, source));
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    let parsed = if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz")) {
        parse(&mut MultiGzDecoder::new(file))
    } else {
        parse(&mut file)
    };
    parsed.map_err(|trouble| match trouble {
        Trouble::Io(source) => unreadable(source),
        Trouble::Fault(one) => fault(path.display().to_string(), one),
    })
}
