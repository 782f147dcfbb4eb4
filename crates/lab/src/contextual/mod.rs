//! Contextual bandits in the lab.

pub mod env;
