//! Prices learnt from logged sales, with context, price and reward private (offline dynamic pricing under
//! covariate shift and local differential privacy, Algorithm 1).

pub mod agent;
mod bandwidth;
pub mod randomiser;
pub mod raw;
mod report;
mod spec;

pub use bandwidth::theorem_bandwidth;
pub use report::Report;
pub use spec::{MAX_CELLS, Spec, SpecError};
