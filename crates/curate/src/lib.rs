//! The trusted curator's side (central model): raw records come in, and whatever goes out is differentially private.
//!
//! Here a curator may see everyone. What others may see has a type of its own in each module, and everything
//! computed from that type alone is post-processing: its guarantee is the release's.

pub mod kernel;
pub mod trial;
