//! Contextual bandits by adaptive bins: which arm is best where, with context, arm and reward private
//! (locally private nonparametric contextual bandits, Algorithms 1 to 3).

pub mod agent;
mod policy;
pub mod randomiser;
mod report;
mod spec;
mod tree;

pub use policy::{Bin, Policy, PolicyError};
pub use report::{Answer, Record, Report};
pub use spec::{MAX_ARMS, MAX_DIMS, MAX_SOURCES, SourceSpec, Spec, SpecError};
