//! Tiny runs into a folder of their own.

use reticent_jobs::Silent;
use std::io::Write;
use std::path::Path;

use super::*;
use crate::reproduce::{check, names, run, skipped};

fn options(out: &Path, data: Option<&Path>) -> Options {
    let data = data.map(Path::to_path_buf);
    Options { out: out.to_path_buf(), keep_trials: true, threads: 2, seed: 1, quick: true, data }
}

/// Sixty people in three groups; the label is whether x1 is large.
fn data_folder(folder: &Path) {
    let mut text = "x1,x2,x3,label,group\n".to_string();
    for i in 0..60 {
        let x = f64::from(i % 20) / 20.0;
        let row = format!("{x},0.5,{},{},{}\n", 1.0 - x, u8::from(x > 0.4), i % 3);
        text.push_str(&row);
    }
    let mut file = std::fs::File::create(folder.join("adult_3d.csv")).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn every_item_is_known_and_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let with = options(folder.path(), Some(folder.path()));
    for name in names() {
        check(name, &with).unwrap();
    }
    let unknown = check("ctx-fig5", &with).unwrap_err().to_string();
    assert!(unknown.contains("ctx-fig5") && unknown.contains("ctx-table2"), "{unknown}");
}

#[test]
fn the_table_asks_for_its_data_and_the_rest_goes_without() {
    let folder = tempfile::tempdir().unwrap();
    let without = options(folder.path(), None);
    let message = run("ctx-table2", &without, &Silent).unwrap_err().to_string();
    assert!(message.contains("--data DIR") && message.contains("not part of this project"), "{message}");
    assert_eq!(skipped("ctx-all", &without).unwrap(), ["ctx-table2"]);
    check("all", &without).unwrap();
    let empty = run("ctx-table2", &options(folder.path(), Some(folder.path())), &Silent).unwrap_err();
    assert!(empty.to_string().contains("_3d.csv"), "{empty}");
    let missing = folder.path().join("nowhere");
    let missing = run("ctx-table2", &options(folder.path(), Some(&missing)), &Silent).unwrap_err();
    assert!(missing.to_string().contains("nowhere"), "{missing}");
}

#[test]
fn the_table_has_the_published_numbers_beside_ours() {
    let folder = tempfile::tempdir().unwrap();
    data_folder(folder.path());
    let out = folder.path().join("out");
    let page = run("ctx-table2", &options(&out, Some(folder.path())), &Silent).unwrap();
    let html = std::fs::read_to_string(page).unwrap();
    for expected in [
        "1.602",
        "0.987",
        "LDPMAB w",
        "ours wo",
        "adult: 2 of 20 people",
        "frequent label 0.550",
        "41,292",
        "Rank sums",
    ] {
        assert!(html.contains(expected), "{expected}");
    }
    for file in ["ctx-table2.csv", "ctx-table2-adult.svg", "ctx-table2-adult.png"] {
        assert!(out.join(file).metadata().unwrap().len() > 100, "{file}");
    }
    let csv = std::fs::read_to_string(out.join("ctx-table2.csv")).unwrap();
    // The folder is nobody's business.
    assert!(csv.contains(",adult_3d.csv,") && !csv.contains(&*folder.path().to_string_lossy()));
}

#[test]
fn a_figure_makes_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let page = run("ctx-fig6", &options(folder.path(), None), &Silent).unwrap();
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("<svg") && html.contains("ldp-abse-transfer, weak source"));
    for file in ["ctx-fig6.csv", "ctx-fig6.svg", "ctx-fig6.png", "ctx-fig6-local.svg", "ctx-fig6-arms.png"] {
        assert!(folder.path().join(file).metadata().unwrap().len() > 1000, "{file}");
    }
    let csv = std::fs::read_to_string(folder.path().join("ctx-fig6.csv")).unwrap();
    let columns = csv.lines().next().unwrap().split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == columns));
}
