//! A place for a file, taken before the work that fills it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use crate::files::{FileError, behind_links, folder_of, is_device};

/// Why a file cannot be written here.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// It is there already.
    #[error("{path} exists; choose another name, or replace it with --force", path = .0.display())]
    Exists(PathBuf),
    /// It is no file.
    #[error("{path} is a folder; name a file", path = .0.display())]
    Folder(PathBuf),
    /// It lies among accounts, whose key or book it might replace.
    #[error("{path} lies in a folder of accounts, which holds nothing else; choose another folder", path = .0.display())]
    Accounts(PathBuf),
    /// Somebody else is writing it.
    #[error("another command is writing {path}; wait for it, or choose another name", path = .0.display())]
    InUse(PathBuf),
    /// The folder cannot be made or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The right to write one file. While it is held no other process gets it, and it ends with the process, however
/// that ends. Folders that were made for a file that never came are removed again.
#[derive(Debug)]
pub struct Claim {
    lock: Option<(File, PathBuf)>,
    made: Vec<PathBuf>,
    target: PathBuf,
}

impl Claim {
    /// Takes the place of a file that is not there yet, or may be replaced. A link counts as what it points to; a
    /// device or a pipe is there to be written into.
    pub fn of(path: &Path, replace: bool) -> Result<Claim, ClaimError> {
        let fail = |source| FileError::new("cannot write", path, source);
        let target = behind_links(path).map_err(fail)?;
        if target.is_dir() {
            return Err(ClaimError::Folder(path.to_path_buf()));
        }
        if is_device(&target) {
            return Ok(Claim { lock: None, made: Vec::new(), target });
        }
        if crate::accounts::are_in(folder_of(&target)) {
            return Err(ClaimError::Accounts(path.to_path_buf()));
        }
        let taken = || ClaimError::Exists(path.to_path_buf());
        let free = || if !replace && target.exists() { Err(taken()) } else { Ok(()) };
        free()?;
        // From here on a failure takes back what was made.
        let mut claim =
            Claim { lock: None, made: missing_folders(folder_of(&target)), target: target.clone() };
        std::fs::create_dir_all(folder_of(&target)).map_err(fail)?;
        claim.lock = Some(locked(&target, path)?);
        // Somebody may have finished it while we came here.
        free()?;
        Ok(claim)
    }

    /// Whether this is the claim of a path.
    pub fn is_of(&self, path: &Path) -> bool {
        let real = |path: &Path| {
            std::fs::canonicalize(folder_of(path)).ok().zip(path.file_name().map(PathBuf::from))
        };
        self.lock.is_some() && behind_links(path).is_ok_and(|other| real(&other) == real(&self.target))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some((file, path)) = self.lock.take() {
            // The name goes before the lock: who waits for it then sees that it holds nothing.
            let _ = std::fs::remove_file(path);
            drop(file);
        }
        for folder in &self.made {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Folders above a file that are not there, the deepest first.
fn missing_folders(folder: &Path) -> Vec<PathBuf> {
    let above = folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    above.map(Path::to_path_buf).collect()
}

/// A lock beside the file: the file itself is replaced as a whole, so that a lock on it would be lost.
fn locked(target: &Path, path: &Path) -> Result<(File, PathBuf), ClaimError> {
    let fail = |source| FileError::new("cannot write", path, source);
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(".lock");
    let beside = folder_of(target).join(name);
    loop {
        let file = File::options().create(true).truncate(false).write(true).open(&beside).map_err(fail)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(ClaimError::InUse(path.to_path_buf())),
            Err(TryLockError::Error(source)) => return Err(fail(source).into()),
            // Whoever had it may have removed it between our two steps: then we hold a file without a name.
            Ok(()) if is_at(&file, &beside) => return Ok((file, beside)),
            Ok(()) => {}
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |one: std::fs::Metadata, other: std::fs::Metadata| {
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    };
    file.metadata().ok().zip(std::fs::metadata(path).ok()).is_some_and(|(one, other)| same(one, other))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write_whole;

    #[test]
    fn what_is_there_is_refused_and_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/deep/file.txt");
        let claim = Claim::of(&path, false).unwrap();
        assert!(claim.is_of(&folder.path().join("new/../new/deep/file.txt")));
        assert!(
            matches!(Claim::of(&path, true), Err(ClaimError::InUse(_))),
            "one at a time, whatever they may replace"
        );
        write_whole(&path, b"one").unwrap();
        drop(claim);
        assert!(matches!(Claim::of(&path, false), Err(ClaimError::Exists(_))));
        drop(Claim::of(&path, true).unwrap());
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no lock is left");
    }

    #[test]
    fn nothing_is_written_among_accounts() {
        let folder = tempfile::tempdir().unwrap();
        drop(crate::accounts::Accounts::open(folder.path()).unwrap().book().unwrap());
        let key = folder.path().join("key");
        let before = std::fs::read(&key).unwrap();
        assert!(matches!(Claim::of(&key, true), Err(ClaimError::Accounts(_))));
        assert!(matches!(Claim::of(&folder.path().join("log.rpl"), false), Err(ClaimError::Accounts(_))));
        assert_eq!(std::fs::read(&key).unwrap(), before);
    }

    #[test]
    fn folders_of_a_file_that_never_came_go_again() {
        let folder = tempfile::tempdir().unwrap();
        drop(Claim::of(&folder.path().join("a/b/file"), false).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(matches!(Claim::of(folder.path(), true), Err(ClaimError::Folder(_))));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_written_through_and_devices_into() {
        let folder = tempfile::tempdir().unwrap();
        let [link, other, real] = ["link", "other", "kept/real"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("other", &link).unwrap();
        std::os::unix::fs::symlink("kept/real", &other).unwrap();
        let claim = Claim::of(&link, false).unwrap();
        assert!(claim.is_of(&real));
        write_whole(&link, b"first").unwrap();
        drop(claim);
        assert_eq!(std::fs::read(&real).unwrap(), b"first");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink(), "the link stays");
        assert!(matches!(Claim::of(&link, false), Err(ClaimError::Exists(_))));
        write_whole(&link, b"second").unwrap();
        assert_eq!(std::fs::read(&real).unwrap(), b"second");
        std::os::unix::fs::symlink("round", folder.path().join("round")).unwrap();
        assert!(write_whole(&folder.path().join("round"), b"").is_err());
        let null = Path::new("/dev/null");
        drop(Claim::of(null, false).unwrap());
        write_whole(null, b"nothing").unwrap();
        assert!(is_device(null));
    }

    #[test]
    fn of_many_at_once_one_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let won: usize = std::thread::scope(|scope| {
            let race = || {
                let Ok(claim) = Claim::of(&path, false) else { return 0 };
                write_whole(&path, b"mine").unwrap();
                drop(claim);
                1
            };
            let all: Vec<_> = (0..16).map(|_| scope.spawn(race)).collect();
            all.into_iter().map(|one| one.join().unwrap()).sum()
        });
        assert_eq!(won, 1);
    }
}
