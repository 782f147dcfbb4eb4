//! One design in one world, in several independent trials.

use reticent_privacy::{Epsilon, SimSeed, Stream};
use serde::{Deserialize, Serialize};

use super::World;
use super::runner::{Runner, RunnerKind};
use crate::runner::{LabError, Numbered, Repeated, Size, StoreKey, short_hash};

/// A design, with its loss if it adds noise.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Whose design.
    pub kind: RunnerKind,
    /// The loss that it is run with.
    pub epsilon: Option<Epsilon>,
    /// The aim, from 0 to 1.
    pub alpha: f64,
    /// The world.
    pub world: World,
    /// People in a trial.
    pub people: u64,
    /// Independent trials.
    pub trials: u32,
    /// The seed of everything random.
    pub seed: u64,
}

/// A finished trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Its number, from 0.
    pub trial: u32,
    /// What people lost on average against the better arm, summed.
    pub regret: f64,
    /// The estimated effect for each feature; none where the randomised phase was not over.
    pub estimates: Vec<Option<f64>>,
}

/// What the numbers of a trial depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Bumped whenever the same seed gives other numbers.
    pub series: u32,
    /// Whose design.
    pub kind: RunnerKind,
    /// The loss.
    pub epsilon: Option<Epsilon>,
    /// The aim.
    pub alpha: f64,
    /// The world.
    pub world: World,
    /// People in a trial.
    pub people: u64,
    /// The seed.
    pub seed: u64,
}

const SERIES: u32 = 1;
/// People served between two looks at whether to go on.
const SLICE: u64 = 20_000;

impl Experiment {
    /// What the results depend on.
    pub fn key(&self) -> Key {
        let Experiment { kind, epsilon, alpha, people, seed, .. } = *self;
        Key { series: SERIES, kind, epsilon, alpha, world: self.world.clone(), people, seed }
    }
}

impl Repeated for Experiment {
    type Trial = Trial;

    fn check(&self) -> Result<(), LabError> {
        self.size().check()?;
        self.world.arrivals.check()?;
        Runner::new(self, SimSeed(self.seed).stream(0, Stream::Noise)).map(drop)
    }

    fn size(&self) -> Size {
        Size { people: self.people, trials: self.trials }
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Trial>, LabError> {
        let stream = |purpose| SimSeed(self.seed).stream(u64::from(trial), purpose);
        let mut world = stream(Stream::Environment);
        let mut design = Runner::new(self, stream(Stream::Noise))?;
        let mut regret = 0.0;
        for t in 0..self.people {
            let feature = self.world.arrivals.sample(t, &mut world);
            let arm = design.choose(feature)?;
            regret += self.world.regret(feature, arm);
            design.record(self.world.reward(feature, arm, &mut world))?;
            let served = t + 1;
            if (served.is_multiple_of(SLICE) || served == self.people)
                && !go_on((served - 1) % SLICE + 1)
                && served < self.people
            {
                return Ok(None);
            }
        }
        Ok(Some(Trial { trial, regret, estimates: design.estimates()? }))
    }
}

impl StoreKey for Key {
    fn file_name(&self) -> String {
        let epsilon = self.epsilon.map(|epsilon| format!("-eps{epsilon}")).unwrap_or_default();
        let name = match self.kind {
            RunnerKind::PrivateTrial { .. } => "private-trial",
            RunnerKind::Paper if self.epsilon.is_some() => "dp-conse",
            RunnerKind::Paper => "conse",
        };
        let text = serde_json::to_string(&(self.kind, &self.world)).unwrap_or_default();
        // Two worlds of one kind of arrivals, or two schedules: a short hash tells their files apart.
        let hash = short_hash(&text);
        let (arrivals, alpha, people, seed) =
            (self.world.arrivals.name(), self.alpha, self.people, self.seed);
        format!("{name}-{arrivals}{epsilon}-alpha{alpha}-n{people}-seed{seed}-{hash}.jsonl")
    }
}

impl Numbered for Trial {
    fn number(&self) -> u32 {
        self.trial
    }
}
