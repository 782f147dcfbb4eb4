//! An agent together with its people's devices: the production path, person after person.

use std::collections::VecDeque;
use std::error::Error;

use reticent_baselines::mab::{self as baselines, AnyBaseline, Baseline, Randomiser};
use reticent_device::mab::Device;
use reticent_learn::mab::{
    self as ours, AbsorbError, Agent, AnyAgent, ArmEstimate, Discounting, Engine, Guard, guarded_absorb,
    guarded_policy,
};
use reticent_privacy::SimRng;
use reticent_protocol::Report;
use reticent_protocol::mab::{Policy, Spec};

use super::Environment;
use super::forging::Forging;

/// Whatever a player's agent or device refuses.
pub type PlayerError = Box<dyn Error + Send + Sync>;

/// What a run needs of an agent and its people. It serves many at once, so that the loop is compiled for the agent.
pub trait Player: std::fmt::Debug + Send {
    /// Serves everybody of the crowd, one after another: policy to the device, reward to the device alone,
    /// report to the agent.
    fn serve(&mut self, crowd: Crowd<'_>) -> Result<(), PlayerError>;

    /// What the agent knows of each arm, if it says so.
    fn estimates(&self) -> Vec<ArmEstimate> {
        Vec::new()
    }

    /// The arm that its agent shows to be the best, and how often it noticed a change.
    fn found(&self) -> (Option<u32>, u32) {
        (None, 0)
    }

    /// What its agent found wrong with people's reports, in words.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

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
    forging: Option<&'a mut Forging>,
}

impl<'a> Crowd<'a> {
    /// People whose rewards are drawn by `world`; `pulls` counts who got which arm.
    pub(super) fn new(
        people: u64,
        env: &'a Environment,
        world: &'a mut SimRng,
        pulls: &'a mut [u64],
    ) -> Crowd<'a> {
        Crowd { people, env, world, pulls, forging: None }
    }

    /// The same with forgers among them.
    pub(super) fn with(self, forging: Option<&'a mut Forging>) -> Crowd<'a> {
        Crowd { forging, ..self }
    }

    /// The report of the next person, if they forge it. They get no reward, and count for no arm.
    #[inline]
    pub fn forged(&mut self, policy: &Policy) -> Option<Report> {
        self.forging.as_mut()?.report(policy)
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
    batch: Batch,
    form: Option<Form<A>>,
}

/// An agent as text that it can be made from again.
type Form<A> = fn(&A) -> Result<String, PlayerError>;

/// People between two refreshes of the policy, the policy, how many of them are left, and the reports on their way.
#[derive(Debug)]
struct Batch {
    people: u64,
    current: Option<Policy>,
    left: u64,
    /// People who are served before a report arrives.
    late: usize,
    reports: VecDeque<Report>,
}

impl Batch {
    fn of(people: u64) -> Batch {
        Batch { people: people.max(1), current: None, left: 0, late: 0, reports: VecDeque::new() }
    }

    /// The policy for the next person.
    #[inline]
    fn policy<A: Agent>(&mut self, agent: &mut A) -> &Policy {
        if self.left == 0 {
            self.current = None;
            self.left = self.people;
        }
        self.left -= 1;
        self.current.get_or_insert_with(|| agent.policy(self.people))
    }
}

impl<A: Agent> Seat<A> {
    /// An agent before its first person, or in the middle of a run. Each person takes part once; what they
    /// may spend in a lifetime is what one report costs.
    pub fn new(agent: A, noise: SimRng) -> Seat<A> {
        let device = Device::simulated(agent.spec(), agent.spec().epsilon(), noise);
        Seat { agent, device, batch: Batch::of(1), form: None }
    }

    /// The same for an agent with a form to be saved in, which [`Playable::load`](super::Playable::load) reads.
    #[must_use]
    pub fn saved_by(mut self, form: Form<A>) -> Seat<A> {
        self.form = Some(form);
        self
    }

    /// The same with so many people between two refreshes of the policy, as where devices keep it for a while.
    #[must_use]
    pub fn in_batches(mut self, people: u64) -> Seat<A> {
        self.batch = Batch::of(people);
        self
    }

    /// The same where so many people are served before a report arrives.
    #[must_use]
    pub fn late_by(mut self, people: usize) -> Seat<A> {
        self.batch.late = people;
        self
    }

    /// The agent.
    pub fn agent(&self) -> &A {
        &self.agent
    }
}

impl<A: Agent + std::fmt::Debug + Send> Player for Seat<A> {
    fn serve(&mut self, crowd: Crowd<'_>) -> Result<(), PlayerError> {
        serve(&mut self.agent, &mut self.device, &mut self.batch, crowd)
    }

    fn estimates(&self) -> Vec<ArmEstimate> {
        self.agent.estimates()
    }

    fn save(&self) -> Result<Option<Saved<'_>>, PlayerError> {
        // In the middle of a batch a run would go on with another policy, and without the reports on their way.
        let form = self.form.filter(|_| self.batch.people == 1 && self.batch.late == 0);
        form.map(|form| Ok(Saved { agent: form(&self.agent)?, noise: self.device.noise() })).transpose()
    }
}

/// The production path.
#[inline(never)]
fn serve<A: Agent>(
    agent: &mut A,
    device: &mut Device<SimRng>,
    batch: &mut Batch,
    mut crowd: Crowd<'_>,
) -> Result<(), PlayerError> {
    let lifetime = agent.spec().epsilon();
    for _ in 0..crowd.people {
        device.next_person(lifetime);
        let policy = batch.policy(agent);
        if let Some(forged) = crowd.forged(policy) {
            // One that is refused changes nothing, as on a server.
            let _ = agent.absorb(&forged);
            continue;
        }
        let choice = device.choose(policy)?;
        let reward = crowd.reward(choice.arm());
        let report = device.answer(choice, reward)?;
        if batch.late == 0 {
            agent.absorb(&report)?;
            continue;
        }
        batch.reports.push_back(report);
        if batch.reports.len() > batch.late
            && let Some(report) = batch.reports.pop_front()
        {
            agent.absorb(&report)?;
        }
    }
    Ok(())
}

/// An agent that ships: it can be saved, and its loop is compiled for what is behind its name.
#[derive(Debug)]
pub(super) struct OurSeat(Seat<AnyAgent>);

impl OurSeat {
    pub(super) fn new(agent: AnyAgent, noise: SimRng, batch: u64) -> OurSeat {
        OurSeat(Seat::new(agent, noise).in_batches(batch).saved_by(|agent| Ok(ours::save(agent)?)))
    }

    pub(super) fn late_by(self, people: usize) -> OurSeat {
        OurSeat(self.0.late_by(people))
    }
}

/// An agent behind its guard, as [`AnyAgent`] has it, but compiled for the agent.
struct Guarded<'a, A> {
    agent: &'a mut A,
    guard: &'a mut Guard,
}

impl<A: Discounting> Agent for Guarded<'_, A> {
    #[inline]
    fn policy(&mut self, people: u64) -> Policy {
        guarded_policy(self.agent, self.guard, people)
    }

    #[inline]
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        guarded_absorb(self.agent, self.guard, report)
    }

    fn estimates(&self) -> Vec<ArmEstimate> {
        self.agent.estimates()
    }

    fn spec(&self) -> &Spec {
        self.agent.spec()
    }
}

impl Player for OurSeat {
    fn serve(&mut self, crowd: Crowd<'_>) -> Result<(), PlayerError> {
        let Seat { agent, device, batch, .. } = &mut self.0;
        let AnyAgent { engine, guard, .. } = agent;
        match engine {
            Engine::KlUcb(agent) => serve(&mut Guarded { agent, guard }, device, batch, crowd),
            Engine::Thompson(agent) => serve(&mut Guarded { agent, guard }, device, batch, crowd),
            Engine::Unbounded(agent) => serve(&mut Guarded { agent, guard }, device, batch, crowd),
            Engine::TopTwo(agent) => serve(&mut Guarded { agent, guard }, device, batch, crowd),
        }
    }

    fn found(&self) -> (Option<u32>, u32) {
        (self.0.agent.found(), self.0.agent.changes())
    }

    fn warnings(&self) -> Vec<String> {
        self.0.agent.warnings().iter().map(ToString::to_string).collect()
    }

    fn estimates(&self) -> Vec<ArmEstimate> {
        self.0.agent.estimates()
    }

    fn save(&self) -> Result<Option<Saved<'_>>, PlayerError> {
        self.0.save()
    }
}

/// A baseline with its people.
#[derive(Debug)]
pub(super) struct BaselineSeat {
    kind: Baseline,
    agent: AnyBaseline,
    people: Randomiser<SimRng>,
    /// People between two choices, the choice, and how many of them are left.
    batch: (u64, u32, u64),
}

impl BaselineSeat {
    pub(super) fn new(kind: Baseline, agent: AnyBaseline, noise: SimRng, batch: u64) -> BaselineSeat {
        let people = Randomiser::new(agent.channel(), kind.squash(), noise);
        BaselineSeat { kind, agent, people, batch: (batch.max(1), 0, 0) }
    }

    /// The arm for the next person: a baseline names one for the whole batch.
    #[inline]
    fn choose(&mut self) -> u32 {
        let (people, arm, left) = &mut self.batch;
        if *left == 0 {
            (*arm, *left) = (self.agent.choose(), *people);
        }
        *left -= 1;
        *arm
    }
}

impl Player for BaselineSeat {
    fn serve(&mut self, mut crowd: Crowd<'_>) -> Result<(), PlayerError> {
        for _ in 0..crowd.people {
            let arm = self.choose();
            let answer = self.people.answer(crowd.reward(arm))?;
            self.agent.absorb(arm, answer);
        }
        Ok(())
    }

    fn save(&self) -> Result<Option<Saved<'_>>, PlayerError> {
        if self.batch.0 > 1 {
            return Ok(None);
        }
        Ok(Some(Saved { agent: baselines::save(self.kind, &self.agent)?, noise: self.people.noise() }))
    }
}
