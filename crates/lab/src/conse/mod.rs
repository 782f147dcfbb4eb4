//! The paper's own trials (`conse` and `dp-conse`) in simulation, its tables and figures, and `private-trial`
//! beside them.
//!
//! What section 5 of the paper leaves open, and what is assumed here for Tables 2 and 3. "Reg" is the number
//! of people who are randomised: in its first experiment both arms are equally good, so that no regret in the
//! paper's own sense exists. "DML" is ridge regression of the reward on the arm's vector with a penalty of 1,
//! fitted on half of the people as double machine learning splits its sample, and its effect is `(a_1 - a_0)'
//! theta`: only a penalty explains the published error of 4.0 = 2^2 in the second experiment, where least
//! squares would be as good as the difference of means. Rewards are normal with standard deviation 1; they
//! leave [0, 1], where the paper's algorithms and proofs live, so that the randomised phase is run alone.

mod bounds;
mod efficient;
mod estimate;
mod experiment;
mod halves;
mod linear;
mod measured;
pub(crate) mod reproduce;
mod runner;
mod world;

pub use bounds::{coin_variance, least_product, most_bad_pulls, printed_length, printed_variance};
pub use efficient::{Allocation, Covariates, Enrolled, doubly_robust};
pub use estimate::{Sample, dml, md};
pub use experiment::{Experiment, Key, Trial};
pub use halves::{Halved, Halves};
pub use linear::LinearTrial;
pub use measured::{Measured, measure};
pub use runner::RunnerKind;
pub use world::{Rewards, World};

#[cfg(test)]
mod tests;
