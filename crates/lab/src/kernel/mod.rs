//! Kernel bandits in simulation: known targets, how far a policy is from the best one, and experiments that any method can be plugged into.

mod experiment;
mod gain;
mod kind;
mod measure;
mod method;
pub(crate) mod reproduce;
mod setting;
mod slope;
mod targets;

pub use experiment::{Experiment, Key, Measured, Trial, measure};
pub use gain::Spectrum;
pub use kind::Kind;
pub use measure::{Exam, best_on};
pub use method::{
    DubeyOnce, Lesson, METHODS, Method, MethodError, Outcome, PosteriorMean, PrivateKernel,
    PrivateKernelOnce, Ucb, Uniform, UscaMethod,
};
pub use setting::{Setting, Source};
pub use slope::{Slope, slope};
pub use targets::Target;

#[cfg(test)]
mod tests;
