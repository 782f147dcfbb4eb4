//! `ldp-nw-lcb`: prices learnt from privatised sales (Proposition 3 and Algorithm 3), faithfully.
//!
//! [`Sums`] adds up reports; [`Policy`] reads a price for each context off them. Where the paper errs or
//! leaves a choice:
//!
//! - There are m = floor(1/h) cells a side, and h is 1/m: other cells do not tile the cube.
//! - The estimator is 0 where a cell is masked and may be negative where it is not, and Algorithm 3 starts with
//!   price 1 and the value zero. So a price that hardly anyone was asked is preferred to one that sold badly. This
//!   is kept as published. [`Quote`] shows which of the two it was, and the fallback price is a parameter.
//! - Proposition 3 holds for one price fixed beforehand, not for the price that the policy chooses: see `guarantee.md`.

mod error;
mod pessimism;
mod policy;
mod sums;
#[cfg(test)]
mod tests;

pub use error::{PolicyError, SumsError};
pub use pessimism::Pessimism;
pub use policy::{Policy, Quote};
pub use sums::Sums;
