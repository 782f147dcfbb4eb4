//! What privacy costs an adaptive trial of many people, and what `dp-conse` costs there.

use std::fmt::Write;

use super::bench::epsilon;
use super::digits::small;
use super::{Bench, Panel, Section, note};
use crate::conse::{Experiment, Measured, RunnerKind, World};
use crate::reproduce::ReproduceError;
use crate::trial::Arrivals;
use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};

const PEOPLE: u64 = 100_000;
const FEATURES: usize = 5;
const GAP: f64 = 0.3;
const TRIALS: u32 = 200;
const OURS: RunnerKind = RunnerKind::PrivateTrial { first_epoch: None };
/// Name, design, loss and alpha.
const ROWS: [(&str, RunnerKind, Option<f64>, f64); 5] = [
    ("private-trial", OURS, Some(1.0), 0.30),
    ("private-trial", OURS, Some(1.0), 0.35),
    ("private-trial", OURS, Some(1.0), 0.36),
    ("private-trial, without noise", OURS, None, 0.35),
    ("dp-conse", RunnerKind::Paper, Some(1.0), 0.25),
];

const WHAT: &str = "Five features, means 0.35 and 0.65, the better arm alternating. Regret is the mean over trials with its standard deviation; error is the mean squared error of \
     the five effects; the worst feature's has its standard error beside it, and lies above their common expectation.";

struct Row {
    name: &'static str,
    loss: Option<f64>,
    alpha: f64,
    measured: Measured,
}

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let mut rows = Vec::new();
    for (name, kind, loss, alpha) in ROWS {
        let world = World::alternating(Arrivals::equal(FEATURES), GAP);
        let (people, trials) = (bench.people(PEOPLE), bench.trials(TRIALS));
        let seed = bench.options.seed;
        let experiment = Experiment { kind, epsilon: loss.map(epsilon), alpha, world, people, trials, seed };
        bench.progress.begin(&format!("{name}, alpha {alpha}"));
        rows.extend(bench.measure(&experiment)?.map(|measured| Row { name, loss, alpha, measured }));
    }
    let title = "The price of privacy for many people";
    Ok(Section {
        title,
        captions: vec![WHAT.into()],
        panels: vec![Panel { suffix: String::new(), chart: chart(bench, title, &rows) }],
        tables: vec![(String::new(), table(&rows))],
        rows: csv(bench, &rows),
    })
}

fn table(rows: &[Row]) -> Table {
    let line = |row: &Row| {
        let Measured { regret, mean_error, error, error_se, .. } = &row.measured;
        let cells = vec![
            row.name.to_string(),
            row.alpha.to_string(),
            row.loss.map_or("none".into(), |loss| loss.to_string()),
            format!("{} ({})", number(regret.mean), number(regret.sd.unwrap_or(0.0))),
            small(*mean_error),
            format!("{} ± {}", small(*error), small(*error_se)),
        ];
        (cells, false)
    };
    let head = ["design", "alpha", "epsilon", "regret (sd)", "error", "worst feature's"];
    Table { head: head.map(String::from).to_vec(), rows: rows.iter().map(line).collect() }
}

fn chart(bench: &Bench<'_>, title: &str, rows: &[Row]) -> Chart {
    let point = |row: &Row| {
        let name = format!("{}, alpha {}", row.name, row.alpha);
        Series::measured(name, vec![(row.measured.regret.mean, row.measured.error)])
    };
    Chart {
        title: title.to_string(),
        x: Axis::log("regret"),
        y: Axis::log("mean squared error"),
        series: rows.iter().map(point).collect(),
        note: Some(note(bench.options)),
        ..Chart::default()
    }
}

fn csv(bench: &Bench<'_>, rows: &[Row]) -> String {
    let mut text =
        "design,alpha,epsilon,trials,seed,regret,regret_sd,mean_error,error,error_se\n".to_string();
    for row in rows {
        let Measured { regret, mean_error, error, error_se, .. } = &row.measured;
        let loss = row.loss.map_or(String::new(), |loss| loss.to_string());
        let _ = writeln!(
            text,
            "\"{}\",{},{loss},{},{},{},{},{mean_error},{error},{error_se}",
            row.name,
            row.alpha,
            bench.trials(TRIALS),
            bench.options.seed,
            regret.mean,
            regret.sd.unwrap_or(0.0)
        );
    }
    text
}
