//! The rows of Figure 6 on one context: what people there lose so far, and how often they get their best arm.

use super::super::{Bench, Measured, Panel, note};
use super::{FIRST_SHOWN, WORLD};
use crate::contextual::{Experiment, Run};
use crate::reproduce::ReproduceError;
use reticent_chart::plot::{Axis, Chart, Series};

/// The paper's.
const CONTEXT: [f64; 2] = [1.0 / 3.0, 1.0 / 3.0];
/// Of the figure's trials so many are run again and watched.
const TRIALS: u32 = 50;

/// Averages so far of one line, person after person, over trials.
struct Watched {
    name: String,
    regret: Vec<f64>,
    on_best: Vec<f64>,
}

pub(super) fn panels(bench: &Bench<'_>, lines: &[(String, Measured)]) -> Result<Vec<Panel>, ReproduceError> {
    let mut all = Vec::new();
    // As in the figure, the proved radius is shown once.
    for (name, measured) in lines.iter().take(7) {
        bench.progress.begin(&format!("{}: {name}, on one context", bench.id));
        all.extend(watch(bench, name, &measured.experiment)?);
    }
    let chart = |title: &str, label: &str, values: fn(&Watched) -> &Vec<f64>| Chart {
        title: format!("Figure 6: {title} at x = (1/3, 1/3)"),
        subtitle: Some(format!("World {WORLD}, ε = 1; mean of {} trials", trials(bench))),
        x: Axis::log("people served"),
        y: Axis::linear(label),
        series: all.iter().map(|line| shown(&line.name, values(line))).collect(),
        note: Some(note(bench.options)),
    };
    let regret = chart("local regret", "average regret a person", |line| &line.regret);
    let arms = chart("share of the best arm", "share of people so far", |line| &line.on_best);
    Ok(vec![Panel { suffix: "-local".into(), chart: regret }, Panel { suffix: "-arms".into(), chart: arms }])
}

fn trials(bench: &Bench<'_>) -> u32 {
    bench.trials(TRIALS)
}

/// None for an agent whose policy does not tell.
fn watch(bench: &Bench<'_>, name: &str, experiment: &Experiment) -> Result<Option<Watched>, ReproduceError> {
    let Some(means) = experiment.world.means(&CONTEXT) else { return Ok(None) };
    let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let people = experiment.users as usize;
    let (mut regret, mut on_best) = (vec![0.0; people], vec![0.0; people]);
    let trials = trials(bench);
    for trial in 0..trials {
        let Some(seen) = Run::start(experiment, trial)?.watched(experiment, &CONTEXT)? else {
            return Ok(None);
        };
        let (mut lost, mut right) = (0.0, 0.0);
        for (at, shares) in seen.iter().enumerate() {
            let arms = || shares.iter().zip(&means);
            lost += arms().map(|(share, mean)| share * (best - mean)).sum::<f64>();
            right += arms().filter(|(_, mean)| **mean == best).map(|(share, _)| share).sum::<f64>();
            let weight = 1.0 / ((at + 1) as f64 * f64::from(trials));
            regret[at] += weight * lost;
            on_best[at] += weight * right;
        }
    }
    Ok(Some(Watched { name: name.to_string(), regret, on_best }))
}

/// A point for each twentieth more people, from where an average is more than noise.
fn shown(name: &str, values: &[f64]) -> Series {
    let mut points = Vec::new();
    let mut next = FIRST_SHOWN as f64;
    for (at, value) in values.iter().enumerate() {
        if (at + 1) as f64 >= next || at + 1 == values.len() {
            points.push(((at + 1) as f64, *value));
            next *= 1.05;
        }
    }
    Series::measured(name, points)
}
