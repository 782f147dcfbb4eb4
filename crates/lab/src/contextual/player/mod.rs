//! An agent together with its devices: the production path, person after person.

mod bins;
mod descent;
mod ours;
mod scale;

use reticent_learn::contextual::Insight;
use reticent_privacy::SimRng;

pub use bins::Bins;
pub use descent::Gradients;
pub use ours::Ours;

use super::env::{Person, Record};
use super::{ContextualError, Experiment, Kind};

/// What a trial needs of an agent and its devices.
pub trait Player {
    /// A person of a source reports.
    fn aid(&mut self, source: u32, record: &Record) -> Result<(), ContextualError>;

    /// All sources have reported.
    fn begin(&mut self) {}

    /// A person of the target is given an arm, has a reward, and reports: the arm and the reward.
    fn serve(&mut self, person: &Person<'_>, world: &mut SimRng) -> Result<(u32, f64), ContextualError>;

    /// What was learned, if the agent can tell.
    fn insight(&self) -> Option<Insight> {
        None
    }
}

/// Any of the players, so that a trial's loop is compiled for each.
#[derive(Debug)]
pub enum AnyPlayer {
    /// `ldp-contextual`.
    Ours(Box<Ours>),
    /// The agents with bins.
    Bins(Box<Bins>),
    /// The agents with gradients.
    Gradients(Box<Gradients>),
}

impl AnyPlayer {
    /// A new agent with its devices. `noise` is the devices', `choices` the agent's own.
    pub fn new(
        experiment: &Experiment,
        noise: SimRng,
        choices: SimRng,
    ) -> Result<AnyPlayer, ContextualError> {
        Ok(match experiment.agent {
            Kind::LdpContextual => AnyPlayer::Ours(Box::new(Ours::new(experiment, noise, choices)?)),
            Kind::LdpGlm | Kind::LdpNn => {
                AnyPlayer::Gradients(Box::new(Gradients::new(experiment, noise, choices)?))
            }
            _ => AnyPlayer::Bins(Box::new(Bins::new(experiment, noise, choices)?)),
        })
    }

    /// As a trait object, for what happens seldom.
    pub fn as_player(&mut self) -> &mut dyn Player {
        match self {
            AnyPlayer::Ours(player) => player.as_mut(),
            AnyPlayer::Bins(player) => player.as_mut(),
            AnyPlayer::Gradients(player) => player.as_mut(),
        }
    }
}
