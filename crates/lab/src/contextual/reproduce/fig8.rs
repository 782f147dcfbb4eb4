//! Figure 8: regret against the size of the sources, by their shift and their loss.

use super::bench::source;
use super::section::{line, plus_minus};
use super::{Bench, Measured, Panel, Section, note};
use crate::contextual::{AgentName, Experiment};
use crate::reproduce::ReproduceError;
use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};

const WORLD: &str = "exponential-code";
const TRIALS: u32 = 20;
const PEOPLE: u64 = 80_000;
const EPSILON: f64 = 1.0;
const AGENTS: [AgentName; 2] = [AgentName::LdpContextual, AgentName::LdpAbseTuned];
/// People in each of the two sources; the paper's.
const SIZES: [u64; 5] = [0, 10_000, 20_000, 50_000, 100_000];
const GAMMAS: [f64; 3] = [0.0, 0.6, 2.0];
const LOSSES: [(&str, f64); 3] = [("a", 1.0), ("b", 2.0), ("c", 8.0)];

const CAPTION: &str = "Two sources of the size on the axis each, κ = 1; 80,000 people, ε = 1, world exponential-code. The text gives neither ε nor the \
     pairs (γ, ε_m): these are our choice. A source with larger γ has fewer people near the middle of the cube. The paper has 100 repetitions.";

/// One agent with sources of one shift and loss, at all sizes.
struct Sweep {
    agent: AgentName,
    gamma: f64,
    points: Vec<(u64, usize)>,
}

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let mut section = Section {
        title: "Figure 8: regret against the size of the sources",
        captions: vec![CAPTION.to_string()],
        ..Section::default()
    };
    let mut results: Vec<Measured> = Vec::new();
    // Without people in it a source has neither shift nor loss: measured once for each agent.
    for agent in AGENTS {
        results.push(run(bench, agent, (0, 0.0, 1.0))?);
    }
    for (suffix, loss) in LOSSES {
        let sweeps = sweeps(bench, loss, &mut results)?;
        let chart = chart(bench, suffix, loss, &sweeps, &results);
        section.panels.push(Panel { suffix: suffix.into(), chart });
        let heading = format!(
            "({suffix}) Sources of ε_m = {loss}: regret by people in each source, mean ± half the width of the 95 % interval."
        );
        section.tables.push((heading, table(bench, &sweeps, &results)));
    }
    for measured in &results {
        section.rows.add_end(measured);
    }
    Ok(section)
}

fn run(
    bench: &Bench<'_>,
    agent: AgentName,
    (size, gamma, loss): (u64, f64, f64),
) -> Result<Measured, ReproduceError> {
    let two = if size == 0 { vec![] } else { vec![source(bench.people(size), gamma, 1.0, loss); 2] };
    let base = bench.experiment(agent, WORLD, EPSILON, &two)?;
    bench.measure(Experiment { users: bench.people(PEOPLE), trials: bench.trials(TRIALS), ..base })
}

fn sweeps(bench: &Bench<'_>, loss: f64, results: &mut Vec<Measured>) -> Result<Vec<Sweep>, ReproduceError> {
    let mut sweeps = Vec::new();
    for (alone, agent) in AGENTS.into_iter().enumerate() {
        for gamma in GAMMAS {
            let mut points = vec![(0, alone)];
            for size in &SIZES[1..] {
                points.push((bench.people(*size), results.len()));
                results.push(run(bench, agent, (*size, gamma, loss))?);
            }
            sweeps.push(Sweep { agent, gamma, points });
        }
    }
    Ok(sweeps)
}

impl Sweep {
    fn name(&self) -> String {
        format!("{} γ = {}", self.agent, self.gamma)
    }

    fn series(&self, results: &[Measured]) -> Series {
        let points = self.points.iter().map(|&(size, at)| (size as f64, results[at].regret()));
        line(self.name(), &points.collect::<Vec<_>>())
    }
}

fn chart(bench: &Bench<'_>, suffix: &str, loss: f64, sweeps: &[Sweep], results: &[Measured]) -> Chart {
    let (people, trials) = (number(bench.people(PEOPLE) as f64), bench.trials(TRIALS));
    Chart {
        title: format!("Figure 8 ({suffix}): two sources with ε_m = {loss}"),
        subtitle: Some(format!(
            "World {WORLD}, {people} people, ε = {EPSILON}; mean of {trials} trials, bands are 95 % confidence intervals"
        )),
        x: Axis::linear("people in each of the two sources"),
        y: Axis::log("regret"),
        series: sweeps.iter().map(|sweep| sweep.series(results)).collect(),
        note: Some(note(bench.options)),
    }
}

fn table(bench: &Bench<'_>, sweeps: &[Sweep], results: &[Measured]) -> Table {
    let sizes =
        SIZES.iter().map(|&size| if size == 0 { "none".into() } else { number(bench.people(size) as f64) });
    let row = |sweep: &Sweep| {
        let cells = sweep.points.iter().map(|&(_, at)| plus_minus(results[at].regret()));
        (std::iter::once(sweep.name()).chain(cells).collect(), sweep.agent == AgentName::LdpContextual)
    };
    Table {
        head: std::iter::once("agent".to_string()).chain(sizes).collect(),
        rows: sweeps.iter().map(row).collect(),
    }
}
