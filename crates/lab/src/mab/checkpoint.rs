//! A run in the middle, as a document: everything that its continuation depends on.

use std::path::Path;

use reticent_privacy::SimRng;
use serde::{Deserialize, Serialize};

use super::{Experiment, Key, Run, Saved};
use crate::runner::LabError;
use reticent_store::files;

const FORMAT: &str = "reticent-mab-run";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<Rng> {
    format: String,
    version: u32,
    /// With `users` as served so far.
    key: Key,
    pulls: Vec<u64>,
    curve: Vec<(u64, f64)>,
    #[serde(default)]
    on_best: Vec<(u64, u64)>,
    world: Rng,
    noise: Rng,
    /// The agent's own document, whole.
    agent: String,
}

/// Writes the run, whole or not at all.
pub fn save(path: &Path, experiment: &Experiment, run: &Run) -> Result<(), LabError> {
    let saved = run.player.save().map_err(LabError::Player)?;
    let cannot = || LabError::Checkpoint("this agent has no form to be saved in".to_string());
    let Saved { agent, noise } = saved.ok_or_else(cannot)?;
    let document = Document {
        format: FORMAT.to_string(),
        version: VERSION,
        key: Key { users: run.done, ..experiment.key() },
        pulls: run.pulls.clone(),
        curve: run.curve.clone(),
        on_best: run.on_best.clone(),
        world: &run.world,
        noise,
        agent,
    };
    let text = serde_json::to_string(&document).map_err(|e| LabError::Checkpoint(e.to_string()))?;
    Ok(files::write_whole(path, text.as_bytes())?)
}

/// The run that [`save`] wrote, if it is one of this experiment.
pub fn load(path: &Path, experiment: &Experiment) -> Result<Run, LabError> {
    let text = files::read_text(path)?;
    let wrong = |what: String| LabError::Checkpoint(format!("{}: {what}", path.display()));
    // The parser's own message could quote the file, which may be a table of people that was named by mistake.
    let damaged = |error: serde_json::Error| format!("it is cut short or damaged at line {}", error.line());
    let document: Document<SimRng> = serde_json::from_str(&text).map_err(|error| wrong(damaged(error)))?;
    if document.format != FORMAT || document.version != VERSION {
        return Err(wrong(format!("it is not a {FORMAT} of version {VERSION}")));
    }
    let Key { users, series, .. } = document.key;
    // An earlier series had other numbers but the same law: its run may go on.
    if document.key != (Key { series, users, ..experiment.key() }) || series > experiment.key().series {
        return Err(wrong("it was saved with another agent, environment, epsilon or seed".to_string()));
    }
    if users >= experiment.users {
        return Err(wrong(format!("it has served {users} people already: ask for more --users")));
    }
    let player = experiment.agent.load(&document.agent, document.noise)?;
    let consistent = document.pulls.len() == experiment.env.arms() as usize
        && document.pulls.iter().map(|&pulls| u128::from(pulls)).sum::<u128>() == u128::from(users);
    let (Some(player), true) = (player, consistent) else {
        return Err(wrong("it contradicts itself".to_string()));
    };
    let mut run = Run::resume(&experiment.env, player, document.world, document.pulls);
    (run.curve, run.on_best) = (document.curve, document.on_best);
    Ok(run)
}
