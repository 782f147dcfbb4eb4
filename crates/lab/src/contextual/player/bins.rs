//! The paper's agents, and its non-private and its published baselines, with their devices.

use reticent_device::abse::Device;
use reticent_learn::abse::{Abse, Radius};
use reticent_privacy::{Epsilon, SimRng};
use reticent_protocol::abse::{SourceSpec, Spec};

use super::Player;
use super::scale::Scale;
use crate::contextual::env::{Person, Record};
use crate::contextual::{ContextualError, Experiment, Kind};

/// The agent and one simulated device that is one person after another.
#[derive(Debug)]
pub struct Bins {
    agent: Abse,
    device: Device<SimRng>,
    scale: Scale,
    silent: bool,
}

impl Bins {
    /// A new agent that knows nothing but the horizon.
    pub fn new(experiment: &Experiment, noise: SimRng, choices: SimRng) -> Result<Bins, ContextualError> {
        let (world, kind) = (&experiment.world, experiment.agent);
        let epsilon = if kind.needs_epsilon() {
            Some(experiment.epsilon.ok_or(ContextualError::NeedsEpsilon(kind))?)
        } else {
            None
        };
        let sources = experiment
            .sources
            .iter()
            .map(|(source, epsilon)| SourceSpec { epsilon: Some(*epsilon), people: source.people() });
        let spec =
            Spec::new(world.dims() as u32, world.arms(), epsilon, experiment.users, sources.collect())?;
        let device = Device::simulated(&spec, Epsilon::MAX, noise);
        let silent = kind == Kind::AbsePublished;
        let agent = match kind {
            Kind::AbsePublished => Abse::published(spec, Radius::Code, choices),
            Kind::LdpAbse | Kind::LdpAbseTransfer => Abse::new(spec, Radius::Proof, choices),
            _ => Abse::new(spec, Radius::Code, choices),
        };
        Ok(Bins { agent, device, scale: Scale::new(world), silent })
    }
}

impl Player for Bins {
    fn aid(&mut self, source: u32, record: &Record) -> Result<(), ContextualError> {
        self.device.next_person(Epsilon::MAX);
        let policy = self.agent.policy();
        let report = self.device.answer_record(
            policy,
            source,
            self.scale.point(&record.context),
            record.arm,
            record.reward,
        )?;
        Ok(self.agent.absorb(&report)?)
    }

    fn serve(&mut self, person: &Person<'_>, world: &mut SimRng) -> Result<(u32, f64), ContextualError> {
        self.device.next_person(Epsilon::MAX);
        let policy = self.agent.policy();
        let choice = self.device.choose(policy, self.scale.point(person.context()))?;
        let arm = choice.arm();
        let reward = person.reward(arm, world);
        let report = if self.silent {
            self.device.answer_silent(policy, &choice, reward)?
        } else {
            self.device.answer(policy, &choice, reward)?
        };
        self.agent.absorb(&report)?;
        Ok((arm, reward))
    }
}
