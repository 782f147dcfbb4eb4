//! One trial: person after person through the device and into the agent.

use reticent_learn::mab::ArmEstimate;
use reticent_privacy::{SimRng, SimSeed, Stream};
use serde::{Deserialize, Serialize};

use super::forging::Forging;
use super::{Crowd, Environment, Experiment, Player, Start};
use crate::runner::LabError;

/// A finished trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Its number, from 0.
    pub trial: u32,
    /// Pseudo-regret at each of the experiment's checkpoints; the last is the whole trial's.
    pub curve: Vec<f64>,
    /// How often each arm was played.
    pub pulls: Vec<u64>,
    /// How many people had got a best arm by each checkpoint; none in trials that were kept before this was counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_best: Vec<u64>,
    /// What the agent found wrong with people's reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A trial under way.
#[derive(Debug)]
pub struct Run {
    pub(super) player: Box<dyn Player>,
    pub(super) world: SimRng,
    pub(super) pulls: Vec<u64>,
    pub(super) curve: Vec<(u64, f64)>,
    /// People on a best arm, at the same places.
    pub(super) on_best: Vec<(u64, u64)>,
    pub(super) done: u64,
    gaps: Vec<f64>,
    forging: Option<Forging>,
    /// What was before two arms changed places.
    before: Option<Before>,
}

/// What a world had come to when it changed.
#[derive(Debug)]
struct Before {
    after: Environment,
    pulls: Vec<u64>,
    regret: f64,
    on_best: u64,
}

impl Trial {
    /// The whole trial's regret.
    pub fn regret(&self) -> f64 {
        self.curve.last().copied().unwrap_or(0.0)
    }
}

impl Run {
    /// A player before its first person; `world` draws the rewards.
    pub fn new(env: &Environment, player: Box<dyn Player>, world: SimRng) -> Run {
        Run::resume(env, player, world, vec![0; env.arms() as usize])
    }

    /// Trial number `trial` of an experiment at its start.
    pub fn start(experiment: &Experiment, trial: u32) -> Result<Run, LabError> {
        let seed = SimSeed(experiment.seed);
        let stream = |purpose| seed.stream(u64::from(trial), purpose);
        let (noise, choices) = (stream(Stream::Noise), stream(Stream::Agent));
        let Experiment { agent, env, epsilon, batch, .. } = experiment;
        let (arms, epsilon, batch) = (env.arms(), *epsilon, *batch);
        let player = agent.player(Start { arms, epsilon, batch, noise, choices })?;
        let mut run = Run::new(env, player, stream(Stream::Environment));
        let worst = (0_u32..).zip(&run.gaps).fold((0, f64::NEG_INFINITY), |worst, (arm, &gap)| {
            if gap > worst.1 { (arm, gap) } else { worst }
        });
        run.forging =
            experiment.forgers.map(|forgers| Forging::new(forgers, worst.0, stream(Stream::Source)));
        Ok(run)
    }

    pub(super) fn resume(env: &Environment, player: Box<dyn Player>, world: SimRng, pulls: Vec<u64>) -> Run {
        let done = pulls.iter().sum();
        let (curve, on_best, gaps) = (Vec::new(), Vec::new(), env.gaps());
        Run { player, world, pulls, curve, on_best, done, gaps, forging: None, before: None }
    }

    /// Serves all people that are left, and records the regret at each checkpoint. After each slice `go_on`
    /// hears how many were served and may say no; then the answer is `false`, and the run can go on later.
    pub fn complete(
        &mut self,
        experiment: &Experiment,
        go_on: impl Fn(u64) -> bool,
    ) -> Result<bool, LabError> {
        let points = experiment.checkpoints();
        let served = self.done;
        for &users in points.iter().filter(|&&users| users > served) {
            while self.done + SLICE < users {
                self.advance_silently(&experiment.env, self.done + SLICE)?;
                if !go_on(SLICE) {
                    return Ok(false);
                }
            }
            let before = self.done;
            self.advance(&experiment.env, users)?;
            if !go_on(users - before) && users < experiment.users {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Serves people until `users` have been served, and records the regret.
    pub fn advance(&mut self, env: &Environment, users: u64) -> Result<(), LabError> {
        self.advance_silently(env, users)?;
        let regret = self.regret();
        self.curve.push((self.done, regret));
        self.on_best.push((self.done, self.people_on_best()));
        Ok(())
    }

    /// Serves people until `users` have been served.
    fn advance_silently(&mut self, env: &Environment, users: u64) -> Result<(), LabError> {
        if let Some(swap) = env.swap_after().filter(|&swap| users > swap) {
            if self.before.is_none() {
                self.serve(env, swap)?;
                self.swap(env);
            }
            let before = self.before.take();
            let served = before.as_ref().map_or(Ok(()), |before| self.serve(&before.after, users));
            self.before = before;
            return served;
        }
        self.serve(env, users)
    }

    /// A best and a worst arm change places.
    fn swap(&mut self, env: &Environment) {
        let (regret, on_best, after) = (self.regret(), self.people_on_best(), env.after_swap());
        self.gaps = after.gaps();
        self.before = Some(Before { after, pulls: self.pulls.clone(), regret, on_best });
    }

    /// Pulls since the world last changed, each with its arm's gap.
    fn since(&self) -> impl Iterator<Item = (u64, f64)> + '_ {
        let before = |arm: usize| self.before.as_ref().map_or(0, |before| before.pulls[arm]);
        let arms = self.pulls.iter().enumerate().zip(&self.gaps);
        arms.map(move |((arm, pulls), gap)| (pulls - before(arm), *gap))
    }

    fn people_on_best(&self) -> u64 {
        let best = self.since().filter(|(_, gap)| *gap == 0.0);
        best.map(|(pulls, _)| pulls).sum::<u64>() + self.before.as_ref().map_or(0, |before| before.on_best)
    }

    fn serve(&mut self, env: &Environment, users: u64) -> Result<(), LabError> {
        let people = users.saturating_sub(self.done);
        let crowd = Crowd::new(people, env, &mut self.world, &mut self.pulls).with(self.forging.as_mut());
        let served = self.player.serve(crowd);
        served.map_err(LabError::Player)?;
        self.done += people;
        Ok(())
    }

    /// What the agent knows of each arm; nothing if it does not say.
    pub fn estimates(&self) -> Vec<ArmEstimate> {
        self.player.estimates()
    }

    /// The arm that the agent shows to be the best, and how often it noticed a change.
    pub fn found(&self) -> (Option<u32>, u32) {
        self.player.found()
    }

    /// People served so far.
    pub fn served(&self) -> u64 {
        self.done
    }

    /// Pseudo-regret so far: pulls times gaps, so that no rounding adds up.
    pub fn regret(&self) -> f64 {
        let lost: f64 = self.since().map(|(pulls, gap)| pulls as f64 * gap).sum();
        lost + self.before.as_ref().map_or(0.0, |before| before.regret)
    }

    /// The finished trial, with the points that the experiment asks for; a continued run has one more where
    /// it was saved.
    pub fn finish(self, experiment: &Experiment, trial: u32) -> Trial {
        let points = experiment.checkpoints();
        let is_asked = |users: &u64| points.binary_search(users).is_ok();
        let curve: Vec<f64> =
            self.curve.iter().filter(|(users, _)| is_asked(users)).map(|(_, regret)| *regret).collect();
        let best = self.on_best.iter().filter(|(users, _)| is_asked(users)).map(|(_, people)| *people);
        let on_best: Vec<u64> = best.collect();
        // A run that was saved before this was counted has only the later ones.
        let on_best = if on_best.len() == curve.len() { on_best } else { Vec::new() };
        Trial { trial, curve, warnings: self.player.warnings(), pulls: self.pulls, on_best }
    }
}

/// People served between two looks at whether to go on: a few hundredths of a second.
const SLICE: u64 = 200_000;
