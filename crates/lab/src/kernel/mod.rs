//! Kernel bandits in simulation: known targets, how far a policy is from the best one, and experiments that
//! any method can be plugged into.

mod experiment;
mod gain;
mod logs;
mod measure;
mod method;
mod method_name;
mod own_log;
pub(crate) mod reproduce;
mod setting;
mod slope;
mod targets;

pub use experiment::{Experiment, Key, Measured, Trial, measure};
pub use gain::Spectrum;
pub use logs::{
    BUILT_BESIDE, HABITS, HABITS_BUILT_BESIDE, Learned, LogExperiment, LogKey, LogTrial, WORLDS, World,
};
pub use measure::{Exam, best_on};
pub use method::{
    DubeyOnce, Lesson, METHODS, Method, MethodError, Outcome, PosteriorMean, PrivateKernel,
    PrivateKernelOnce, Ucb, Uniform, UscaMethod,
};
pub use method_name::MethodName;
pub use own_log::{OwnActions, OwnAnswer, OwnLog, OwnLogError, OwnMethod, OwnNoise, checked, own_contexts};
pub use setting::{Setting, TargetSpec};
pub use slope::{Slope, slope};
pub use targets::Target;

#[cfg(test)]
mod tests;
