//! Maps: what is best, or how large something is, over a plane or along a line.

mod bar;
mod chart;
mod colour;
mod describe;
mod draw;
mod fill;
mod grid;
mod hatch;
mod legend;
mod panel;
mod tag;

#[cfg(feature = "png")]
#[cfg(test)]
mod tests;

pub use chart::{Cells, MapAxis, MapChart, Panel};
