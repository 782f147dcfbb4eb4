//! Where a figure's experiments are run.

use reticent_privacy::Epsilon;

use crate::contextual::env::{SourceSpec, World, WorldOptions};
use crate::contextual::{AgentName, Experiment, Outcome, Trial};
use crate::reproduce::{ReproduceError, Stage};
use crate::runner::run_all;
use crate::stats::Summary;

/// What all experiments of one figure share.
pub(super) struct Bench<'a>(pub(super) &'a Stage<'a>);

impl<'a> std::ops::Deref for Bench<'a> {
    type Target = Stage<'a>;
    fn deref(&self) -> &Stage<'a> {
        self.0
    }
}

/// An experiment with its results.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) experiment: Experiment,
    pub(super) outcome: Outcome,
    /// For tests of paired differences: trials of one number meet the same people, whatever the agent.
    pub(super) trials: Vec<Trial>,
}

/// Of a quick look; fewer would have no spread.
const FEWEST_TRIALS: u32 = 3;

/// A loss that is written in this module.
pub(super) fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).expect("the constants here are valid")
}

/// A source whose parameters are written in this module.
pub(super) fn source(people: u64, gamma: f64, kappa: f64, loss: f64) -> SourceSpec {
    SourceSpec::new(people, gamma, kappa, epsilon(loss)).expect("the constants here are valid")
}

impl Bench<'_> {
    /// So many people, or a tenth for a quick look.
    pub(super) fn people(&self, all: u64) -> u64 {
        if self.options.quick { (all / 10).max(1) } else { all }
    }

    /// So many trials, or a tenth for a quick look.
    pub(super) fn trials(&self, all: u32) -> u32 {
        if self.options.quick { (all / 10).max(FEWEST_TRIALS) } else { all }
    }

    /// An experiment in a made-up world. Its people and trials are as given: the caller has made them fewer
    /// for a quick look.
    pub(super) fn experiment(
        &self,
        agent: AgentName,
        world: &str,
        loss: f64,
        sources: &[SourceSpec],
    ) -> Result<Experiment, ReproduceError> {
        let world = World::open(world, &WorldOptions::default())?;
        let made = world.sources(sources)?;
        let sources = made.into_iter().zip(sources.iter().map(SourceSpec::epsilon)).collect();
        let seed = self.options.seed;
        Ok(Experiment { sources, seed, ..Experiment::new(agent, world, Some(epsilon(loss))) })
    }

    /// Runs an experiment; kept trials are under `out/trials`, where a rerun finds them.
    pub(super) fn measure(&self, experiment: Experiment) -> Result<Measured, ReproduceError> {
        self.progress.begin(&format!("{}: {}", self.id, label(&experiment)));
        let mut store = self.store(&experiment.key())?;
        let stored = store.count_below(experiment.trials);
        let watch = crate::clock::Stopwatch::start();
        let trials = run_all(&experiment, self.options.threads, &mut store, self.progress)?;
        let outcome = Outcome::new(&experiment, &trials, trials.len() - stored, watch.seconds())?;
        Ok(Measured { experiment, outcome, trials })
    }
}

/// The agent and its loss.
pub(super) fn label(experiment: &Experiment) -> String {
    match experiment.epsilon.filter(|_| experiment.agent.needs_epsilon()) {
        Some(epsilon) => format!("{} ε = {epsilon}", experiment.agent),
        None => format!("{}, not private", experiment.agent),
    }
}

impl Measured {
    /// Regret after all people.
    pub(super) fn regret(&self) -> Summary {
        self.outcome.regret
    }

    /// Regret after so many people, which must be one of the experiment's checkpoints.
    pub(super) fn regret_at(&self, users: u64) -> Option<Summary> {
        self.outcome.at(users).map(|point| point.regret)
    }

    /// Mean reward a person in each trial, after so many people.
    pub(super) fn rewards_at(&self, users: u64) -> Vec<f64> {
        let place = self.experiment.checkpoints().iter().position(|&point| point == users);
        let reward = |trial: &Trial| Some(trial.reward.get(place?)? / users as f64);
        self.trials.iter().filter_map(reward).collect()
    }
}
