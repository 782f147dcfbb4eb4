//! A reader that goes away and a disk that is full are nothing to panic about, for any command.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod desk;

use std::fs::File;
use std::process::Stdio;

use desk::{CALLS, Desk};

/// What only this test runs: they take longer, or make the desk anew.
const MORE: [&str; 3] = [
    "man price fit",
    "price privatise market.toml sales.csv --epsilon 4 --again --out more.rpl",
    "reproduce trial-table2 --quick --out figures",
];

fn every_call() -> impl Iterator<Item = &'static str> {
    CALLS.into_iter().chain(MORE)
}

#[test]
fn a_reader_that_went_away_changes_no_answer() {
    let desk = Desk::new();
    for call in every_call() {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = desk.command(call).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{call}: {said}");
        assert!(!said.contains("panicked") && !said.contains("error"), "{call}: {said}");
    }
}

#[test]
fn a_full_disk_is_told_and_has_its_own_exit_code() {
    let desk = Desk::new();
    for call in every_call() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = desk.command(call).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{call}: {said}");
        assert!(!said.contains("panicked"), "{call}: {said}");
        assert!(
            said.ends_with("error: cannot write to standard output: No space left on device (os error 28)\n")
        );
    }
}

#[test]
fn standard_error_may_be_full_too() {
    let desk = Desk::with_tables();
    for (call, code) in [
        ("simulate --agent nobody --epsilon 1", 2),
        ("simulate --no-such-option", 2),
        ("simulate --epsilon 11 --users 100 --trials 1 -vv", 0),
        ("audit --broken --samples 100 --seed 1 --epsilon 1", 2),
        ("reproduce ctx-all --quick --data nowhere", 2),
    ] {
        let full = || File::options().write(true).open("/dev/full").unwrap();
        let output = desk.command(call).stdout(Stdio::piped()).stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{call}");
    }
}

#[test]
fn quiet_leaves_out_notes_and_keeps_warnings_and_errors() {
    let desk = Desk::with_tables();
    let said = |call: &str| String::from_utf8(desk.output(call).stderr).unwrap();
    let note = "simulate --env mab-gaussian --epsilon 11 --users 100 --trials 1";
    assert!(said(note).contains("note: ") && said(note).contains("warning: epsilon 11 is large"));
    let quiet = said(&format!("{note} --quiet"));
    assert!(!quiet.contains("note: ") && quiet.contains("warning: epsilon 11 is large"), "{quiet}");
    assert!(said("simulate --agent ldp-tompson --quiet").contains("did you mean ldp-thompson?"));
    let log = said("simulate --epsilon 1 --users 100 --trials 1 --plot x.svg -vv");
    assert!(log.contains("log: ") && log.contains("will write x.svg"), "{log}");
}

#[test]
fn colours_are_only_where_they_are_wanted() {
    let desk = Desk::with_tables();
    let said = |call: &str| String::from_utf8(desk.output(call).stderr).unwrap();
    assert!(!said("simulate --agent nobody").contains('\u{1b}'));
    assert!(said("simulate --agent nobody --color always").contains("\u{1b}[1;31merror:\u{1b}[0m no agent"));
    assert!(said("simulate --no-such-option --color=always").contains('\u{1b}'));
    assert!(!said("simulate --no-such-option --color never").contains('\u{1b}'));
}
