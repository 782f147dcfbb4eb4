//! Regret curves of contextual experiments.

use super::{Experiment, Outcome};
use crate::reproduce::mark;
use reticent_chart::plot::{Axis, Chart, Series};

/// People below this many are left out of charts: nobody has learned anything yet.
const FIRST_SHOWN: u64 = 100;

/// The agent and its loss, for legends and headlines.
pub fn label(experiment: &Experiment) -> String {
    let (kind, name) = (experiment.agent, experiment.agent_name());
    let sources = match experiment.sources.len() {
        0 => String::new(),
        1 => ", 1 source".to_string(),
        many => format!(", {many} sources"),
    };
    match experiment.epsilon {
        Some(epsilon) if experiment.own.is_some() || kind.is_private() => {
            format!("{name} ε = {epsilon}{sources}")
        }
        _ => format!("{name}, not private{sources}"),
    }
}

/// Regret against people, on logarithmic axes, with bands.
pub fn regret_chart(title: &str, subtitle: String, lines: &[(String, &Outcome)], seed: u64) -> Chart {
    let series = lines.iter().map(|(name, outcome)| {
        let first = if outcome.users > 10 * FIRST_SHOWN { FIRST_SHOWN } else { 1 };
        let shown = outcome.curve.iter().filter(move |point| point.users >= first);
        let points = shown.clone().map(|point| (point.users as f64, point.regret.mean)).collect();
        let band = shown.map(|point| {
            let mean = point.regret.mean;
            point.regret.ci95.map_or((mean, mean), |[low, high]| (low, high))
        });
        Series::measured(name, points).with_band(band.collect())
    });
    Chart {
        title: title.to_string(),
        subtitle: Some(subtitle),
        x: Axis::log("people served"),
        y: Axis::log("regret (reward lost against the best arm for each person)"),
        series: series.collect(),
        note: Some(mark(seed)),
    }
}
