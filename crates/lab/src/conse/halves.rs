//! The paper's algorithms with everything that its lemmas speak of: what each half costs, how often a worse arm
//! is pulled, how many people are randomised.

use reticent_baselines::conse::{Conse, Design};
use reticent_privacy::{Epsilon, SimSeed, Stream};
use serde::{Deserialize, Serialize};

use super::World;
use crate::runner::{LabError, Numbered, Repeated, Size};

/// `conse`, or `dp-conse` with a loss, in one world.
#[derive(Debug, Clone)]
pub struct Halves {
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

/// One trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Halved {
    /// Its number, from 0.
    pub trial: u32,
    /// Pulls of each feature's worse arm in the first half.
    pub bad_pulls: Vec<u64>,
    /// Regret of each half.
    pub regret: [f64; 2],
    /// `T_min`.
    pub least_length: f64,
    /// The estimated effect for each feature; none where the randomised phase was not over.
    pub estimates: Vec<Option<f64>>,
}

impl Numbered for Halved {
    fn number(&self) -> u32 {
        self.trial
    }
}

const SLICE: u64 = 20_000;

impl Halves {
    fn start(&self) -> Result<Conse, LabError> {
        let design = Design { people: self.people, features: self.world.means.len(), alpha: self.alpha };
        Ok(match self.epsilon {
            None => Conse::new(design)?,
            Some(epsilon) => Conse::private(design, epsilon)?,
        })
    }
}

impl Repeated for Halves {
    type Trial = Halved;

    fn check(&self) -> Result<(), LabError> {
        self.size().check()?;
        self.world.arrivals.check()?;
        self.start().map(drop)
    }

    fn size(&self) -> Size {
        Size { people: self.people, trials: self.trials }
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Halved>, LabError> {
        let stream = |purpose| SimSeed(self.seed).stream(u64::from(trial), purpose);
        let (mut world, mut noise) = (stream(Stream::Environment), stream(Stream::Noise));
        let mut conse = self.start()?;
        let (mut bad_pulls, mut regret) = (vec![0; self.world.means.len()], [0.0; 2]);
        for person in 0..self.people {
            let feature = self.world.arrivals.sample(person, &mut world);
            let arm = conse.choose(feature, &mut noise)?;
            let lost = self.world.regret(feature, arm);
            let second = person >= self.people / 2;
            regret[usize::from(second)] += lost;
            bad_pulls[feature] += u64::from(lost > 0.0 && !second);
            conse.record(self.world.reward(feature, arm, &mut world), &mut noise)?;
            let served = person + 1;
            if served.is_multiple_of(SLICE) && !go_on(SLICE) {
                return Ok(None);
            }
        }
        go_on(self.people % SLICE);
        let least_length = conse.least_length().unwrap_or(0.0);
        Ok(Some(Halved { trial, bad_pulls, regret, least_length, estimates: conse.estimates() }))
    }
}
