//! What forgers do to a contextual bandit: `forged-contextual`.

use std::fmt::Write;
use std::sync::Arc;

use reticent_chart::page::Table;

use super::reproduce::{LOSSES, Section, attacks, epsilon, named, size};
use super::{Forgers, Strategy};
use crate::contextual::env::{World, WorldOptions};
use crate::contextual::{AgentName, Experiment, Playable, Trial, Trusting};
use crate::reproduce::{ReproduceError, Stage};
use crate::runner::{LabError, run_all};
use crate::stats::Summary;

/// Two arms, of which each is better by 0.4 for about half of the people.
const WORLD: &str = "halves";
const SHARES: [f64; 4] = [0.01, 0.05, 0.1, 0.2];

/// What became of one agent.
struct Row {
    agent: String,
    lost: Summary,
    warned: usize,
}

pub(super) fn contextual(stage: &Stage<'_>) -> Result<Section, ReproduceError> {
    let mut rows = "agent,epsilon,people,strategy,share,trials,seed,lost,lost_sd,warned\n".to_string();
    let mut table = Vec::new();
    let ((trials, people), seed) = (size(stage), stage.options.seed);
    for loss in LOSSES {
        for forgers in attacks(&Strategy::ALL, &SHARES) {
            let (strategy, share) = named(forgers);
            let mut cells = vec![loss.to_string(), strategy.clone(), format!("{} %", 100.0 * share)];
            for own in [Some(Arc::new(Trusting) as Arc<dyn Playable>), None] {
                let Row { agent, lost, warned } = play(stage, own, loss, forgers)?;
                let (mean, sd) = (lost.mean, lost.sd.unwrap_or(0.0));
                cells.extend([format!("{mean:.4} ({sd:.4})"), warned.to_string()]);
                let _ = writeln!(
                    rows,
                    "{agent},{loss},{people},{strategy},{share},{trials},{seed},{mean},{sd},{warned}"
                );
            }
            table.push((cells, false));
        }
    }
    let head = ["ε", "forgers", "share", "all reports", "warned", "guarded", "warned"];
    let table = Table { head: head.map(String::from).to_vec(), rows: table };
    let caption = "What an honest person loses, mean (standard deviation), where even play loses 0.2; and trials that warned.";
    Ok(Section {
        title: "Forgers among people with contexts",
        tables: vec![(caption.into(), table)],
        rows,
        ..Section::default()
    })
}

fn play(
    stage: &Stage<'_>,
    own: Option<Arc<dyn Playable>>,
    loss: f64,
    forgers: Option<Forgers>,
) -> Result<Row, ReproduceError> {
    let (trials, users) = size(stage);
    let world = World::open(WORLD, &WorldOptions::default())?;
    let mut experiment = Experiment::new(AgentName::LdpContextual, world, Some(epsilon(loss)));
    (experiment.users, experiment.trials, experiment.seed) = (users, trials, stage.options.seed);
    (experiment.own, experiment.forgers) = (own, forgers);
    let mut store = stage.store(&experiment.key())?;
    let done = run_all(&experiment, stage.options.threads, &mut store, stage.progress)?;
    let lost: Vec<f64> = done.iter().filter_map(lost).collect();
    let lost = Summary::of(&lost).ok_or(LabError::Interrupted { finished: 0, trials })?;
    let warned = done.iter().filter(|trial| !trial.warnings.is_empty()).count();
    Ok(Row { agent: experiment.agent_name(), lost, warned })
}

/// What an honest person lost.
fn lost(trial: &Trial) -> Option<f64> {
    let honest: u64 = trial.pulls.iter().sum();
    Some(trial.regret.last()? / honest.max(1) as f64)
}
