//! One method in one setting, in several independent trials.

use reticent_privacy::SimSeed;
use serde::{Deserialize, Serialize};

use super::MethodName;
use super::lesson::{self, Outcome, Setting};
use crate::named::Named;
use crate::runner::{Finished, LabError, Repeated, Size, Store, StoreKey, run_all};
use crate::stats::Summary;
use reticent_jobs::Progress;

/// A method in a setting.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// What learns.
    pub kind: MethodName,
    /// From what.
    pub setting: Setting,
    /// Independent trials.
    pub trials: u32,
    /// The seed of everything random.
    pub seed: u64,
}

/// A finished trial.
pub type Trial = Finished<Outcome>;

/// What the numbers of a trial depend on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Bumped whenever the same seed gives other numbers.
    pub series: u32,
    /// The method.
    pub kind: MethodName,
    /// The setting.
    pub setting: Setting,
    /// The seed.
    pub seed: u64,
}

const SERIES: u32 = 4;

impl Experiment {
    /// What the results depend on.
    pub fn key(&self) -> Key {
        let epsilon = self.setting.epsilon.filter(|_| self.kind.is_private());
        Key { series: SERIES, kind: self.kind, setting: Setting { epsilon, ..self.setting }, seed: self.seed }
    }
}

impl Repeated for Experiment {
    type Trial = Trial;

    fn size(&self) -> Size {
        Size { people: self.setting.records, trials: self.trials }
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Trial>, LabError> {
        let outcome = lesson::run(self.kind, &self.setting, SimSeed(self.seed), u64::from(trial), go_on)?;
        Ok(outcome.map(|outcome| Trial { trial, outcome }))
    }
}

impl StoreKey for Key {
    fn file_name(&self) -> String {
        let Setting { records, epsilon, side, forgers, .. } = self.setting;
        let forgers = forgers.map(|forgers| format!("-{}{}", forgers.strategy.name(), forgers.share));
        let forgers = forgers.unwrap_or_default();
        let epsilon = epsilon.map(|epsilon| format!("-eps{epsilon}")).unwrap_or_default();
        let side = side.map(|side| format!("-m{side}")).unwrap_or_default();
        let text = serde_json::to_string(&self.setting.market).unwrap_or_default();
        let hash = crate::runner::short_hash(&text);
        format!("{}{epsilon}{side}{forgers}-n{records}-seed{}-{hash}.jsonl", self.kind.name(), self.seed)
    }
}

/// What an experiment showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// What was lost on average.
    pub suboptimality: Summary,
    /// The share of trials whose pessimistic values hold in all contexts, and the mean gap, if the method has a band.
    pub standing: Option<(f64, f64)>,
    /// Trials that showed signs of forged reports.
    pub warned: usize,
}

/// Runs what the store does not have, and sums up.
pub fn measure(
    experiment: &Experiment,
    threads: usize,
    store: &mut Store<Trial>,
    progress: &dyn Progress,
) -> Result<Measured, LabError> {
    let trials = run_all(experiment, threads, store, progress)?;
    let lost: Vec<f64> = trials.iter().map(|trial| trial.outcome.suboptimality).collect();
    let none = LabError::Interrupted { finished: 0, trials: experiment.trials };
    let standings: Vec<_> = trials.iter().filter_map(|trial| trial.outcome.standing).collect();
    let n = standings.len() as f64;
    let held = standings.iter().filter(|standing| standing.holds).count() as f64;
    let gap: f64 = standings.iter().map(|standing| standing.gap).sum();
    Ok(Measured {
        suboptimality: Summary::of(&lost).ok_or(none)?,
        warned: trials.iter().filter(|trial| trial.outcome.warned).count(),
        standing: (!standings.is_empty()).then_some((held / n, gap / n)),
    })
}
