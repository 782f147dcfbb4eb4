//! Contextual bandits by private stochastic gradient descent: each arm has a parametric model of its reward,
//! and people send privatised gradients that hide their context, their arm and their reward.

pub mod agent;
mod channel;
mod policy;
pub mod randomiser;
mod report;
mod spec;

pub use channel::{Channel, GRID_BITS};
pub use policy::{LARGEST_PARAMETER, Policy, PolicyError};
pub use report::{Draw, Report, Response};
pub use spec::{MAX_ARMS, MAX_DIMS, MAX_SOURCES, MAX_UNITS, Model, Spec, SpecError};
