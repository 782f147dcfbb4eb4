//! One trial: the sources' people report, then person after person is served.

use reticent_learn::contextual::Insight;
use reticent_privacy::{SimRng, SimSeed, Stream};
use serde::{Deserialize, Serialize};

use super::env::Crowd;
use super::player::{AnyPlayer, Player};
use super::{ContextualError, Experiment};
use crate::simulate::LabError;

/// A finished trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Its number, from 0.
    pub trial: u32,
    /// Regret at each of the experiment's checkpoints; mistakes, for data.
    pub regret: Vec<f64>,
    /// Rewards received, summed, at each checkpoint.
    pub reward: Vec<f64>,
    /// How often each arm was played.
    pub pulls: Vec<u64>,
    /// The share of people for whom no arm is clearly best at the end, if the agent can tell.
    pub undecided: Option<f64>,
    /// The weight that each source has at the end.
    pub source_weights: Vec<f64>,
}

/// A trial under way.
#[derive(Debug)]
pub struct Run {
    player: AnyPlayer,
    crowd: Crowd,
    world: SimRng,
    sources: SimRng,
    done: u64,
    sums: Sums,
    regret: Vec<f64>,
    reward: Vec<f64>,
}

/// Running totals.
#[derive(Debug)]
struct Sums {
    regret: f64,
    reward: f64,
    pulls: Vec<u64>,
}

/// People served between two looks at whether to go on.
const SLICE: u64 = 20_000;

impl Run {
    /// Trial number `trial` before anybody has reported.
    pub fn start(experiment: &Experiment, trial: u32) -> Result<Run, LabError> {
        let stream = |purpose| SimSeed(experiment.seed).stream(u64::from(trial), purpose);
        let player = AnyPlayer::new(experiment, stream(Stream::Noise), stream(Stream::Agent))?;
        let mut world = stream(Stream::Environment);
        let crowd = experiment.world.crowd(&mut world);
        let sums = Sums { regret: 0.0, reward: 0.0, pulls: vec![0; experiment.world.arms() as usize] };
        let sources = stream(Stream::Source);
        Ok(Run { player, crowd, world, sources, done: 0, sums, regret: Vec::new(), reward: Vec::new() })
    }

    /// Serves everybody, and records at each checkpoint. `go_on` hears how many were served and may say no; then the answer is `false`.
    pub fn complete(
        &mut self,
        experiment: &Experiment,
        go_on: &dyn Fn(u64) -> bool,
    ) -> Result<bool, LabError> {
        self.hear_sources(experiment)?;
        for point in experiment.checkpoints() {
            while self.done < point {
                let people = SLICE.min(point - self.done);
                self.serve(people)?;
                if !go_on(people) && self.done < experiment.users {
                    return Ok(false);
                }
            }
            self.regret.push(self.sums.regret);
            self.reward.push(self.sums.reward);
        }
        Ok(true)
    }

    fn hear_sources(&mut self, experiment: &Experiment) -> Result<(), ContextualError> {
        let player = self.player.as_player();
        for (number, (source, _)) in experiment.sources.iter().enumerate() {
            for record in source.records(&mut self.sources) {
                player.aid(number as u32, &record)?;
            }
        }
        player.begin();
        Ok(())
    }

    fn serve(&mut self, people: u64) -> Result<(), ContextualError> {
        let (crowd, world, sums) = (&mut self.crowd, &mut self.world, &mut self.sums);
        match &mut self.player {
            AnyPlayer::Ours(player) => serve(player.as_mut(), crowd, world, sums, people)?,
            AnyPlayer::Bins(player) => serve(player.as_mut(), crowd, world, sums, people)?,
            AnyPlayer::Gradients(player) => serve(player.as_mut(), crowd, world, sums, people)?,
        }
        self.done += people;
        Ok(())
    }

    /// What was learned, if the agent can tell.
    pub fn insight(&mut self) -> Option<Insight> {
        self.player.as_player().insight()
    }

    /// The finished trial.
    pub fn finish(mut self, trial: u32) -> Trial {
        let insight = self.insight();
        Trial {
            trial,
            regret: self.regret,
            reward: self.reward,
            pulls: self.sums.pulls,
            undecided: insight.as_ref().map(|insight| insight.undecided),
            source_weights: insight.map(|i| i.sources.iter().map(|s| s.weight).collect()).unwrap_or_default(),
        }
    }
}

/// The production path, compiled for each player.
fn serve<P: Player>(
    player: &mut P,
    crowd: &mut Crowd,
    world: &mut SimRng,
    sums: &mut Sums,
    people: u64,
) -> Result<(), ContextualError> {
    for _ in 0..people {
        // An experiment asks for no more people than there are.
        let Some(person) = crowd.next(world) else { break };
        let (arm, reward) = player.serve(&person, world)?;
        sums.regret += person.regret(arm);
        sums.reward += reward;
        sums.pulls[arm as usize] += 1;
    }
    Ok(())
}
