//! A quick run into a folder of its own.

use std::path::Path;

use super::*;
use crate::reproduce::{check, names, run};

/// Says nothing and never stops.
struct Quiet;

impl Progress for Quiet {
    fn trial(&self, _finished: usize, _total: usize) {}
    fn stop(&self) -> bool {
        false
    }
}

fn options(out: &Path) -> Options {
    Options { out: out.to_path_buf(), keep_trials: false, threads: 2, seed: 1, quick: true, data: None }
}

#[test]
fn every_item_is_known() {
    let folder = tempfile::tempdir().unwrap();
    for item in ITEMS.iter().map(|item| item.id).chain([ALL]) {
        check(item, &options(folder.path())).unwrap();
        assert!(names().contains(&item));
    }
}

/// Each method has a line for each problem, learning loses less than chance, and the rate stands beside it.
#[test]
fn errors_have_tables_charts_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let page = run("kernel-error", &options(folder.path()), &Quiet).unwrap();
    for problem in problem::all() {
        for by in ["people", "loss"] {
            let file = folder.path().join(format!("kernel-error-{}-{by}.svg", problem.id));
            assert!(file.metadata().unwrap().len() > 300);
        }
    }
    let csv = std::fs::read_to_string(folder.path().join("kernel-error.csv")).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
    let error = |problem: &str, method: &str| -> f64 {
        let row = rows.iter().find(|row| row[..4] == [problem, method, "", "10000"]).unwrap();
        row[6].parse().unwrap()
    };
    for problem in problem::all() {
        assert!(error(problem.id, "gp-mean") < 0.5 * error(problem.id, "uniform"), "{}", problem.id);
    }
    let html = std::fs::read_to_string(page).unwrap();
    for expected in ["√(γ/T)", "Branin", "gp-mean", "slope ± se"] {
        assert!(html.contains(expected), "{expected}");
    }
}
