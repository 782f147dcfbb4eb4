//! Kernel bandits: the paper's own algorithm ([`Usca`]), the exact posterior, two bandits without privacy,
//! and a private competitor.
//!
//! [`DensePosterior`] is the reference for tests. `gp-mean` ([`GpMean`]) and `gp-ucb` ([`GpUcb`]) protect
//! nobody. [`dubey`] is private.

pub mod dubey;
mod gain;
mod mean;
mod posterior;
mod ridge;
#[cfg(test)]
mod tests;
mod ucb;
pub mod usca;

pub use gain::Gain;
pub use mean::GpMean;
pub use posterior::DensePosterior;
pub use ucb::{GpUcb, UcbError, UcbSpec};
pub use usca::{Usca, UscaSpec};
