//! Figure 6: how good and bad auxiliary data help a thousand people.

mod local;

use super::bench::source;
use super::section::{cells, line, plus_minus};
use super::{Bench, Measured, Panel, Section, note};
use crate::contextual::env::SourceSpec;
use crate::contextual::{AgentName, Experiment, Point};
use crate::reproduce::ReproduceError;
use crate::stats::Summary;
use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart};

const WORLD: &str = "exponential-code";
const PEOPLE: u64 = 1000;
const SOURCE_PEOPLE: u64 = 500;
const TRIALS: u32 = 200;
const EPSILON: f64 = 1.0;
/// Before so many people an average is noise.
const FIRST_SHOWN: u64 = 20;

const CAPTION: &str = "Average regret a person so far, ε = 1, 1,000 people, one source of 500 people with κ = 1: effective (ε₁ = 8, γ = 0) or weak \
     (ε₁ = 0.5, γ = 5). World exponential-code: the rewards of the authors' code, centres k/(K + 1), where the text has k/K; K = 3, d = 2. The \
     paper shows a single trial; this is the mean of many. Below it the same for whoever has the context (1/3, 1/3), and how often they \
     get the arm that is best for them: what the policy gives, not what one person drew. The paper: both kinds of source bring the \
     elimination of worse arms forward, the effective one far more. ldp-abse-transfer removes no arm \
     here, with or without a source: the radius that its proof needs is larger than any gap, and it plays uniformly. The paper's jump \
     start therefore comes from the smaller constants of its code. Uniform play is the yardstick: whoever is at its height has learned nothing. \
     A thousand people at ε = 1 are few for any honest agent.";

/// The settings by name.
fn settings() -> [(&'static str, Vec<SourceSpec>); 3] {
    [
        ("no source", Vec::new()),
        ("effective source", vec![source(SOURCE_PEOPLE, 0.0, 1.0, 8.0)]),
        ("weak source", vec![source(SOURCE_PEOPLE, 5.0, 1.0, 0.5)]),
    ]
}

/// The paper's agent with the proved radius has another name without sources.
fn agents(sources: &[SourceSpec]) -> [AgentName; 3] {
    let proved = if sources.is_empty() { AgentName::LdpAbse } else { AgentName::LdpAbseTransfer };
    [AgentName::LdpContextual, AgentName::LdpAbseTuned, proved]
}

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let mut lines: Vec<(String, Measured)> = Vec::new();
    for place in 0..3 {
        for (setting, sources) in settings() {
            let agent = agents(&sources)[place];
            let base = bench.experiment(agent, WORLD, EPSILON, &sources)?;
            // A hundred people would learn nothing: a quick look has fewer trials alone.
            let experiment = Experiment { users: PEOPLE, trials: bench.trials(TRIALS), ..base };
            lines.push((format!("{agent}, {setting}"), bench.measure(experiment)?));
        }
    }
    let mut section = Section {
        title: "Figure 6: an illustrative example",
        captions: vec![CAPTION.to_string()],
        tables: vec![(
            format!("Average regret a person after {} people.", number(PEOPLE as f64)),
            table(&lines),
        )],
        ..Section::default()
    };
    for (_, measured) in &lines {
        section.rows.add(measured, |_| true);
    }
    section.panels.push(Panel { suffix: String::new(), chart: chart(bench, &lines) });
    section.panels.extend(local::panels(bench, &lines)?);
    Ok(section)
}

/// Regret divided by people.
fn average(point: &Point) -> Summary {
    let n = point.users as f64;
    let Summary { mean, sd, ci95 } = point.regret;
    Summary { mean: mean / n, sd: sd.map(|sd| sd / n), ci95: ci95.map(|ends| ends.map(|end| end / n)) }
}

fn chart(bench: &Bench<'_>, lines: &[(String, Measured)]) -> Chart {
    let curve = |(name, measured): &(String, Measured)| {
        let shown = measured.outcome.curve.iter().filter(|point| point.users >= FIRST_SHOWN);
        line(name, &shown.map(|point| (point.users as f64, average(point))).collect::<Vec<_>>())
    };
    // The proved radius gives one and the same line three times: one is enough.
    let shown = lines.iter().take(7);
    Chart {
        title: "Figure 6: an illustrative example".into(),
        subtitle: Some(format!(
            "World {WORLD}, ε = 1; mean of {} trials, bands are 95 % confidence intervals",
            bench.trials(TRIALS)
        )),
        x: Axis::log("people served"),
        y: Axis::linear("average regret a person"),
        series: shown.map(curve).collect(),
        note: Some(note(bench.options)),
    }
}

fn table(lines: &[(String, Measured)]) -> Table {
    let rows = lines.iter().enumerate().map(|(i, (name, measured))| {
        // Every third line is an agent's own without a source.
        let alone = &lines[i - i % 3].1;
        let average = measured.regret().mean / PEOPLE as f64;
        let per_cent = 100.0 * (measured.regret().mean / alone.regret().mean - 1.0);
        let row = vec![
            name.clone(),
            format!("{average:.3}"),
            plus_minus(measured.regret()),
            if i % 3 == 0 { "–".into() } else { format!("{per_cent:+.1} %") },
        ];
        (row, measured.experiment.agent == AgentName::LdpContextual)
    });
    let head = cells(&["agent and setting", "average regret", "regret, mean ± 95 %", "against no source"]);
    Table { head, rows: rows.collect() }
}
