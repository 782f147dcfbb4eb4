//! One trial: person after person through the device and into the agent.

use reticent_device::mab::Device;
use reticent_learn::mab::{Agent, AnyAgent, Engine};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use serde::{Deserialize, Serialize};

use super::{Experiment, LabError};
use crate::env::Environment;

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
}

/// A trial under way.
#[derive(Debug)]
pub struct Run {
    pub(super) agent: AnyAgent,
    pub(super) device: Device<SimRng>,
    pub(super) world: SimRng,
    pub(super) pulls: Vec<u64>,
    pub(super) curve: Vec<(u64, f64)>,
    pub(super) done: u64,
    gaps: Vec<f64>,
    lifetime: Epsilon,
}

impl Trial {
    /// The whole trial's regret.
    pub fn regret(&self) -> f64 {
        self.curve.last().copied().unwrap_or(0.0)
    }
}

impl Run {
    /// Trial number `trial` at its start.
    pub fn start(experiment: &Experiment, trial: u32) -> Result<Run, LabError> {
        let seed = SimSeed(experiment.seed);
        let stream = |purpose| seed.stream(u64::from(trial), purpose);
        let agent =
            experiment.agent.build(experiment.env.arms(), experiment.epsilon, stream(Stream::Agent))?;
        let pulls = vec![0; experiment.env.arms() as usize];
        Ok(Run::resume(&experiment.env, agent, stream(Stream::Noise), stream(Stream::Environment), pulls))
    }

    pub(super) fn resume(
        env: &Environment,
        agent: AnyAgent,
        noise: SimRng,
        world: SimRng,
        pulls: Vec<u64>,
    ) -> Run {
        // Each person takes part once; what they may spend in a lifetime is what one report costs.
        let lifetime = agent.spec().channel().epsilon().unwrap_or(Epsilon::MAX);
        let device = Device::simulated(agent.spec(), lifetime, noise);
        let done = pulls.iter().sum();
        Run { agent, device, world, pulls, curve: Vec::new(), done, gaps: env.gaps(), lifetime }
    }

    /// Serves all people that are left, and records the regret at each checkpoint. After each slice `go_on` hears how many were
    /// served and may say no; then the answer is `false`, and the run can go on later.
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
        Ok(())
    }

    /// Serves people until `users` have been served.
    fn advance_silently(&mut self, env: &Environment, users: u64) -> Result<(), LabError> {
        let people = users.saturating_sub(self.done);
        let side = (&mut self.device, &mut self.world, self.pulls.as_mut_slice(), self.lifetime);
        // One loop compiled for each agent: at tens of millions of people a second a virtual call would show.
        match &mut self.agent.engine {
            Engine::Ucb(agent) => serve(agent, side, env, people)?,
            Engine::KlUcb(agent) => serve(agent, side, env, people)?,
            Engine::Thompson(agent) => serve(agent, side, env, people)?,
            Engine::Unbounded(agent) => serve(agent, side, env, people)?,
        }
        self.done += people;
        Ok(())
    }

    /// People served so far.
    pub fn served(&self) -> u64 {
        self.done
    }

    /// Pseudo-regret so far: pulls times gaps, so that no rounding adds up.
    pub fn regret(&self) -> f64 {
        self.pulls.iter().zip(&self.gaps).map(|(&pulls, gap)| pulls as f64 * gap).sum()
    }

    /// The finished trial, with the points that the experiment asks for; a continued run has one more where it was saved.
    pub fn finish(self, experiment: &Experiment, trial: u32) -> Trial {
        let points = experiment.checkpoints();
        let asked = self.curve.into_iter().filter(|(users, _)| points.binary_search(users).is_ok());
        Trial { trial, curve: asked.map(|(_, regret)| regret).collect(), pulls: self.pulls }
    }
}

/// People served between two looks at whether to go on: a few hundredths of a second.
const SLICE: u64 = 200_000;

type Side<'a> = (&'a mut Device<SimRng>, &'a mut SimRng, &'a mut [u64], Epsilon);

/// The production path: policy to the device, reward to the device alone, report to the agent.
#[inline(never)]
fn serve<A: Agent>(agent: &mut A, side: Side<'_>, env: &Environment, people: u64) -> Result<(), LabError> {
    let (device, world, pulls, lifetime) = side;
    for _ in 0..people {
        let policy = agent.policy();
        device.next_person(lifetime);
        let report = device.answer(&policy, env.draw(policy.arm, world))?;
        agent.absorb(&report)?;
        pulls[policy.arm as usize] += 1;
    }
    Ok(())
}
