//! An agent together with its people's devices: the production path, person after person.

use std::error::Error;

use reticent_baselines::mab::{self as baselines, Baseline, Randomiser, Ucb};
use reticent_device::mab::Device;
use reticent_learn::mab::{self as ours, Agent, AnyAgent, Engine};
use reticent_privacy::SimRng;

use super::Environment;

/// Whatever a player's agent or device refuses.
pub type PlayerError = Box<dyn Error + Send + Sync>;

/// What a run needs of an agent and its people. It serves many at once, so that the loop is compiled for the agent.
pub trait Player: std::fmt::Debug + Send {
    /// Serves everybody of the crowd, one after another: policy to the device, reward to the device alone,
    /// report to the agent.
    fn serve(&mut self, crowd: Crowd<'_>) -> Result<(), PlayerError>;

    /// What is needed to go on later; none for a player that cannot be saved.
    fn save(&self) -> Result<Option<Saved<'_>>, PlayerError> {
        Ok(None)
    }
}

/// The next people of a world.
#[derive(Debug)]
pub struct Crowd<'a> {
    /// How many.
    pub people: u64,
    env: &'a Environment,
    world: &'a mut SimRng,
    pulls: &'a mut [u64],
}

impl<'a> Crowd<'a> {
    /// People whose rewards are drawn by `world`; `pulls` counts who got which arm.
    pub(super) fn new(
        people: u64,
        env: &'a Environment,
        world: &'a mut SimRng,
        pulls: &'a mut [u64],
    ) -> Crowd<'a> {
        Crowd { people, env, world, pulls }
    }

    /// The next person gets this arm: their reward.
    #[inline]
    pub fn reward(&mut self, arm: u32) -> f64 {
        self.pulls[arm as usize] += 1;
        self.env.draw(arm, self.world)
    }
}

/// A player as a run's document keeps it.
#[derive(Debug)]
pub struct Saved<'a> {
    /// The agent's own document.
    pub agent: String,
    /// The people's noise.
    pub noise: &'a SimRng,
}

/// Any agent, with one simulated device that is one person after another.
#[derive(Debug)]
pub struct Seat<A> {
    agent: A,
    device: Device<SimRng>,
}

impl<A: Agent> Seat<A> {
    /// An agent before its first person, or in the middle of a run. Each person takes part once; what they
    /// may spend in a lifetime is what one report costs.
    pub fn new(agent: A, noise: SimRng) -> Seat<A> {
        let device = Device::simulated(agent.spec(), agent.spec().epsilon(), noise);
        Seat { agent, device }
    }

    /// The agent.
    pub fn agent(&self) -> &A {
        &self.agent
    }
}

impl<A: Agent + std::fmt::Debug + Send> Player for Seat<A> {
    fn serve(&mut self, crowd: Crowd<'_>) -> Result<(), PlayerError> {
        serve(&mut self.agent, &mut self.device, crowd)
    }
}

/// The production path.
#[inline(never)]
fn serve<A: Agent>(
    agent: &mut A,
    device: &mut Device<SimRng>,
    mut crowd: Crowd<'_>,
) -> Result<(), PlayerError> {
    let lifetime = agent.spec().epsilon();
    for _ in 0..crowd.people {
        let policy = agent.policy();
        device.next_person(lifetime);
        let report = device.answer(&policy, crowd.reward(policy.arm))?;
        agent.absorb(&report)?;
    }
    Ok(())
}

/// An agent that ships: it can be saved, and its loop is compiled for what is behind its name.
#[derive(Debug)]
pub(super) struct OurSeat(Seat<AnyAgent>);

impl OurSeat {
    pub(super) fn new(agent: AnyAgent, noise: SimRng) -> OurSeat {
        OurSeat(Seat::new(agent, noise))
    }
}

impl Player for OurSeat {
    fn serve(&mut self, crowd: Crowd<'_>) -> Result<(), PlayerError> {
        let Seat { agent, device } = &mut self.0;
        match &mut agent.engine {
            Engine::KlUcb(agent) => serve(agent, device, crowd),
            Engine::Thompson(agent) => serve(agent, device, crowd),
            Engine::Unbounded(agent) => serve(agent, device, crowd),
        }
    }

    fn save(&self) -> Result<Option<Saved<'_>>, PlayerError> {
        Ok(Some(Saved { agent: ours::save(&self.0.agent)?, noise: self.0.device.noise() }))
    }
}

/// A baseline with its people.
#[derive(Debug)]
pub(super) struct BaselineSeat {
    kind: Baseline,
    agent: Ucb,
    people: Randomiser<SimRng>,
}

impl BaselineSeat {
    pub(super) fn new(kind: Baseline, agent: Ucb, noise: SimRng) -> BaselineSeat {
        let people = Randomiser::new(agent.channel(), kind.squash(), noise);
        BaselineSeat { kind, agent, people }
    }
}

impl Player for BaselineSeat {
    fn serve(&mut self, mut crowd: Crowd<'_>) -> Result<(), PlayerError> {
        for _ in 0..crowd.people {
            let arm = self.agent.choose();
            let answer = self.people.answer(crowd.reward(arm))?;
            self.agent.absorb(arm, answer);
        }
        Ok(())
    }

    fn save(&self) -> Result<Option<Saved<'_>>, PlayerError> {
        Ok(Some(Saved { agent: baselines::save(self.kind, &self.agent)?, noise: self.people.noise() }))
    }
}
