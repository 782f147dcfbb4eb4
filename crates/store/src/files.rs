//! Files that are either whole or not there.

use std::io::Write;
use std::path::{Path, PathBuf};

/// A file could not be written or read.
#[derive(Debug, thiserror::Error)]
#[error("{what} {path}: {source}", path = path.display())]
pub struct FileError {
    what: &'static str,
    path: PathBuf,
    source: std::io::Error,
}

impl FileError {
    /// Names the file that `what` could not be done to.
    pub fn new(what: &'static str, path: &Path, source: std::io::Error) -> FileError {
        FileError { what, path: path.to_path_buf(), source }
    }
}

/// Writes through a temporary file in the same folder and renames it, so that a crash leaves the old file or
/// the new one.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_stream(path, |file| {
        file.write_all(bytes).map_err(|source| FileError::new("cannot write", path, source))
    })
}

/// The same for what does not fit into memory: `fill` writes it piece by piece. If it fails there is no file.
pub fn write_stream<T, E: From<FileError>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let fail = |source| FileError::new("cannot write", path, source);
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make_folder(folder)?;
    let mut file = std::io::BufWriter::new(tempfile::NamedTempFile::new_in(folder).map_err(fail)?);
    let done = fill(&mut file)?;
    let file = file.into_inner().map_err(|error| fail(error.into_error()))?;
    file.as_file().sync_all().map_err(fail)?;
    make_readable(file.as_file()).map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(done)
}

/// A file in the folder of `path` that has no name: whatever ends the program takes it away.
pub fn unnamed_beside(path: &Path) -> Result<std::fs::File, FileError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make_folder(folder)?;
    tempfile::tempfile_in(folder).map_err(|source| FileError::new("cannot write in", folder, source))
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    std::fs::read_to_string(path).map_err(|source| FileError::new("cannot read", path, source))
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    std::fs::create_dir_all(path).map_err(|source| FileError::new("cannot make folder", path, source))
}

/// Temporary files are private to their user; results are meant to be read.
#[cfg(unix)]
fn make_readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
