//! Private kernel bandits: the best action for a context, when rewards are a smooth function of both.
pub mod algebra;
pub mod blocks;
mod covariance;
mod features;
mod lengths;
mod once;
mod plan;
mod points;
mod records;
mod release;
#[cfg(test)]
mod tests;

pub use algebra::Singular;
pub use covariance::{Factor, Family, Kernel, KernelError};
pub use features::FeatureMap;
pub use lengths::lengths_of_public;
pub use once::{Chooser, one_choice};
pub use plan::{
    Form, Input, MOST_FEATURES, MOST_INPUTS, Plan, PlanError, Population, Reward, Setting, Shape,
};
pub use points::{NotPoints, Points};
pub use records::Records;
pub use release::{
    Budget, Choice, Collector, Design, Estimate, ReadError, Release, ReleaseError, Surface, promise,
};
