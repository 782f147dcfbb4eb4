//! Logs of people, most of whom are not as a plan says: what is lost, and whether bands hold.

mod habits;
mod likely;
mod list;
mod trial;
mod world;

pub use habits::{BUILT_BESIDE as HABITS_BUILT_BESIDE, HABITS};
pub(super) use likely::Likely;
pub use list::{BUILT_BESIDE, WORLDS};
pub use trial::{Learned, LogExperiment, LogKey, LogTrial};
pub use world::World;
