//! Adaptive trials in simulation: who comes when.

mod arrivals;

pub use arrivals::{Arrivals, ArrivalsError};
