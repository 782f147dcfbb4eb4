//! Privacy loss as numbers that are exact decimals, so that adding and comparing them cannot drift.

mod decimal;
mod delta;
mod epsilon;
mod rho;

pub use decimal::LossError;
pub use delta::Delta;
pub use epsilon::Epsilon;
pub(crate) use epsilon::nano_words;
pub use rho::Rho;
