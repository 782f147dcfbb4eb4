use super::*;
use crate::reproduce::Options;
use reticent_jobs::Silent;

fn options(folder: &std::path::Path) -> Options {
    Options { out: folder.to_path_buf(), keep_trials: true, threads: 2, seed: 1, quick: true, data: None }
}

/// Everything that needs no data set, at its smallest: files are there, the page has tables, and a second run
/// finds the trials of the first.
#[test]
fn a_quick_band_is_made_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path());
    let page = reproduce::run("price-band", &options, &Silent).unwrap();
    let text = std::fs::read_to_string(page).unwrap();
    assert!(text.contains("of 10") && text.contains("kinked"), "{text}");
    let csv = std::fs::read_to_string(folder.path().join("price-band.csv")).unwrap();
    assert_eq!(csv.lines().count(), 6);
    assert_eq!(
        std::fs::read_dir(folder.path().join("trials"))
            .unwrap()
            .filter(|f| f.as_ref().unwrap().path().extension().is_some_and(|e| e == "jsonl"))
            .count(),
        5
    );
    reproduce::run("price-band", &options, &Silent).unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("price-band.csv")).unwrap(), csv);
}

#[test]
fn real_data_is_asked_for_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(folder.path());
    let error = reproduce::check("price-dose", &options).unwrap_err().to_string();
    assert!(error.contains("thornton") && error.contains("--data"), "{error}");
    options.data = Some(folder.path().into());
    let error = reproduce::run("price-dose", &options, &Silent).unwrap_err().to_string();
    assert!(error.contains("thornton_incentive.csv.gz"), "{error}");
    options.data = None;
    assert_eq!(reproduce::skipped("price-all", &options).unwrap(), ["price-dose"]);
}
