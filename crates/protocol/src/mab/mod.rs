//! Multi-armed bandits: which of a few arms is best, with the reward private.

mod lottery;
mod policy;
mod spec;
mod squash;

pub use lottery::{Lottery, LotteryError, MAX_TICKETS};
pub use policy::{Policy, PolicyError};
pub use spec::{MAX_ARMS, Spec, SpecError};
pub use squash::{Squash, SquashError};
