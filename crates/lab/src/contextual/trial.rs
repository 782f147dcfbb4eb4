//! One trial: the sources' people report, then person after person is served.

use reticent_learn::contextual::Insight;
use reticent_privacy::{SimRng, SimSeed, Stream};
use serde::{Deserialize, Serialize};

use super::Experiment;
use super::env::Crowd;
use super::player::{Forging, Player};
use crate::mab::PlayerError;
use crate::runner::LabError;

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
    /// How many people had got the best arm for them by each checkpoint; none in trials that were kept before this was
    /// counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_best: Vec<u64>,
    /// The share of people for whom no arm is clearly best at the end, if the agent can tell.
    pub undecided: Option<f64>,
    /// The weight that each source has at the end.
    pub source_weights: Vec<f64>,
    /// What the agent found wrong with people's reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A trial under way.
#[derive(Debug)]
pub struct Run {
    player: Box<dyn Player>,
    crowd: Crowd,
    world: SimRng,
    sources: SimRng,
    done: u64,
    sums: Sums,
    regret: Vec<f64>,
    reward: Vec<f64>,
    on_best: Vec<u64>,
    forging: Option<Forging>,
}

/// Running totals.
#[derive(Debug)]
struct Sums {
    regret: f64,
    on_best: u64,
    reward: f64,
    pulls: Vec<u64>,
}

/// People served between two looks at whether to go on.
const SLICE: u64 = 20_000;

impl Run {
    /// Trial number `trial` before anybody has reported.
    pub fn start(experiment: &Experiment, trial: u32) -> Result<Run, LabError> {
        let stream = |purpose| SimSeed(experiment.seed).stream(u64::from(trial), purpose);
        let (noise, choices) = (stream(Stream::Noise), stream(Stream::Agent));
        let player = match &experiment.own {
            Some(own) => own.player(experiment, noise, choices)?,
            None => experiment.agent.player(experiment, noise, choices)?,
        };
        Ok(Run::with_player(experiment, trial, player))
    }

    /// The same with a player that is there already.
    pub fn with_player(experiment: &Experiment, trial: u32, player: Box<dyn Player>) -> Run {
        let stream = |purpose| SimSeed(experiment.seed).stream(u64::from(trial), purpose);
        let mut world = stream(Stream::Environment);
        let crowd = experiment.world.crowd(experiment.users, &mut world);
        let sums =
            Sums { regret: 0.0, on_best: 0, reward: 0.0, pulls: vec![0; experiment.world.arms() as usize] };
        let sources = stream(Stream::Source);
        let (regret, reward, on_best) = (Vec::new(), Vec::new(), Vec::new());
        let forging = experiment
            .forgers
            .map(|forgers| Forging::new(forgers, experiment.world.clone(), stream(Stream::Source)));
        Run { player, crowd, world, sources, done: 0, sums, regret, reward, on_best, forging }
    }

    /// Serves everybody, and records at each checkpoint. `go_on` hears how many were served and may say no;
    /// then the answer is `false`.
    pub fn complete(
        &mut self,
        experiment: &Experiment,
        go_on: &dyn Fn(u64) -> bool,
    ) -> Result<bool, LabError> {
        self.hear_sources(experiment).map_err(LabError::Player)?;
        for point in experiment.checkpoints() {
            while self.done < point {
                let people = SLICE.min(point - self.done);
                self.serve(people).map_err(LabError::Player)?;
                if !go_on(people) && self.done < experiment.users {
                    return Ok(false);
                }
            }
            self.regret.push(self.sums.regret);
            self.reward.push(self.sums.reward);
            self.on_best.push(self.sums.on_best);
        }
        Ok(true)
    }

    /// Serves everybody; what whoever has this context would get before each of them comes, if the agent tells.
    pub(super) fn watched(
        &mut self,
        experiment: &Experiment,
        context: &[f64],
    ) -> Result<Option<Vec<Vec<f64>>>, LabError> {
        self.hear_sources(experiment).map_err(LabError::Player)?;
        let mut seen = Vec::new();
        for _ in 0..experiment.users {
            let Some(shares) = self.player.shares(context) else { return Ok(None) };
            seen.push(shares);
            self.serve(1).map_err(LabError::Player)?;
        }
        Ok(Some(seen))
    }

    fn hear_sources(&mut self, experiment: &Experiment) -> Result<(), PlayerError> {
        for (number, (source, _)) in experiment.sources.iter().enumerate() {
            for record in source.records(&mut self.sources) {
                self.player.aid(number as u32, &record)?;
            }
        }
        self.player.begin();
        Ok(())
    }

    fn serve(&mut self, people: u64) -> Result<(), PlayerError> {
        for _ in 0..people {
            // An experiment asks for no more people than there are.
            let Some(person) = self.crowd.next(&mut self.world) else { break };
            if let Some(forging) = &mut self.forging
                && forging.is_next()
            {
                self.player.forge(&person, forging);
                continue;
            }
            let (arm, reward) = self.player.serve(&person, &mut self.world)?;
            let regret = person.regret(arm);
            self.sums.regret += regret;
            self.sums.on_best += u64::from(regret == 0.0);
            self.sums.reward += reward;
            self.sums.pulls[arm as usize] += 1;
        }
        self.done += people;
        Ok(())
    }

    /// What was learned, if the agent can tell.
    pub fn insight(&self) -> Option<Insight> {
        self.player.insight()
    }

    /// The finished trial.
    pub fn finish(self, trial: u32) -> Trial {
        let insight = self.insight();
        Trial {
            trial,
            warnings: self.player.warnings(),
            regret: self.regret,
            reward: self.reward,
            pulls: self.sums.pulls,
            on_best: self.on_best,
            undecided: insight.as_ref().map(|insight| insight.undecided),
            source_weights: insight.map(|i| i.sources.iter().map(|s| s.weight).collect()).unwrap_or_default(),
        }
    }
}
