//! Adaptive trials in simulation: who comes when.

mod arrivals;
mod kind;

pub use arrivals::{Arrivals, ArrivalsError};
pub use kind::{Kind, KindError};
