//! The untrusted server's side of the wall: agents that choose what the next person gets, from privatised
//! reports alone.
//!
//! This crate depends on `reticent-protocol` and `reticent-privacy`, never on `reticent-device`, and has no
//! type for a raw reward: a report is a bit, or a symbol of a frequency oracle. Whatever an agent computes is
//! post-processing of reports, so its guarantee is a report's. The other side of the wall cannot even be
//! named here:
//!
//! ```compile_fail,E0433
//! use reticent_device::mab::Device;
//! ```

mod best;
pub mod contextual;
mod linear;
pub mod mab;
pub mod pricing;
pub mod value;
