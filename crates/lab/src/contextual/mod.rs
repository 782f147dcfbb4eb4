//! Contextual bandits in simulation: worlds, agents with their devices, and experiments.

mod agent_name;
mod chart;
pub mod env;
mod error;
mod experiment;
mod map;
mod outcome;
mod playable;
mod player;
mod rates;
pub(crate) mod reproduce;
mod trial;
mod trusting;

pub use agent_name::{AgentName, UnknownAgent};
pub use chart::{label, regret_chart};
pub use error::ContextualError;
pub use experiment::{Experiment, Key};
pub use map::{learned, map_chart};
pub use outcome::{Outcome, Point};
pub use playable::Playable;
pub use player::{Forging, Player};
pub use trial::{Run, Trial};
pub(crate) use trusting::Trusting;

#[cfg(test)]
mod tests;
