//! The only inputs that mechanisms accept: clipped to a public range and put on a public grid, so that their sensitivity is a
//! whole number that nobody has to state by hand.

mod grid;
mod scores;
mod sum;
mod unit_grid;

pub use grid::{Clipped, Grid, GridError};
pub use scores::{Scores, ScoresError};
pub use sum::{ClippedSum, Neighbours, SumOverflow};
pub use unit_grid::{NotFinite, UnitGrid};
