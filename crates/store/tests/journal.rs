//! Journals on the disk: who may read them, and what is noticed when somebody changed one.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use reticent_store::{Journal, JournalError};
use tempfile::TempDir;

/// A journal of the words "line 1", "line 2" and so on.
fn written(lines: usize) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (mut journal, _) = Journal::open(&path, b"\"").unwrap();
    for number in 1..=lines {
        journal.append(&format!("line {number}")).unwrap();
    }
    (folder, path)
}

fn open(path: &Path) -> Result<Vec<String>, JournalError> {
    Journal::open(path, b"\"").map(|(_, lines)| lines)
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_read_is_closed_to_them() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = written(2);
    let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(), 0o600, "as it is made");
    for open_to_others in [0o644, 0o640, 0o604, 0o666, 0o620, 0o601] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(open_to_others)).unwrap();
        assert_eq!(open(&path).unwrap().len(), 2);
        assert_eq!(mode(), 0o600, "after {open_to_others:o}");
    }
}

/// Files of the process's own, whose permissions nobody can change.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_closed_to_others_is_refused() {
    let refused = Journal::<i64>::open(Path::new("/proc/self/oom_score_adj"), b"0").unwrap_err();
    assert!(matches!(refused, JournalError::OpenToOthers(_)), "{refused}");
    assert!(refused.to_string().contains("chmod 600"), "{refused}");
}

/// Whoever names the wrong file does not want it changed.
#[cfg(unix)]
#[test]
fn a_file_of_another_kind_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("diary");
    std::fs::write(&path, "dear diary\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(open(&path).is_err());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o644);
}
