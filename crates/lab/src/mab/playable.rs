//! What an experiment can be run with: an agent by name, or anybody's.

use std::fmt;
use std::sync::Arc;

use reticent_learn::mab::AgentKind;
use reticent_privacy::{Epsilon, Guarantee, SimRng};

use super::player::OurSeat;
use super::{AgentError, AgentName, Player};
use crate::named::{Named, Origin};
use crate::runner::LabError;

/// Makes players of one agent: all that experiments, stored trials, saved runs and figures need to know of it.
///
/// The agents by name are [`AgentName`]; one of your own needs `name`, `guarantee` and `player`, in which
/// [`Seat`](super::Seat) puts it together with its people's devices.
pub trait Playable: fmt::Debug + Send + Sync {
    /// The name in files, legends and tables.
    fn name(&self) -> String;

    /// What it promises each person at this loss.
    fn guarantee(&self, epsilon: Option<Epsilon>) -> Result<Guarantee, LabError>;

    /// A new agent with its people.
    fn player(&self, start: Start) -> Result<Box<dyn Player>, LabError>;

    /// The agent that was saved, if it is this one, with its people going on with `noise`. None if it has no form to be
    /// saved in.
    fn load(&self, _text: &str, _noise: SimRng) -> Result<Option<Box<dyn Player>>, LabError> {
        Ok(None)
    }

    /// Refuses a loss that it cannot be run with, before any work.
    fn check(&self, _epsilon: Option<Epsilon>) -> Result<(), LabError> {
        Ok(())
    }

    /// Whether an epsilon means anything to it.
    fn is_private(&self) -> bool {
        true
    }

    /// To be raised whenever the same seed gives other numbers: stored trials of another series are not mixed.
    fn series(&self) -> u32 {
        1
    }

    /// Where it comes from.
    fn origin(&self) -> Origin {
        Origin::Ours
    }
}

/// What a player starts with.
#[derive(Debug)]
pub struct Start {
    /// How many arms there are.
    pub arms: u32,
    /// The loss of each report.
    pub epsilon: Option<Epsilon>,
    /// People between two refreshes of the policy.
    pub batch: u64,
    /// The people's noise.
    pub noise: SimRng,
    /// For the agent's own choices.
    pub choices: SimRng,
}

impl Playable for AgentName {
    fn name(&self) -> String {
        Named::name(*self).to_string()
    }

    fn guarantee(&self, epsilon: Option<Epsilon>) -> Result<Guarantee, LabError> {
        crate::named::promise(*self, epsilon)
    }

    fn player(&self, start: Start) -> Result<Box<dyn Player>, LabError> {
        let Start { arms, epsilon, batch, noise, choices } = start;
        Ok(AgentName::player(*self, arms, epsilon, batch, noise, choices)?)
    }

    fn load(&self, text: &str, noise: SimRng) -> Result<Option<Box<dyn Player>>, LabError> {
        AgentName::load(*self, text, noise).map_err(LabError::Player)
    }

    fn check(&self, epsilon: Option<Epsilon>) -> Result<(), LabError> {
        self.loss(epsilon)?;
        Ok(())
    }

    fn is_private(&self) -> bool {
        AgentName::is_private(*self)
    }

    fn series(&self) -> u32 {
        AgentName::series(*self)
    }

    fn origin(&self) -> Origin {
        Named::origin(*self)
    }
}

/// One of ours whose reports come late.
#[derive(Debug, Clone, Copy)]
pub struct Late {
    /// The agent.
    pub agent: AgentKind,
    /// People who are served before a report arrives.
    pub people: usize,
}

impl Playable for Late {
    fn name(&self) -> String {
        format!("{}, reports {} people late", self.agent, self.people)
    }

    fn guarantee(&self, epsilon: Option<Epsilon>) -> Result<Guarantee, LabError> {
        Playable::guarantee(&AgentName::Ours(self.agent), epsilon)
    }

    fn player(&self, start: Start) -> Result<Box<dyn Player>, LabError> {
        let Start { arms, epsilon, batch, noise, choices } = start;
        let name = AgentName::Ours(self.agent);
        let epsilon = name.loss(epsilon)?.ok_or(AgentError::NeedsEpsilon(name))?;
        let agent = self.agent.build(arms, epsilon, choices).map_err(AgentError::from)?;
        Ok(Box::new(OurSeat::new(agent, noise, batch).late_by(self.people)))
    }

    fn check(&self, epsilon: Option<Epsilon>) -> Result<(), LabError> {
        Playable::check(&AgentName::Ours(self.agent), epsilon)
    }

    fn series(&self) -> u32 {
        Playable::series(&AgentName::Ours(self.agent))
    }
}

impl From<AgentName> for Arc<dyn Playable> {
    fn from(agent: AgentName) -> Arc<dyn Playable> {
        Arc::new(agent)
    }
}
