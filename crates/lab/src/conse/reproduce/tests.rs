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
    for expected in
        ["conse, blocks", "dp-conse ε = 0.25", "dp-conse, share 0.002", "0.137 M", "Theorem 2.1: 0.0018 M"]
    {
        assert!(html.contains(expected), "{expected}");
    }
}

#[test]
fn what_the_paper_proves_stands_beside_what_is_measured() {
    let html = made("trial-law", &["trial-law.csv", "trial-law.svg", "trial-law.png"]);
    for expected in ["Proposition 2.6", "Proposition 3.6", "83.4 %", "2(σ₀² + σ₁²)"] {
        assert!(html.contains(expected), "{expected}");
    }
    let files =
        ["trial-rates.csv", "trial-rates-pulls.svg", "trial-rates-error.svg", "trial-rates-second.png"];
    let html = made("trial-rates", &files);
    for expected in ["Lemma 3.1", "Corollary 3.2", "Lemma 3.4", "Theorem 2.3", "Theorem 3.3"] {
        assert!(html.contains(expected), "{expected}");
    }
    let html = made("trial-section5", &["trial-section5.csv", "trial-section5.svg"]);
    assert!(html.contains("Neyman") && html.contains("doubly robust"));
}
