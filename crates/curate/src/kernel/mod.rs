//! Private kernel bandits: the best action for a context, when rewards are a smooth function of both.
mod algebra;
mod blocks;
mod covariance;
mod features;
mod points;
mod records;

pub use algebra::Singular;
pub use covariance::{Factor, Family, Kernel, KernelError};
pub use features::FeatureMap;
pub use points::{NotPoints, Points};
pub use records::Records;
