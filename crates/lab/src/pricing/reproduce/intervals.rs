//! `price-intervals`: how often the intervals of a held-out log hold what a policy earns, and gains over its
//! single price.

use std::fmt::Write;

use super::Section;
use super::bench::epsilon;
use super::row::digits;
use crate::pricing::worlds::{Logs, Valued, find};
use crate::reproduce::{ReproduceError, Stage};
use crate::runner::{LabError, run_all};
use crate::stats::share_interval;
use reticent_chart::page::Table;

const TRIALS: u32 = 1000;
const QUICK_TRIALS: u32 = 10;
const RECORDS: u64 = 10_000;
const QUICK_RECORDS: u64 = 3_000;

/// Markets that meet what the method takes for granted, and a loss for each.
const CASES: [(&str, f64); 5] =
    [("one-context", 4.0), ("one-context", 1.0), ("few-prices-list", 2.0), ("seasons", 4.0), ("profit", 4.0)];

const CAPTION: &str = "A policy is learned from one log. In each run another log is drawn and privatised, and says what the policy earns, and gains over the policy’s own single price, with 95 % intervals; \
     they hold if the truth is within. Each log comes with its own sample of 1,000 contexts of the target.";

pub(super) fn make(stage: &Stage<'_>) -> Result<Section, ReproduceError> {
    let quick = stage.options.quick;
    let (trials, records) = if quick { (QUICK_TRIALS, QUICK_RECORDS) } else { (TRIALS, RECORDS) };
    let mut section = Section {
        title: "Do the intervals hold?",
        captions: vec![CAPTION.to_string()],
        rows: "market,epsilon,records,trials,seed,value_held,gain_held,value_bias,gain_bias\n".to_string(),
        ..Section::default()
    };
    let mut rows = Vec::new();
    for (name, loss) in CASES {
        let Some(world) = find(name) else { continue };
        stage.progress.begin(&format!("{}: {name}, ε = {loss}", stage.id));
        let logs = Logs { world, records, epsilon: Some(epsilon(loss)), trials, seed: stage.options.seed };
        let valued = Valued::new(logs, epsilon(loss)).map_err(LabError::from)?;
        let mut store = stage.store(&valued.key())?;
        let all = run_all(&valued, stage.options.threads, &mut store, stage.progress)?;
        let count = |held: fn(&crate::pricing::worlds::Held) -> bool| {
            all.iter().filter(|run| held(&run.outcome)).count() as u64
        };
        let (value, gain) = (count(|held| held.value), count(|held| held.gain));
        let mean = |of: fn(&crate::pricing::worlds::Held) -> f64| {
            all.iter().map(|run| of(&run.outcome)).sum::<f64>() / f64::from(trials)
        };
        let (value_bias, gain_bias) = (mean(|held| held.value_error), mean(|held| held.gain_error));
        let seed = stage.options.seed;
        let _ = writeln!(
            section.rows,
            "{name},{loss},{records},{trials},{seed},{value},{gain},{value_bias},{gain_bias}"
        );
        let share = |held: u64| {
            let [low, high] = share_interval(held, u64::from(trials));
            format!("{held} of {trials} ({:.1} to {:.1} %)", 100.0 * low, 100.0 * high)
        };
        let cells = vec![
            format!("{name}, ε = {loss}"),
            share(value),
            digits(value_bias),
            share(gain),
            digits(gain_bias),
        ];
        rows.push((cells, true));
    }
    let head = ["market", "value held", "off by, on average", "gain held", "off by, on average"];
    let table = Table { head: head.map(str::to_string).to_vec(), rows };
    section.tables.push((format!("{records} records a log, nominal 95 %."), table));
    Ok(section)
}
