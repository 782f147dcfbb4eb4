//! The paper's agents, and its non-private and its published baselines, with their devices.

use reticent_baselines::abse::agent::{Abse, Radius};
use reticent_baselines::abse::randomiser::Randomiser;
use reticent_baselines::abse::{SourceSpec, Spec};
use reticent_privacy::SimRng;

use super::scale::Scale;
use super::{Player, PlayerError};
use crate::contextual::env::{Person, Record};
use crate::contextual::{AgentName, ContextualError, Experiment};

/// The agent and its people, one after another.
#[derive(Debug)]
pub(in crate::contextual) struct Bins {
    agent: Abse,
    people: Randomiser<SimRng>,
    scale: Scale,
    silent: bool,
    arms: u32,
}

impl Bins {
    /// A new agent that knows nothing but the horizon.
    pub(in crate::contextual) fn new(
        experiment: &Experiment,
        noise: SimRng,
        choices: SimRng,
    ) -> Result<Bins, ContextualError> {
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
        let people = Randomiser::new(&spec, noise);
        let silent = kind == AgentName::AbsePublished;
        let agent = match kind {
            AgentName::AbsePublished => Abse::published(spec, Radius::Code, choices),
            AgentName::LdpAbse | AgentName::LdpAbseTransfer => Abse::new(spec, Radius::Proof, choices),
            _ => Abse::new(spec, Radius::Code, choices),
        };
        Ok(Bins { agent, people, scale: Scale::new(world), silent, arms: world.arms() })
    }
}

impl Player for Bins {
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
        let report = if self.silent {
            self.people.answer_silent(policy, &choice, reward)?
        } else {
            self.people.answer(policy, &choice, reward)?
        };
        self.agent.absorb(&report)?;
        Ok((arm, reward))
    }

    /// Arms that are still in play are drawn evenly.
    fn shares(&mut self, context: &[f64]) -> Option<Vec<f64>> {
        let policy = self.agent.policy();
        let active = &policy.bins()[policy.find(self.scale.point(context))].arms;
        let mut shares = vec![0.0; self.arms as usize];
        active.iter().for_each(|&arm| shares[arm as usize] = 1.0 / active.len() as f64);
        Some(shares)
    }
}
