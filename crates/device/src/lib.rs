//! The person's side of the wall: the only crate in which a raw record and a report meet.
//!
//! The server's crate, `reticent-learn`, does not depend on this one, and a test of the workspace keeps it so.

pub mod contextual;
pub mod mab;
pub mod pricing;
mod shared;

pub use shared::Shared;
