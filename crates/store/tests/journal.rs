//! Journals on the disk: who may read them, and what is noticed when somebody changed one.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use reticent_store::{Head, Journal, JournalError, JournalKind};
use tempfile::TempDir;

/// Lines of any words: there is no first line that says what the file is, so that it counts as one of version
/// 1.
const WORDS: JournalKind = JournalKind { name: "words", version: 2 };

/// A journal of the words "line 1", "line 2" and so on.
fn written(lines: usize) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (mut journal, _) = Journal::open(&path, WORDS).unwrap();
    for number in 1..=lines {
        journal.append(&format!("line {number}")).unwrap();
    }
    (folder, path)
}

fn open(path: &Path) -> Result<Vec<String>, JournalError> {
    Journal::open(path, WORDS).map(|(_, lines)| lines)
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
    let refused = Journal::<i64>::open(Path::new("/proc/self/oom_score_adj"), WORDS).unwrap_err();
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
/// Everything that can happen to lines in the middle of a file by accident.
#[test]
fn a_line_that_is_gone_moved_edited_or_new_is_noticed() {
    let (_folder, path) = written(6);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let corrupt = |lines: &[&str], what: &str| {
        std::fs::write(&path, lines.concat()).unwrap();
        match open(&path) {
            Err(JournalError::Corrupt { line }) => line,
            other => panic!("{what}: {other:?}"),
        }
    };
    for at in 0..5 {
        let mut gone = lines.clone();
        gone.remove(at);
        assert_eq!(corrupt(&gone, "gone"), at + 1);
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        assert_eq!(corrupt(&swapped, "swapped"), at + 1);
        let mut twice = lines.clone();
        twice.insert(at, lines[at]);
        corrupt(&twice, "twice");
        let edited = lines[at].replace("line", "lime");
        let mut changed = lines.clone();
        changed[at] = &edited;
        assert_eq!(corrupt(&changed, "edited"), (at + 1).max(2));
    }
    std::fs::write(&path, &text).unwrap();
    assert_eq!(open(&path).unwrap().len(), 6);
}

/// No byte of a file can change, its last line break excepted: without it the last line was never
/// acknowledged.
#[test]
fn every_changed_byte_is_noticed() {
    let (_folder, path) = written(4);
    let bytes = std::fs::read(&path).unwrap();
    for at in 0..bytes.len() - 1 {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        assert!(matches!(open(&path), Err(JournalError::Corrupt { .. })), "byte {at}");
    }
}

#[test]
fn a_head_tells_an_older_copy_and_a_file_that_took_another_way() {
    let (_folder, path) = written(3);
    let whole = std::fs::read_to_string(&path).unwrap();
    let (journal, _) = Journal::<String>::open(&path, WORDS).unwrap();
    let head = journal.head();
    drop(journal);
    assert_eq!(head.lines(), 3);
    let older = |result: Result<(Journal<String>, Vec<String>), JournalError>| match result {
        Err(JournalError::Older { line }) => line,
        other => panic!("{other:?}"),
    };
    let anchored = || Journal::<String>::open_not_older_than(&path, WORDS, head);
    assert_eq!(anchored().unwrap().1.len(), 3);
    for kept in 0..3 {
        let copy: String = whole.split_inclusive('\n').take(kept).collect();
        std::fs::write(&path, &copy).unwrap();
        assert_eq!(older(anchored()), 3);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), copy, "a refused file stays as it is");
        // The same lines once more, by which the file is as long as it was: their marks are others.
        let (mut journal, lines) = Journal::<String>::open(&path, WORDS).unwrap();
        for number in lines.len() + 1..=5 {
            journal.append(&format!("line {number}")).unwrap();
        }
        drop(journal);
        assert_eq!(older(anchored()), 3);
    }
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(anchored(), Err(JournalError::File(_))));
    assert!(!path.exists(), "no file is made");
}

#[test]
fn heads_are_written_and_read_and_nothing_else_is_one() {
    let (_folder, path) = written(2);
    let (journal, _) = Journal::<String>::open(&path, WORDS).unwrap();
    let head = journal.head();
    assert_eq!(head.to_string().parse::<Head>().unwrap(), head);
    assert_eq!("1".parse::<Head>().unwrap().to_string(), "1");
    let text = head.to_string();
    for wrong in
        ["", "-", "2-", "two", "-1", "+2", "02", "2-12", "2-0123456789ABCDEF", &text[..text.len() - 1]]
    {
        assert!(wrong.parse::<Head>().is_err(), "{wrong:?}");
    }
}

/// Version 1 wrote lines without checksums. Its files go on, and the first new line covers the old ones.
#[test]
fn a_file_of_the_first_version_goes_on_and_is_covered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let first_version = "\"line 1\"\n\"line 2\"\n\"line 3\"\n";
    std::fs::write(&path, first_version).unwrap();
    let (mut journal, lines) = Journal::<String>::open(&path, WORDS).unwrap();
    assert_eq!((lines.len(), journal.head().to_string().as_str()), (3, "3"));
    let head = journal.head();
    journal.append(&"line 4".to_string()).unwrap();
    drop(journal);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(first_version));
    assert_eq!(open(&path).unwrap().len(), 4);
    assert!(Journal::<String>::open_not_older_than(&path, WORDS, head).is_ok());
    for (old, new) in [("line 1", "lime 1"), ("\"line 2\"\n", ""), ("line 4", "lime 4")] {
        std::fs::write(&path, text.replacen(old, new, 1)).unwrap();
        assert!(matches!(open(&path), Err(JournalError::Corrupt { .. })), "{old}");
    }
    std::fs::write(&path, text + "\"line 5\"\n").unwrap();
    assert!(
        matches!(open(&path), Err(JournalError::Corrupt { line: 5 })),
        "no plain line after a chained one"
    );
}

/// The first line is read before all others, so that a later version's file is not taken for a damaged one.
#[test]
fn versions_that_nobody_here_can_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    for (version, rest) in [(0, ""), (3, ""), (3, "lines of another kind\n")] {
        std::fs::write(&path, format!("{{\"words\":{{\"version\":{version},\"more\":1}}}}\n{rest}")).unwrap();
        match Journal::<String>::open(&path, WORDS) {
            Err(JournalError::Version { found, newest: 2 }) => assert_eq!(found, version),
            other => panic!("{other:?}"),
        }
    }
}

/// Many lines, one flush: what was not flushed was never there.
#[test]
fn lines_that_wait_are_there_after_a_flush_and_not_before() {
    let (_folder, path) = written(1);
    let (mut journal, _) = Journal::<String>::open(&path, WORDS).unwrap();
    let before = std::fs::read(&path).unwrap();
    for number in 2..=4 {
        journal.append_later(&format!("line {number}")).unwrap();
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    journal.flush().unwrap();
    journal.append_later(&"line 5".to_string()).unwrap();
    journal.append(&"line 6".to_string()).unwrap();
    journal.append_later(&"lost".to_string()).unwrap();
    drop(journal);
    let lines: Vec<String> = (1..=6).map(|number| format!("line {number}")).collect();
    assert_eq!(open(&path).unwrap(), lines, "in their order, and checked");
}

#[test]
fn whoever_waits_gets_the_file_when_it_is_free() {
    let (_folder, path) = written(1);
    let wait = |patience| Journal::<String>::open_waiting(&path, WORDS, patience);
    let (mut held, _) = Journal::<String>::open(&path, WORDS).unwrap();
    match wait(Duration::from_millis(50)) {
        Err(JournalError::Locked { waited }) => assert_eq!(waited, Duration::from_millis(50)),
        other => panic!("{other:?}"),
    }
    std::thread::scope(|scope| {
        let waiting: Vec<_> =
            (0..4).map(|_| scope.spawn(|| wait(Duration::from_mins(1)).unwrap().1.len())).collect();
        held.append(&"line 2".to_string()).unwrap();
        drop(held);
        for one in waiting {
            assert_eq!(one.join().unwrap(), 2, "what was written meanwhile is read");
        }
    });
}
