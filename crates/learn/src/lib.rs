//! The untrusted server's side of the wall: agents that choose what the next person gets, from privatised reports alone.
//!
//! This crate depends on `reticent-protocol` and `reticent-privacy`, never on `reticent-device`: a raw reward has no type
//! here. Whatever an agent computes is post-processing of reports, so its guarantee is its channel's.

pub mod abse;
pub mod contextual;
pub mod gradient;
pub mod mab;
