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
mod spectrum;
#[cfg(test)]
mod tests;
mod waves;

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
    Choice, Collector, Departure, Design, Estimate, People, ReadError, Recommended, Release, ReleaseError,
    ReleaseLoss, Sketch, Surface, promise,
};
pub use waves::Waves;
