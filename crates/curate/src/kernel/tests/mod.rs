//! Tests of kernels, points and features.

mod covariance;
mod features;
mod lengths;
pub(super) mod made;
mod plan;
