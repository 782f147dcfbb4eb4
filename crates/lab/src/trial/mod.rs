//! Adaptive trials: designs by name, who comes when, worlds to try a plan in, how many people a plan needs, replays of tables of people, and the report of a trial.

mod arrivals;
mod kind;
pub mod plan;
pub mod replay;
pub mod report;
pub mod simulate;
mod world;

pub use arrivals::{Arrivals, ArrivalsError};
pub use kind::{Kind, KindError};
pub use world::{Noise, World, WorldError};
