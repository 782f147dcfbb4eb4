//! The untrusted server's side of the wall: agents that choose what the next person gets, from privatised reports alone.
//!
//! This crate depends on `reticent-protocol` and `reticent-privacy`, never on `reticent-device`: no private agent's report
//! has a form for a raw reward; the raw records of the baselines that are not private come from simulations alone. Whatever an agent computes is post-processing of reports, so its guarantee is its channel's.

pub mod contextual;
mod linear;
pub mod mab;
pub mod pricing;
