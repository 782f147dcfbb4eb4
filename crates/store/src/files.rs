//! Files that are either whole or not there.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

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
/// the new one. A link stays, and what it points to is replaced; a device or a pipe is written into.
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
    let target = behind_links(path).map_err(fail)?;
    if is_device(&target) {
        let mut device = BufWriter::new(File::options().write(true).open(&target).map_err(fail)?);
        let done = fill(&mut device)?;
        device.flush().map_err(fail)?;
        return Ok(done);
    }
    let folder = folder_of(&target);
    make_folder(folder)?;
    let mut file = BufWriter::new(tempfile::NamedTempFile::new_in(folder).map_err(fail)?);
    let unfinished = Unfinished::new(file.get_ref().path());
    let done = fill(&mut file)?;
    let file = file.into_inner().map_err(|error| fail(error.into_error()))?;
    file.as_file().sync_all().map_err(fail)?;
    make_readable(file.as_file()).map_err(fail)?;
    file.persist(&target).map_err(|e| fail(e.error))?;
    drop(unfinished);
    Ok(done)
}

/// A file in the folder of `path` that has no name: whatever ends the program takes it away.
pub fn unnamed_beside(path: &Path) -> Result<File, FileError> {
    let folder = folder_of(path);
    make_folder(folder)?;
    tempfile::tempfile_in(folder).map_err(|source| FileError::new("cannot write in", folder, source))
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// More links than this in a row are a circle.
const MOST_LINKS: usize = 40;

/// What a name stands for when its links are followed, there or not.
pub(crate) fn behind_links(path: &Path) -> std::io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if !std::fs::symlink_metadata(&target).is_ok_and(|file| file.is_symlink()) {
            return Ok(target);
        }
        let next = std::fs::read_link(&target)?;
        target = folder_of(&target).join(next);
    }
    Err(std::io::Error::other("its links go round in a circle"))
}

/// Something that is written into and cannot be replaced: a device, a pipe.
pub(crate) fn is_device(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| !file.is_file() && !file.is_dir())
}

/// Temporary files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Unfinished {
        if let Ok(mut all) = UNFINISHED.lock() {
            all.push(path.to_path_buf());
        }
        Unfinished(path.to_path_buf())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Ok(mut all) = UNFINISHED.lock() {
            all.retain(|one| *one != self.0);
        }
    }
}

/// Removes what is half written, for a process that ends in the middle.
pub fn remove_unfinished() {
    if let Ok(mut all) = UNFINISHED.try_lock() {
        for path in all.drain(..) {
            // It may be gone, and nobody is left to be told.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    std::fs::read_to_string(path).map_err(|source| FileError::new("cannot read", path, source))
}

/// Reads a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    std::fs::read(path).map_err(|source| FileError::new("cannot read", path, source))
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    std::fs::create_dir_all(path).map_err(|source| FileError::new("cannot make folder", path, source))
}

/// Temporary files are private to their user; results are meant to be read.
#[cfg(unix)]
fn make_readable(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &File) -> std::io::Result<()> {
    Ok(())
}
