//! The person's side of the wall: the only crate in which a raw record and a report meet.
//!
//! A [`Device`] sees the raw record, pays for a report from the person's lifetime budget, and sends the
//! report alone; a [`DurableDevice`] keeps budget and answers in a file. What a problem asks is in [`mab`],
//! [`contextual`] and [`pricing`]; all else is the same for the three. The server's crate, `reticent-learn`,
//! does not depend on this one, and a test keeps it so.

pub mod contextual;
mod device;
mod durable;
mod error;
pub mod mab;
pub mod pricing;
mod vetted;
pub mod visits;

pub use device::{Device, Problem, Shared};
pub use durable::{DurableDevice, Wallet};
pub use error::DeviceError;
pub use vetted::Vetted;
