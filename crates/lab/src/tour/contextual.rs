//! The tour's contextual stop: who should get what.

use reticent_privacy::Epsilon;

use super::TourError;
use crate::clock::Stopwatch;
use crate::contextual::env::{SourceSpec, World, WorldOptions};
use crate::contextual::{
    AgentName, ContextualError, Experiment, Outcome, label, learned, map_chart, regret_chart,
};
use crate::named::Named;
use crate::reproduce::{Options, ReproduceError, mark};
use crate::runner::{LabError, Store, run_all};
use reticent_chart::numbers::number;
use reticent_chart::page::{Page, Table};
use reticent_jobs::Progress;

/// One agent's line.
#[derive(Debug)]
pub struct ContextualLine {
    /// Agent, loss and sources.
    pub label: String,
    /// Whether it is ours.
    pub is_ours: bool,
    /// What came out.
    pub outcome: Outcome,
}

/// The headline.
pub const TITLE: &str = "Private contextual bandits: who should get which of 3 arms?";
const CAPTION: &str = "Each person has two numbers that stay on their device, as do the arm and the reward; one randomised symbol of a few bytes leaves. \
    Which arm is best depends on the first number. ldp-abse is the paper's agent with the radius that its theorem needs, ldp-abse-tuned has the constants of the \
    authors' code, both with honest noise; ldp-glm assumes a logistic curve. abse and ldp-abse split bins before their radii can rule an arm out, so that with so few people they give arms evenly. The last line has heard 5,000 people of another market first, at ε = 8.";
const WORLD: &str = "exponential-code";
const USERS: u64 = 20_000;
const TRIALS: u32 = 10;
const SOURCE: &str = "people=5000,epsilon=8,gamma=0.2,kappa=1";

pub(super) fn stop(
    options: &Options,
    progress: &dyn Progress,
    page: &mut Page,
) -> Result<Vec<ContextualLine>, TourError> {
    let experiments = experiments(options)?;
    let mut lines = Vec::new();
    for experiment in &experiments {
        progress.begin(&format!("tour-contextual: {}", label(experiment)));
        let watch = Stopwatch::start();
        let trials = run_all(experiment, options.threads, &mut Store::in_memory(), progress).map_err(lab)?;
        let outcome = Outcome::new(experiment, &trials, trials.len(), watch.seconds()).map_err(lab)?;
        lines.push(ContextualLine {
            label: label(experiment),
            is_ours: experiment.agent == AgentName::DEFAULT,
            outcome,
        });
    }
    page.section(TITLE);
    page.paragraph(CAPTION);
    let subtitle = format!(
        "Environment {WORLD}; mean of {} trials, bands are 95 % confidence intervals",
        lines[0].outcome.trials
    );
    let curves: Vec<(String, &Outcome)> =
        lines.iter().map(|line| (line.label.clone(), &line.outcome)).collect();
    page.chart(&regret_chart("", subtitle, &curves, options.seed).svg());
    page.table(&table(&lines));
    if let Some(experiment) = experiments.iter().find(|e| e.agent == AgentName::DEFAULT) {
        draw_map(experiment, options.seed, page)?;
    }
    if let Some(line) = lines.last() {
        let guarantee = &line.outcome.guarantee;
        page.paragraph(&format!(
            "Guarantee of the private agents: {guarantee}. Unit: {}. Neighbours: {}. Proof of ours: {}.",
            guarantee.unit, guarantee.neighbours, guarantee.proof
        ));
    }
    Ok(lines)
}

fn draw_map(experiment: &Experiment, seed: u64, page: &mut Page) -> Result<(), TourError> {
    let Some(insight) = learned(experiment).map_err(lab)? else { return Ok(()) };
    let subtitle = format!(
        "The first trial of {} after {} people; pale where it is not sure",
        label(experiment),
        experiment.users
    );
    page.chart(&map_chart(&insight, &experiment.world, "", subtitle, mark(seed)).svg());
    page.paragraph(&format!(
        "The map is all that the server knows: for {:.0} % of people no arm is best with a probability of 0.9 yet.",
        100.0 * insight.undecided
    ));
    Ok(())
}

fn experiments(options: &Options) -> Result<Vec<Experiment>, TourError> {
    let world = World::open(WORLD, &WorldOptions::default()).map_err(world_error)?;
    let epsilon = Epsilon::new(1.0).ok();
    let spec: Vec<SourceSpec> = SOURCE.parse().into_iter().collect();
    let sources = world.sources(&spec).map_err(world_error)?;
    let agents = [
        AgentName::Abse,
        AgentName::LdpAbse,
        AgentName::LdpAbseTuned,
        AgentName::LdpGlm,
        AgentName::LdpContextual,
        AgentName::LdpContextual,
    ];
    let last = agents.len() - 1;
    let (users, trials) = if options.quick { (USERS / 10, TRIALS / 3) } else { (USERS, TRIALS) };
    Ok(agents
        .into_iter()
        .enumerate()
        .map(|(i, agent)| {
            let mut experiment = Experiment::new(agent, world.clone(), epsilon);
            (experiment.users, experiment.trials, experiment.seed) = (users, trials, options.seed);
            if i == last {
                experiment.sources = sources.iter().filter_map(|s| Some((s.clone(), s.epsilon()?))).collect();
            }
            experiment
        })
        .collect())
}

/// Regret and reward of each line.
pub fn table(lines: &[ContextualLine]) -> Table {
    let head = ["agent", "regret, mean", "sd", "95 % interval", "reward a person", "undecided"];
    let rows = lines.iter().map(|line| {
        let regret = line.outcome.regret;
        let row = vec![
            line.label.clone(),
            number(regret.mean),
            regret.sd.map_or("–".to_string(), number),
            regret
                .ci95
                .map_or("–".to_string(), |[low, high]| format!("{} to {}", number(low), number(high))),
            format!("{:.3}", line.outcome.mean_reward.mean),
            line.outcome.undecided.map_or("–".to_string(), |share| format!("{:.0} %", 100.0 * share)),
        ];
        (row, line.is_ours)
    });
    Table { head: head.map(String::from).into(), rows: rows.collect() }
}

fn lab(error: LabError) -> TourError {
    TourError::Reproduce(ReproduceError::Lab(error))
}

fn world_error(error: crate::contextual::env::WorldError) -> TourError {
    lab(LabError::Contextual(ContextualError::World(error)))
}
