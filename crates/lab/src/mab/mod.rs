//! Multi-armed bandits in simulation: worlds with known arms, agents by name or of one's own, regret beside theory.
//!
//! A [`Player`] is an agent together with its people's devices. [`Seat`] makes one of any
//! [`Agent`](reticent_learn::mab::Agent), and a [`Playable`] makes players, for experiments that are repeated, kept,
//! drawn and audited like those of the agents by name:
//!
//! ```
//! use reticent_lab::mab::{Environment, Run, Seat};
//! use reticent_learn::mab::Thompson;
//! use reticent_privacy::{Epsilon, SimSeed, Stream};
//! use reticent_protocol::mab::Spec;
//!
//! let env = Environment::open("mab-bernoulli")?;
//! let seed = SimSeed(1);
//! let spec = Spec::new(env.arms(), Epsilon::new(1.0)?)?;
//! let agent = Thompson::new(spec, seed.stream(0, Stream::Agent)); // or yours
//! let player = Seat::new(agent, seed.stream(0, Stream::Noise));
//! let mut run = Run::new(&env, Box::new(player), seed.stream(0, Stream::Environment));
//! run.advance(&env, 10_000)?;
//! assert!(run.regret() < 3_000.0); // playing evenly loses about 4,600
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent_name;
pub mod bounds;
mod checkpoint;
pub mod env;
mod experiment;
mod forging;
mod outcome;
mod playable;
mod player;
pub mod reproduce;
mod run;
#[cfg(test)]
mod tests;

pub use crate::best_arm::CurvePoint;
pub use agent_name::{AgentError, AgentName};
pub use checkpoint::{load, save};
pub use env::{EnvError, Environment};
pub use experiment::{Experiment, Key};
pub use outcome::{Outcome, Regret};
pub use playable::{Late, Playable, Start};
pub use player::{Crowd, Player, PlayerError, Saved, Seat};
pub use run::{Run, Trial};
