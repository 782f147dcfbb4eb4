//! The gradient baselines with their devices.

use reticent_baselines::gradient::agent::Descent;
use reticent_baselines::gradient::randomiser::Randomiser;
use reticent_baselines::gradient::{Model, Spec};
use reticent_privacy::SimRng;

use super::scale::Scale;
use super::{Player, PlayerError};
use crate::contextual::env::{Person, Record};
use crate::contextual::{AgentName, ContextualError, Experiment};

/// The agent and its people, one after another.
#[derive(Debug)]
pub(in crate::contextual) struct Gradients {
    agent: Descent,
    people: Randomiser<SimRng>,
    scale: Scale,
}

/// Of `ldp-nn`; the paper's text does not say.
const HIDDEN_UNITS: u32 = 8;

impl Gradients {
    /// A new agent that knows nothing.
    pub(in crate::contextual) fn new(
        experiment: &Experiment,
        noise: SimRng,
        choices: SimRng,
    ) -> Result<Gradients, ContextualError> {
        let epsilon = experiment.epsilon.ok_or(ContextualError::NeedsEpsilon(experiment.agent))?;
        let model = if experiment.agent == AgentName::LdpNn {
            Model::Hidden { units: HIDDEN_UNITS }
        } else {
            Model::Logistic
        };
        let world = &experiment.world;
        let sources = experiment.sources.iter().map(|(_, epsilon)| *epsilon).collect();
        let spec = Spec::new(world.dims() as u32, world.arms(), model, epsilon, sources)?;
        Ok(Gradients {
            people: Randomiser::new(&spec, noise),
            agent: Descent::new(spec, choices),
            scale: Scale::new(world),
        })
    }
}

impl Player for Gradients {
    fn aid(&mut self, source: u32, record: &Record) -> Result<(), PlayerError> {
        let policy = self.agent.policy();
        let report = self.people.answer_record(
            policy,
            source,
            self.scale.point(&record.context),
            record.arm,
            record.reward,
        )?;
        Ok(self.agent.absorb(&report)?)
    }

    fn serve(&mut self, person: &Person<'_>, world: &mut SimRng) -> Result<(u32, f64), PlayerError> {
        let policy = self.agent.policy();
        let choice = self.people.choose(policy, self.scale.point(person.context()))?;
        let arm = choice.arm();
        let reward = person.reward(arm, world);
        let report = self.people.answer(policy, choice, reward)?;
        self.agent.absorb(&report)?;
        Ok((arm, reward))
    }
}
