//! Contextual bandits in simulation: worlds, agents with their devices, and experiments.

mod chart;
pub mod env;
mod error;
mod experiment;
mod kind;
mod map;
mod outcome;
mod player;
pub(crate) mod reproduce;
mod trial;

pub use chart::{label, regret_chart};
pub use error::ContextualError;
pub use experiment::{Experiment, Key};
pub use kind::{Kind, Source, UnknownAgent};
pub use map::{learned, map_chart};
pub use outcome::{Outcome, Point};
pub use player::{AnyPlayer, Bins, Gradients, Ours, Player};
pub use trial::{Run, Trial};

#[cfg(test)]
mod tests;
