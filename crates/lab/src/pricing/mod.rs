//! Offline pricing under covariate shift: prices are learned from a log of one market and used in another
//! (Mun, Xu and Fan 2025).

mod experiment;
mod lesson;
pub mod market;
mod method_name;
mod own_log;
pub(crate) mod reproduce;
pub mod worlds;

pub use experiment::{Experiment, Key, Measured, Trial, measure};
pub use lesson::{LessonError, Outcome, Setting, Standing};
pub use method_name::MethodName;
pub use own_log::{OwnLog, OwnLogError, OwnPrices};
