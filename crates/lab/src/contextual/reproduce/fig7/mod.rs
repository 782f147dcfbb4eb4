//! Figure 7: regret against the number of people, by epsilon, without and with a source.

mod published;
mod tables;

use super::bench::source;
use super::section::line;
use super::{Bench, Measured, Panel, Section, note};
use crate::contextual::env::SourceSpec;
use crate::contextual::rates::{Problem, Rate};
use crate::contextual::{AgentName, Experiment};
use crate::reproduce::ReproduceError;
use crate::stats::Summary;
use reticent_chart::plot::{Axis, Chart, Series};

pub(super) const WORLD: &str = "exponential-code";
const TRIALS: u32 = 20;
const EPSILONS: [f64; 5] = [1.0, 2.0, 4.0, 8.0, 1024.0];
/// The paper's, in people.
const SIZES: [u64; 7] = [10_000, 20_000, 40_000, 60_000, 80_000, 120_000, 160_000];
/// Of the one source.
const SOURCE_PEOPLE: u64 = 5000;
/// Shown in the charts, where all would be too many.
const TUNED_SHOWN: [f64; 3] = [1.0, 8.0, 1024.0];
/// One is enough: the others play just as uniformly.
const PROVED_SHOWN: f64 = 8.0;

const CAPTION: [&str; 4] = [
    "World exponential-code: the rewards of the authors' code, with centres k/(K + 1); the text's centres k/K are another world (exponential). \
     K = 3, d = 2. (b) adds one source of 5,000 people with ε₁ = 8, γ = 0, κ = 1. ldp-contextual needs no horizon, so that one run gives all of \
     its points; the paper's agents are told the horizon, and each of their points is a run of its own. The paper has 100 repetitions.",
    "ldp-abse, with the radius that its proof needs, removes no arm at these sizes: it plays uniformly, at every ε, and is shown once, as the \
     height of uniform play.",
    "The best arm of this world changes at x1 = 3/8 and 5/8, which are borders of dyadic cells. An agent that cuts the cube there can have \
     no regret at all, so that flat lines here say little about other worlds: in the text's own, one border is at 5/6.",
    "Dashed: how the paper proves that regret grows at ε = 1, for d = 2, three arms and a margin of 1. Nobody does better in all such worlds \
     than n (n (e^ε - 1)^2)^(-1/3) (Theorem 2.5), and Algorithm 2 does no worse than n (n ε^2 / (9 log n))^(-1/3) (Theorem 2.6), with a source \
     Theorems 3.3 and 3.4, each times a constant that is not known. Both are drawn through ldp-contextual's last point: only their slopes say \
     anything. This world is easier than the worst.",
];

/// One agent at one epsilon: runs that cover all sizes.
struct Sweep {
    name: String,
    agent: AgentName,
    runs: Vec<Measured>,
}

impl Sweep {
    /// Regret after so many people, of the run that was made for it.
    fn at(&self, people: u64) -> Option<Summary> {
        let made_for = |run: &&Measured| run.experiment.users == people;
        let run = self.runs.iter().find(made_for).or_else(|| self.runs.first())?;
        run.regret_at(people)
            .filter(|_| self.agent == AgentName::LdpContextual || run.experiment.users == people)
    }
}

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let captions = CAPTION.iter().map(ToString::to_string).collect();
    let mut section =
        Section { title: "Figure 7: regret against the number of people", captions, ..Section::default() };
    let one = source(bench.people(SOURCE_PEOPLE), 0.0, 1.0, 8.0);
    let panels = [("a", "(a) no source", vec![]), ("b", "(b) one source of 5,000 people, ε₁ = 8", vec![one])];
    for (suffix, title, sources) in panels {
        let sweeps = sweeps(bench, &sources)?;
        let chart = chart(bench, title, &sweeps, &sources);
        section.panels.push(Panel { suffix: suffix.into(), chart });
        let heading = format!("{title}: mean regret; intervals are in the chart and in the CSV file.");
        section.tables.push((heading, tables::by_size(&sweeps, &sizes(bench))));
        for run in sweeps.iter().flat_map(|sweep| &sweep.runs) {
            section.rows.add(run, |users| users == run.experiment.users || sizes(bench).contains(&users));
        }
        if sources.is_empty() {
            let beside = tables::beside(bench, WORLD, &published::EXPONENTIAL_CODE, &mut section.rows)?;
            section.tables.push((tables::heading(WORLD), beside));
        }
    }
    let beside = tables::beside(bench, "symmetric", &published::SYMMETRIC, &mut section.rows)?;
    section.tables.push((tables::heading("symmetric"), beside));
    Ok(section)
}

fn sizes(bench: &Bench<'_>) -> Vec<u64> {
    SIZES.iter().map(|&size| bench.people(size)).collect()
}

fn sweeps(bench: &Bench<'_>, sources: &[SourceSpec]) -> Result<Vec<Sweep>, ReproduceError> {
    let proved = if sources.is_empty() { AgentName::LdpAbse } else { AgentName::LdpAbseTransfer };
    let all = sizes(bench);
    let ours = EPSILONS.iter().map(|&epsilon| (AgentName::LdpContextual, epsilon, &all[6..]));
    let tuned = TUNED_SHOWN.iter().map(|&epsilon| (AgentName::LdpAbseTuned, epsilon, &all[..]));
    let lines = ours.chain(tuned).chain([(proved, PROVED_SHOWN, &all[..])]);
    lines.map(|(agent, epsilon, sizes)| sweep(bench, agent, (WORLD, epsilon, sources), sizes)).collect()
}

fn sweep(
    bench: &Bench<'_>,
    agent: AgentName,
    (world, epsilon, sources): (&str, f64, &[SourceSpec]),
    sizes: &[u64],
) -> Result<Sweep, ReproduceError> {
    let run = |&users: &u64| {
        let base = bench.experiment(agent, world, epsilon, sources)?;
        bench.measure(Experiment { users, trials: bench.trials(TRIALS), ..base })
    };
    let runs = sizes.iter().map(run).collect::<Result<_, _>>()?;
    Ok(Sweep { name: format!("{agent} ε = {epsilon}"), agent, runs })
}

/// The paper's rates at the first epsilon, through the last point of our line there.
fn rates(sizes: &[u64], sweeps: &[Sweep], sources: &[SourceSpec]) -> Vec<Series> {
    let problem = Problem { arms: 3.0, dims: 2.0, margin: 1.0, epsilon: EPSILONS[0], sources };
    let last = sizes.last().and_then(|&size| Some((size as f64, sweeps.first()?.at(size)?.mean)));
    let Some((most, regret)) = last else { return Vec::new() };
    let curve = |rate: Rate| {
        let constant = regret / rate.at(&problem, most);
        let points = sizes.iter().map(|&size| (size as f64, constant * rate.at(&problem, size as f64)));
        let theorem = rate.theorem(!sources.is_empty());
        Series::bound(format!("slope of Theorem {theorem}, ε = {}", EPSILONS[0]), points.collect())
    };
    [Rate::Lower, Rate::Upper].map(curve).to_vec()
}

fn chart(bench: &Bench<'_>, title: &str, sweeps: &[Sweep], sources: &[SourceSpec]) -> Chart {
    let sizes = sizes(bench);
    let measured = sweeps.iter().map(|sweep| {
        let points = sizes.iter().filter_map(|&size| Some((size as f64, sweep.at(size)?)));
        line(&sweep.name, &points.collect::<Vec<_>>())
    });
    Chart {
        title: format!("Figure 7 {title}"),
        subtitle: Some(format!(
            "World {WORLD}; mean of {} trials, bands are 95 % confidence intervals",
            bench.trials(TRIALS)
        )),
        x: Axis::log("people"),
        y: Axis::log("regret"),
        series: measured.chain(rates(&sizes, sweeps, sources)).collect(),
        note: Some(note(bench.options)),
    }
}
