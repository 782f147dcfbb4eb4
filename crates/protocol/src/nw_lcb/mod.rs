//! Prices learnt from logged sales, with context, price and reward private (offline dynamic pricing under covariate shift and
//! local differential privacy, Algorithm 1).

mod bandwidth;
mod report;
mod spec;

pub use crate::mab::DecodeError;
pub use bandwidth::theorem_bandwidth;
pub use report::Report;
pub use spec::{MAX_CELLS, Spec, SpecError};
