//! A private competitor after Dubey 2021, "No-regret algorithms for private Gaussian process bandit
//! optimization" (AISTATS), joint privacy.
//!
//! *As there:* a finite Fourier feature map by Gauss-Hermite quadrature stands for the squared exponential
//! kernel, and the private linear bandit of Shariff and Sheffet 2018 runs in its space: sum phi phi' and sum
//! phi y are released with noise by a binary tree, the estimate is (G~ + lambda I)^-1 u~ with lambda raised
//! by a public constant so that it is positive definite, and actions have the largest upper confidence bound.
//!
//! *Not as there,* each time in favour of this baseline or without effect on it:
//! - Noise is an exact discrete Gaussian and the loss is accounted for in zCDP; theirs is larger by constants
//!   and logarithms.
//! - G and u share one release, of vectors of length one, in place of two with half the budget each.
//! - Of two opposite frequencies one is kept with twice the weight: the same kernel with half the features,
//!   and so with less noise.
//! - Releases come at the ends of batches, so that a record is in log2(batches) + 1 nodes of the tree rather
//!   than log2(people) + 1; before the first, actions are uniform. One batch means one release at the end,
//!   from uniform actions ([`once`]): the fairest beside other single releases.
//! - lambda is raised by a bound on the noise's largest eigenvalue with a stated failure probability, not by
//!   twice that.
//! - The Matern kernels' quadrature of Mutny and Krause 2018 is not here: other families are refused.
//!
//! The proof of privacy is in `guarantee.md` beside this file.

mod estimate;
mod fourier;
mod hermite;
mod machine;
mod spec;
mod statistic;
#[cfg(test)]
mod tests;
mod tree;

pub use estimate::Estimate;
pub use fourier::FourierMap;
pub use machine::{Collected, Dubey, Released, once, promise};
pub use spec::{DubeyError, DubeySpec};
