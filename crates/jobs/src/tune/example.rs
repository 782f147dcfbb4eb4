//! A plan to start from.

/// A commented plan.
pub const EXAMPLE: &str = include_str!("../../../../examples/tune/dose.toml");
