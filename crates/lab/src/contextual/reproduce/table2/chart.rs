//! Mean reward against people, on one data set.

use super::{Bench, DataSet, METHODS, Measured, REPETITIONS, Results, note};
use crate::contextual::reproduce::section::line;
use reticent_chart::numbers::number;
use reticent_chart::plot::{Axis, Chart, Series};

/// The budgets that the chart shows.
const SHOWN: (f64, f64) = (1.0, 4.0);
const FIRST_SHOWN: u64 = 100;

/// Every method, ABSE, and the yardstick.
pub(super) fn rewards(bench: &Bench<'_>, data: &DataSet, results: &Results) -> Chart {
    let (epsilon, source_epsilon) = SHOWN;
    let private = results.row(SHOWN).into_iter().map(|entry| {
        let agent = METHODS[entry.method].0;
        let name =
            if entry.source_epsilon.is_some() { format!("{agent}, sources") } else { agent.to_string() };
        curve(&name, &entry.measured)
    });
    let flat = [FIRST_SHOWN as f64, results.users as f64].map(|people| (people, data.majority)).to_vec();
    let losses = if data.sources.is_empty() {
        format!("ε = {epsilon}")
    } else {
        format!("ε = {epsilon}, sources ε_m = {source_epsilon}")
    };
    Chart {
        title: format!("Table 2, {}: mean reward so far", data.name),
        subtitle: Some(format!(
            "{losses}; {} people; mean of {} repetitions, bands are 95 % confidence intervals",
            number(results.users as f64),
            bench.trials(REPETITIONS)
        )),
        x: Axis::log("people served"),
        y: Axis::linear("mean reward a person"),
        series: private
            .chain([curve("abse, not private", &results.abse)])
            .chain([Series::bound("always the most frequent label", flat)])
            .collect(),
        note: Some(note(bench.options)),
    }
}

fn curve(name: &str, measured: &Measured) -> Series {
    let shown = measured.outcome.curve.iter().filter(|point| point.users >= FIRST_SHOWN);
    line(name, &shown.map(|point| (point.users as f64, point.mean_reward)).collect::<Vec<_>>())
}
