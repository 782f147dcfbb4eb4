//! Tiny runs into a folder of their own.

use reticent_jobs::Silent;
use std::path::Path;

use super::*;
use crate::reproduce::{check, names, run};

fn options(out: &Path) -> Options {
    Options { out: out.to_path_buf(), keep_trials: false, threads: 2, seed: 1, quick: true, data: None }
}

fn made(item: &str, files: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let page = run(item, &options(folder.path()), &Silent).unwrap();
    for file in files {
        assert!(folder.path().join(file).metadata().unwrap().len() > 300, "{file}");
    }
    let csv = std::fs::read_to_string(folder.path().join(files[0])).unwrap();
    let columns = csv.lines().next().unwrap().split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == columns), "{csv}");
    std::fs::read_to_string(page).unwrap()
}

#[test]
fn every_item_is_known() {
    let folder = tempfile::tempdir().unwrap();
    for item in FAMILY.items.iter().map(|item| item.id).chain([FAMILY.all, "all"]) {
        check(item, &options(folder.path())).unwrap();
        assert!(names().contains(&item));
    }
}

#[test]
fn the_tables_have_the_published_numbers_beside_ours() {
    let html = made("trial-table2", &["trial-table2.csv", "trial-table2.svg", "trial-table2.png"]);
    for expected in ["0.31", "0.53", "Second reading", "ridge on half"] {
        assert!(html.contains(expected), "{expected}");
    }
    assert!(made("trial-table3", &["trial-table3.csv"]).contains("4.1"));
}

#[test]
fn the_figures_have_a_curve_for_each_setting() {
    let files =
        ["trial-pareto.csv", "trial-pareto-fig1.svg", "trial-pareto-fig2.svg", "trial-pareto-fig3.png"];
    let html = made("trial-pareto", &files);
    for expected in ["conse, blocks", "dp-conse ε = 0.25", "dp-conse, share 0.002", "0.137 M"] {
        assert!(html.contains(expected), "{expected}");
    }
}
