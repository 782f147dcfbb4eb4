//! `ldp-thompson` among people who have contexts: it does not look at them.

use reticent_device::mab::Device;
use reticent_learn::mab::{Agent, AgentKind, AnyAgent};
use reticent_privacy::SimRng;

use super::{Player, PlayerError};
use crate::contextual::env::{Person, Record};
use crate::contextual::{ContextualError, Experiment};

/// The agent and one simulated device that is one person after another.
#[derive(Debug)]
pub(in crate::contextual) struct Blind {
    agent: AnyAgent,
    device: Device<SimRng>,
}

impl Blind {
    /// A new agent that knows nothing.
    pub(in crate::contextual) fn new(
        experiment: &Experiment,
        noise: SimRng,
        choices: SimRng,
    ) -> Result<Blind, ContextualError> {
        let epsilon = experiment.epsilon.ok_or(ContextualError::NeedsEpsilon(experiment.agent))?;
        let agent = AgentKind::LdpThompson.build(experiment.world.arms(), epsilon, choices)?;
        let device = Device::simulated(agent.spec(), epsilon, noise);
        Ok(Blind { agent, device })
    }
}

impl Player for Blind {
    fn aid(&mut self, _source: u32, _record: &Record) -> Result<(), PlayerError> {
        Ok(())
    }

    fn serve(&mut self, person: &Person<'_>, world: &mut SimRng) -> Result<(u32, f64), PlayerError> {
        self.device.next_person(self.agent.spec().epsilon());
        let choice = self.device.choose(&self.agent.policy(1))?;
        let arm = choice.arm();
        let reward = person.reward(arm, world);
        let report = self.device.answer(choice, reward)?;
        self.agent.absorb(&report)?;
        Ok((arm, reward))
    }
}
