//! Multi-armed bandits: which of a few arms is best, with the reward private.

mod policy;
mod report;
mod spec;
mod squash;

pub use policy::Policy;
pub use report::Report;
pub use spec::{MAX_ARMS, Spec, SpecError};
pub use squash::{Squash, SquashError};
