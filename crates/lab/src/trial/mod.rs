//! Adaptive trials: designs by name, who comes when, worlds to try a plan in, how many people a plan needs,
//! and shuffles of a table of people.

mod arrivals;
mod conditions;
mod design_name;
pub mod plan;
mod shuffles;
pub mod simulate;
mod tried;
mod world;

pub use arrivals::{Arrivals, ArrivalsError};
pub use conditions::{Conditions, Delay};
pub use design_name::DesignName;
pub use shuffles::{Coverage, Replayed, Replays, Row, coverage};
pub use tried::{Tried, least_widths, tried};
pub use world::{Noise, World, WorldError};
