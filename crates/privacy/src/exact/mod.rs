//! Exact samplers: integer arithmetic on random bits. Floats occur only as filters: where they cannot prove the
//! answer, integers decide.
//!
//! Proofs are in `guarantee.md` beside this file. All take time that depends on their own draws and on their public
//! parameters, never on a person's value, because none of them is given one.

mod bernoulli;
mod coins;
mod discrete_gaussian;
mod discrete_laplace;
pub mod exp;
mod exponential;
mod two_level;
mod uniform;

pub use bernoulli::bernoulli_exp;
pub use coins::coins64;
pub use discrete_gaussian::{DiscreteGaussian, VarianceError};
pub use discrete_laplace::DiscreteLaplace;
pub(crate) use exponential::Exponential;
pub use two_level::TwoLevel;
pub use uniform::uniform_below;

#[cfg(test)]
mod tests;
