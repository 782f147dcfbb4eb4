//! A quick run into a folder of its own.

use reticent_jobs::Silent;
use std::path::Path;

use super::*;
use crate::kernel::{Method, PosteriorMean, PrivateKernel, Uniform};
use crate::reproduce::{Options, Stage};
use crate::reproduce::{check, names};

fn options(out: &Path) -> Options {
    Options { out: out.to_path_buf(), keep_trials: false, threads: 2, seed: 1, quick: true, data: None }
}

#[test]
fn every_item_is_known() {
    let folder = tempfile::tempdir().unwrap();
    for item in FAMILY.items.iter().map(|item| item.id).chain([FAMILY.all]) {
        check(item, &options(folder.path())).unwrap();
        assert!(names().contains(&item));
    }
}

/// Each method has a line, learning loses less than chance, and the rate stands beside it. On one problem and
/// with three methods: the whole takes half an hour.
#[test]
fn errors_have_tables_charts_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path());
    let methods: &[&dyn Method] = &[&Uniform, &PosteriorMean, &PrivateKernel];
    let stage = Stage { id: "kernel-error", options: &options, progress: &Silent };
    let bench = Bench { methods, stage: &stage };
    let smooth = problem::all().into_iter().filter(|problem| problem.id == "smooth").collect();
    let section = error::of(&bench, smooth).unwrap();
    section.write(folder.path(), "kernel-error").unwrap();
    for by in ["people", "loss"] {
        let file = folder.path().join(format!("kernel-error-smooth-{by}.svg"));
        assert!(file.metadata().unwrap().len() > 300);
    }
    let csv = std::fs::read_to_string(folder.path().join("kernel-error.csv")).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
    let error = |method: &str, epsilon: &str| -> f64 {
        let row = rows.iter().find(|row| row[..4] == ["smooth", method, epsilon, "10000"]).unwrap();
        row[6].parse().unwrap()
    };
    assert!(error("gp-mean", "") < 0.5 * error("uniform", ""));
    assert!(error("private-kernel", "8") < 0.5 * error("uniform", ""));
    assert!(section.tables.iter().any(|(title, _)| title.contains("rate")));
}
