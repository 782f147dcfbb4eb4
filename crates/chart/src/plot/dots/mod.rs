//! Dot plots: one row for each measured value, beside the limit it should keep.

mod chart;
mod describe;
mod draw;
mod legend;
mod range;
mod row;

#[cfg(test)]
mod tests;

pub use chart::{DotChart, DotGroup, DotMark, DotRow};
