//! Private kernel bandits: the best action for a context, when rewards are a smooth function of both.
pub mod algebra;
pub mod blocks;
mod covariance;
mod document;
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
    Draft, DraftError, Form, Input, KernelSpec, MOST_FEATURES, MOST_INPUTS, Population, Reward, Shape,
};
pub use points::{NotPoints, Points};
pub use records::Records;
pub use release::{
    Choice, Collector, Design, Estimate, ReadError, Release, ReleaseError, ReleaseLoss, Surface, promise,
};
