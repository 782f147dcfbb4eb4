//! Rows are known again whatever file they are in, and a release leaves no trace until it is paid for.

use std::fmt::Write as _;
use std::path::PathBuf;

use reticent_privacy::{Epsilon, Loss};
use reticent_store::accounts::{Accounts, Known};

use super::*;
use crate::columns::{self, Layout, Reading, TableFiles};
use crate::tune::TuneError;

struct Folder(tempfile::TempDir, Accounts);

impl Folder {
    fn new() -> Folder {
        let folder = tempfile::tempdir().unwrap();
        let accounts = Accounts::open(&folder.path().join("accounts")).unwrap();
        Folder(folder, accounts)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// A table of text, read by a plan that names these columns.
    fn seen(&self, text: &str, declared: &[&str]) -> (Sighting, u64) {
        let files = TableFiles::one(&self.write("t.csv", text)).unwrap();
        let mut marks = RowMarks::new(self.1.key(), declared.iter().copied());
        let reading = Reading { watcher: Some(&mut marks), once: true };
        let each = |_: &columns::Batch| Ok::<_, columns::ColumnsError>(());
        columns::read_with(&files, &Layout::numbers(&declared[..1]), reading, each).unwrap();
        marks.finish("t.csv")
    }
}

/// Rows with an id, a number and a word, from one number to another.
fn rows(from: u32, to: u32) -> String {
    (from..to).fold("id,dose,site\n".into(), |mut text, i| {
        writeln!(text, "{i},{}.5,north-{}", i % 97, i % 3).unwrap();
        text
    })
}

#[test]
fn spellings_orders_and_names_do_not_matter() {
    let folder = Folder::new();
    let (one, order) = folder.seen(&rows(0, 300), &["id", "dose"]);
    // Other spellings of the same numbers, other columns' order and names, quotes and spaces.
    let other = (0..300).fold("where;number;amount\n".into(), |mut text: String, i| {
        writeln!(text, "\"north-{}\"; {i}.0 ;+{}.50", i % 3, i % 97).unwrap();
        text
    });
    let (two, same_order) = folder.seen(&other, &["number", "amount"]);
    assert!(one.whole.is_same(&two.whole) && one.declared.is_same(&two.declared) && order == same_order);
    let reversed = rows(0, 300);
    let reversed =
        reversed.lines().skip(1).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n");
    let reversed = format!("id,dose,site\n{reversed}\n");
    let (three, other_order) = folder.seen(&reversed, &["id", "dose"]);
    assert!(one.whole.is_same(&three.whole) && order != other_order);
    // Cells of another row are another table, though every column holds the same cells.
    let shifted = (0..300).fold("id,dose,site\n".into(), |mut text: String, i| {
        writeln!(text, "{i},{}.5,north-{}", (i + 1) % 97, i % 3).unwrap();
        text
    });
    assert!(!one.whole.is_same(&folder.seen(&shifted, &["id", "dose"]).0.whole));
}

#[test]
fn a_column_more_or_less_is_noticed_by_what_the_plan_reads() {
    let folder = Folder::new();
    let (one, _) = folder.seen(&rows(0, 300), &["id", "dose"]);
    let dropped: String =
        rows(0, 300).lines().map(|line| line.rsplit_once(',').unwrap().0.to_string() + "\n").collect();
    let (two, _) = folder.seen(&dropped, &["id", "dose"]);
    assert!(!one.whole.is_same(&two.whole) && one.declared.is_same(&two.declared));
    assert_eq!(one.mark(), two.mark(), "the same question");
    let empty: String = rows(0, 300)
        .lines()
        .map(|line| line.to_string() + if line.starts_with("id") { ",note\n" } else { ",\n" })
        .collect();
    assert!(one.whole.is_same(&folder.seen(&empty, &["id", "dose"]).0.whole), "an empty column says nothing");
}

fn question<'a>(seen: &'a Sighting, text: &'a str, epsilon: f64) -> Question<'a> {
    let loss = Loss::Pure { epsilon: Epsilon::new(epsilon).unwrap() };
    Question { seen, text, loss, what: "test", before: None, state: None }
}

#[test]
fn a_release_that_fails_before_it_is_paid_for_leaves_no_charge() {
    let folder = Folder::new();
    let (seen, _) = folder.seen(&rows(0, 300), &["id"]);
    let told = std::cell::Cell::new(0);
    let notice = |_: &Standing| told.set(told.get() + 1);
    let purse = Purse { accounts: &folder.1, allowed: Permission::default(), notice: &notice };
    let fails = || Err::<fn() -> Result<String, TuneError>, _>(TuneError::Interrupted);
    assert!(matches!(purse.answer(question(&seen, "a", 0.5), fails), Err(TuneError::Interrupted)));
    assert!(folder.1.book().unwrap().accounts().is_empty());
    let paid = purse.answer(question(&seen, "a", 0.5), || Ok(|| Ok::<_, TuneError>("first".into()))).unwrap();
    assert_eq!((paid.text.as_str(), paid.stored, paid.standing.known), ("first", false, Known::New));
    let again = purse.answer(question(&seen, "a", 0.5), fails).unwrap();
    assert_eq!((again.text.as_str(), again.stored, again.standing.known), ("first", true, Known::Same));
    assert!(purse.answer(question(&seen, "b", 0.5), fails).unwrap_err().is_refusal(), "before any work");
    let lost = |error: TuneError| error.to_string();
    let allowed = Permission { again: true, ..Permission::default() };
    let purse = Purse { allowed, ..purse };
    let draw = || Ok(|| Err::<String, _>(TuneError::Changed));
    let words = lost(purse.answer(question(&seen, "c", 0.25), draw).unwrap_err());
    assert!(words.contains("after it was paid for") && words.contains("epsilon 0.75 is spent"), "{words}");
    assert_eq!(told.get(), 3, "whoever pays hears it before");
}
