//! One method in one setting, in several independent trials.

use reticent_privacy::{SimSeed, Stream};
use serde::{Deserialize, Serialize};

use super::measure::CONTEXTS;
use super::{Exam, Lesson, Method, Outcome, Setting};
use crate::clock::Stopwatch;
use crate::runner::{Finished, LabError, Repeated, Size, Store, StoreKey, run_all, short_hash};
use crate::stats::Summary;
use reticent_jobs::Progress;

/// A method in a setting.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// What learns.
    pub method: &'static dyn Method,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Bumped whenever the same seed gives other numbers.
    pub series: u32,
    /// The method's name.
    pub method: String,
    /// The setting, without its loss if that does not matter.
    pub setting: Setting,
    /// The seed.
    pub seed: u64,
}

const SERIES: u32 = 3;

impl Experiment {
    /// What the results depend on.
    pub fn key(&self) -> Key {
        let mut setting = self.setting.clone();
        if !self.method.is_private() {
            setting.epsilon = None;
        }
        Key { series: SERIES, method: self.method.name().to_string(), setting, seed: self.seed }
    }
}

impl Repeated for Experiment {
    type Trial = Trial;

    fn size(&self) -> Size {
        Size { people: self.setting.people, trials: self.trials }
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Trial>, LabError> {
        if !go_on(0) {
            return Ok(None);
        }
        let (seed, number) = (SimSeed(self.seed), u64::from(trial));
        let mut world = seed.stream(number, Stream::Source);
        let target = self.setting.source.draw(&mut world);
        let exam = Exam::draw(target, CONTEXTS, &mut world);
        let lesson = Lesson { setting: &self.setting, exam: &exam, seed, trial: number };
        let outcome = self.method.run(&lesson)?;
        go_on(self.setting.people);
        Ok(Some(Trial { trial, outcome }))
    }
}

impl StoreKey for Key {
    fn file_name(&self) -> String {
        let Setting { source, people, epsilon, .. } = &self.setting;
        let epsilon = epsilon.map(|epsilon| format!("-eps{epsilon}")).unwrap_or_default();
        let text = serde_json::to_string(&self.setting).unwrap_or_default();
        // Two kernels, or two levels of noise: a short hash tells their files apart.
        let hash = short_hash(&text);
        let (method, source, seed) = (&self.method, source.name(), self.seed);
        format!("{method}-{source}{epsilon}-n{people}-seed{seed}-{hash}.jsonl")
    }
}

/// What an experiment showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// What was lost on average in a context.
    pub error: Summary,
    /// The standard error of its mean; `None` for a single trial.
    pub standard_error: Option<f64>,
    /// Each trial's.
    pub per_trial: Vec<f64>,
    /// How far the surface is from the target, if there is one.
    pub rms: Option<Summary>,
    /// How long a trial took on one thread, about; `None` if all were stored.
    pub seconds: Option<f64>,
}

/// Runs what the store does not have, and sums up.
pub fn measure(
    experiment: &Experiment,
    threads: usize,
    store: &mut Store<Trial>,
    progress: &dyn Progress,
) -> Result<Measured, LabError> {
    let fresh = experiment.trials as usize - store.count_below(experiment.trials);
    let watch = Stopwatch::start();
    let trials = run_all(experiment, threads, store, progress)?;
    let busy = threads.clamp(1, fresh.max(1)) as f64 * watch.seconds();
    let per_trial: Vec<f64> = trials.iter().map(|trial| trial.outcome.error).collect();
    let none = LabError::Interrupted { finished: 0, trials: experiment.trials };
    let error = Summary::of(&per_trial).ok_or(none)?;
    let rms: Vec<f64> = trials.iter().filter_map(|trial| trial.outcome.rms).collect();
    Ok(Measured {
        error,
        standard_error: error.sd.map(|sd| sd / (per_trial.len() as f64).sqrt()),
        per_trial,
        rms: Summary::of(&rms),
        seconds: (fresh > 0).then(|| busy / fresh as f64),
    })
}
