//! The tour's trial: does the treatment work, for whom, and how few people get the worse arm?

use reticent_curate::trial::{Draft, TrialSpec};
use reticent_privacy::Epsilon;

use super::TourError;
use crate::conse::{Experiment, Measured, RunnerKind, World, measure};
use crate::reproduce::{Options, ReproduceError};
use crate::runner::{LabError, Store, run_all};
use crate::trial::simulate::one;
use crate::trial::{Arrivals, Conditions, Noise, World as TrialWorld};
use reticent_chart::numbers::number;
use reticent_chart::page::{Page, Table};
use reticent_jobs::Progress;
use reticent_jobs::trial::report::{document, show_effects};

/// One design's line.
#[derive(Debug)]
pub struct TrialLine {
    /// The design and its loss.
    pub label: &'static str,
    /// Whether it is ours, with noise.
    pub is_ours: bool,
    /// Trials, and what came out.
    pub trials: usize,
    /// Regret and error.
    pub measured: Measured,
}

/// The headline.
pub const TITLE: &str = "Private adaptive trials: does the treatment work, and for whom?";
const CAPTION: &str = "Two groups, in which opposite arms are better by 0.3; a clinic that is trusted with records publishes one table of noisy counts whenever an epoch ends. \
    dp-conse is the paper's design, which claims more privacy than it gives; private-trial is ours, at ε = 1 for the whole trial, and the same without noise. \
    Error is the worst group's mean squared error of the effect. Below, one trial as its report shows it.";
const PEOPLE: u64 = 30_000;
const TRIALS: u32 = 40;
const GAP: f64 = 0.3;
const GROUPS: usize = 2;

pub(super) fn stop(
    options: &Options,
    progress: &dyn Progress,
    page: &mut Page,
) -> Result<Vec<TrialLine>, TourError> {
    let trials = if options.quick { TRIALS / 10 } else { TRIALS };
    let private_trial = RunnerKind::PrivateTrial { first_epoch: Some(160) };
    let designs = [
        ("conse, not private", RunnerKind::Paper, None, 0.3),
        ("dp-conse, ε = 1 claimed", RunnerKind::Paper, Some(1.0), 0.3),
        ("private-trial without noise", private_trial, None, 0.33),
        ("private-trial, ε = 1", private_trial, Some(1.0), 0.33),
    ];
    let mut lines = Vec::new();
    for (label, kind, loss, alpha) in designs {
        progress.begin(&format!("tour-trial: {label}"));
        let epsilon = loss.and_then(|loss| Epsilon::new(loss).ok());
        let world = World::alternating(Arrivals::equal(GROUPS), GAP);
        let experiment =
            Experiment { kind, epsilon, alpha, world, people: PEOPLE, trials, seed: options.seed };
        let done = run_all(&experiment, options.threads, &mut Store::in_memory(), progress).map_err(lab)?;
        let is_ours = kind != RunnerKind::Paper && epsilon.is_some();
        lines.extend(measure(&experiment, &done).map(|measured| TrialLine {
            label,
            is_ours,
            trials: done.len(),
            measured,
        }));
    }
    page.section(TITLE);
    page.paragraph(CAPTION);
    page.table(&table(&lines));
    let world = example().map_err(lab)?;
    let trial = one(&world, options.seed, 0).map_err(lab)?;
    let shown = document(&trial.release, &trial.analysis, Some(options.seed));
    show_effects(page, &shown);
    let guarantee = trial.release.guarantee();
    page.paragraph(&format!(
        "Guarantee: {guarantee}. Unit: {}. Neighbours: {}. Proof: {}.",
        guarantee.unit, guarantee.neighbours, guarantee.proof
    ));
    Ok(lines)
}

/// The trial of the report.
fn example() -> Result<TrialWorld, LabError> {
    let plan = Draft { alpha: 0.33, ..Draft::simple("tour", PEOPLE, 1.0).with_levels("group", GROUPS) };
    let (low, high) = (0.5 - GAP / 2.0, 0.5 + GAP / 2.0);
    Ok(TrialWorld {
        spec: TrialSpec::new(plan).map_err(reticent_curate::trial::TrialError::from)?,
        arrivals: Arrivals::equal(GROUPS),
        means: vec![vec![low, high], vec![high, low]],
        noise: Noise::Coin,
        conditions: Conditions::default(),
    })
}

/// Regret and error of each line.
pub fn table(lines: &[TrialLine]) -> Table {
    let head = ["design", "regret, mean", "sd", "error", "standard error", "trials"];
    let small = |value: f64| format!("{value:.1e}");
    let rows = lines.iter().map(|line| {
        let Measured { regret, error, error_se, .. } = line.measured;
        let row = vec![
            line.label.to_string(),
            number(regret.mean),
            regret.sd.map_or("–".to_string(), number),
            small(error),
            small(error_se),
            line.trials.to_string(),
        ];
        (row, line.is_ours)
    });
    Table { head: head.map(String::from).into(), rows: rows.collect() }
}

fn lab(error: LabError) -> TourError {
    TourError::Reproduce(ReproduceError::Lab(error))
}
