//! Forgers steer what takes every report, and hardly what is guarded.

use super::*;
use crate::reproduce::{self as figures, Options};
use reticent_jobs::Silent;

#[test]
fn shares_and_names_are_checked() {
    for share in [1.0, -0.1, f64::NAN] {
        assert_eq!(Forgers::new(share, Strategy::Lie), Err(ForgersError::Share));
    }
    for strategy in Strategy::ALL {
        assert_eq!(strategy.name().parse(), Ok(strategy));
    }
    assert!("bribe".parse::<Strategy>().unwrap_err().to_string().contains("careful"));
}

/// The quick tables: 5,000 people, two runs. At ε = 4 a tenth of voters puts several percent of honest people on the
/// worst arm if every report counts, and next to nobody behind the guard, which warns in both runs.
#[test]
fn voters_move_what_takes_every_report_and_not_what_is_guarded() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_path_buf();
    let options = Options { out, keep_trials: false, threads: 2, seed: 1, quick: true, data: None };
    figures::run("forged-bandits", &options, &Silent).unwrap();
    let csv = std::fs::read_to_string(folder.path().join("forged-bandits.csv")).unwrap();
    let row = |start: &str| -> Vec<String> {
        let line = csv.lines().find(|line| line.starts_with(start)).unwrap();
        line.split(',').map(str::to_string).collect()
    };
    let worst = |start: &str| row(start)[7].parse::<f64>().unwrap();
    let (all, guarded) = ("trusting-thompson,4,1,vote,0.1,", "ldp-thompson,4,1,vote,0.1,");
    assert!(worst(all) > 2.0 && worst(guarded) < 1.0, "{} {}", worst(all), worst(guarded));
    assert_eq!(row(guarded)[12], "2");
    assert_eq!(worst("trusting-thompson,4,1,none,0,"), worst("ldp-thompson,4,1,none,0,"));
}
