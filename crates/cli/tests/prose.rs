//! Prose is wrapped: comments and pages have lines of at most 120 columns. Tables, code and links are as long
//! as they must be.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

const COLUMNS: usize = 120;
/// Folders that nobody reads.
const SKIPPED: [&str; 4] = ["target", ".git", "out", "snapshots"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !SKIPPED.contains(&name) {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "md") {
            found.push(path);
        }
    }
}

/// The lines of prose that are too long, by number.
fn long_lines(text: &str, is_rust: bool) -> Vec<usize> {
    let mut is_code = false;
    let mut long = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let body = line.trim_start().trim_start_matches('/').trim_start_matches('!').trim_start();
        let is_prose = !is_rust || line.trim_start().starts_with("//");
        if is_prose && body.starts_with("```") {
            is_code = !is_code;
        }
        let may_be_long = is_code || body.starts_with('|') || body.contains("://");
        if is_prose && !may_be_long && line.chars().count() > COLUMNS {
            long.push(number);
        }
    }
    long
}

#[test]
fn lines_of_prose_are_short() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), &mut found);
    assert!(found.len() > 500, "the search finds nothing");
    let mut long = Vec::new();
    for path in found {
        let text = std::fs::read_to_string(&path).unwrap();
        let is_rust = path.extension().is_some_and(|ending| ending == "rs");
        long.extend(long_lines(&text, is_rust).into_iter().map(|line| format!("{}:{line}", path.display())));
    }
    assert!(long.is_empty(), "wrap these at {COLUMNS} columns: {long:#?}");
}

#[test]
fn a_long_line_is_seen_and_a_table_is_not() {
    let word = "word ".repeat(30);
    assert_eq!(long_lines(&format!("short\n{word}\n| {word} |\n```\n{word}\n```\n{word}"), false), [2, 7]);
    assert_eq!(long_lines(&format!("let x = \"{word}\";\n    // {word}\n/// {word}"), true), [2, 3]);
}
