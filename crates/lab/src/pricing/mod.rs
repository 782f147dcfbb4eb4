//! Offline pricing under covariate shift: prices are learned from a log of one market and used in another (Mun, Xu and Fan 2025).

mod experiment;
mod kind;
mod lesson;
pub mod market;
pub(crate) mod reproduce;

pub use experiment::{Experiment, Key, Measured, Trial, measure};
pub use kind::Kind;
pub use lesson::{LessonError, Outcome, Setting, Standing};
