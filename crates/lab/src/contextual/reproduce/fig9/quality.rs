//! Figure 9 (a) and (b): regret by kappa and by gamma.

use super::{AGENTS, Bench, Measured, Panel, SOURCE_PEOPLE, Section, TRIALS, WORLD, note};
use crate::contextual::reproduce::bench::source;
use crate::contextual::reproduce::section::{line, plus_minus};
use crate::contextual::{AgentName, Experiment};
use crate::reproduce::ReproduceError;
use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};

const PEOPLE: u64 = 40_000;
const EPSILON: f64 = 2.0;
const FIXED_GAMMA: f64 = 0.2;

/// What varies along the axis.
struct Question {
    suffix: &'static str,
    symbol: &'static str,
    axis: &'static str,
    /// Steps of 0.2 from 0.
    steps: u32,
    losses: [f64; 2],
    /// Gamma and kappa at a value on the axis.
    shape: fn(f64) -> (f64, f64),
}

const QUESTIONS: [Question; 2] = [
    Question {
        suffix: "a",
        symbol: "κ",
        axis: "κ (1: the source's arms were chosen uniformly)",
        steps: 5,
        losses: [1.0, 8.0],
        shape: |kappa| (FIXED_GAMMA, kappa),
    },
    Question {
        suffix: "b",
        symbol: "γ",
        axis: "γ (0: the source's contexts are the target's)",
        steps: 10,
        losses: [2.0, 8.0],
        shape: |gamma| (gamma, 1.0),
    },
];

impl Question {
    fn values(&self) -> Vec<f64> {
        (0..=self.steps).map(|step| f64::from(2 * step) / 10.0).collect()
    }
}

/// One agent with sources of one loss, at all values.
struct Sweep {
    name: String,
    points: Vec<(f64, Measured)>,
}

pub(super) fn add(bench: &Bench<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let alone: Vec<Measured> =
        AGENTS.into_iter().map(|agent| run(bench, agent, None)).collect::<Result<_, _>>()?;
    for measured in &alone {
        section.rows.add_end(measured);
    }
    for question in &QUESTIONS {
        let sweeps = sweeps(bench, question)?;
        let chart = chart(bench, question, &sweeps, &alone[0]);
        section.panels.push(Panel { suffix: question.suffix.into(), chart });
        let heading = format!(
            "({}) Regret by {}, mean ± half the width of the 95 % interval. Without sources: ldp-contextual {}, ldp-abse-tuned {}.",
            question.suffix,
            question.symbol,
            plus_minus(alone[0].regret()),
            plus_minus(alone[1].regret())
        );
        section.tables.push((heading, table(question, &sweeps)));
        for (_, measured) in sweeps.iter().flat_map(|sweep| &sweep.points) {
            section.rows.add_end(measured);
        }
    }
    Ok(())
}

fn run(
    bench: &Bench<'_>,
    agent: AgentName,
    sources: Option<((f64, f64), f64)>,
) -> Result<Measured, ReproduceError> {
    let two = sources
        .map(|((gamma, kappa), loss)| vec![source(bench.people(SOURCE_PEOPLE), gamma, kappa, loss); 2]);
    let base = bench.experiment(agent, WORLD, EPSILON, &two.unwrap_or_default())?;
    bench.measure(Experiment { users: bench.people(PEOPLE), trials: bench.trials(TRIALS), ..base })
}

fn sweeps(bench: &Bench<'_>, question: &Question) -> Result<Vec<Sweep>, ReproduceError> {
    let lines = AGENTS.into_iter().flat_map(|agent| question.losses.map(|loss| (agent, loss)));
    let sweep = |(agent, loss): (AgentName, f64)| {
        let point = |value: f64| Ok((value, run(bench, agent, Some(((question.shape)(value), loss)))?));
        let points = question.values().into_iter().map(point).collect::<Result<_, ReproduceError>>()?;
        Ok(Sweep { name: format!("{agent} ε_m = {loss}"), points })
    };
    lines.map(sweep).collect()
}

fn chart(bench: &Bench<'_>, question: &Question, sweeps: &[Sweep], alone: &Measured) -> Chart {
    let series = sweeps.iter().map(|sweep| {
        let points = sweep.points.iter().map(|(value, measured)| (*value, measured.regret()));
        line(&sweep.name, &points.collect::<Vec<_>>())
    });
    let level = alone.regret().mean;
    let flat = question.values().into_iter().map(|value| (value, level)).collect();
    let (people, trials) = (number(bench.people(PEOPLE) as f64), bench.trials(TRIALS));
    Chart {
        title: format!("Figure 9 ({}): regret by {}", question.suffix, question.symbol),
        subtitle: Some(format!(
            "World {WORLD}, {people} people, ε = {EPSILON}; mean of {trials} trials, bands are 95 % confidence intervals"
        )),
        x: Axis::linear(question.axis),
        y: Axis::log("regret"),
        series: series.chain([Series::bound("ldp-contextual, no sources", flat)]).collect(),
        note: Some(note(bench.options)),
    }
}

fn table(question: &Question, sweeps: &[Sweep]) -> Table {
    let values = question.values();
    let names = std::iter::once(question.symbol.to_string()).chain(sweeps.iter().map(|s| s.name.clone()));
    let row = |i: usize| {
        let cells = sweeps.iter().map(|sweep| plus_minus(sweep.points[i].1.regret()));
        (std::iter::once(format!("{:.1}", values[i])).chain(cells).collect(), false)
    };
    Table { head: names.collect(), rows: (0..values.len()).map(row).collect() }
}
