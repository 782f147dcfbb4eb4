//! The only inputs that mechanisms accept: clipped to a public range and put on a public grid, so that their
//! sensitivity is a whole number that nobody has to state by hand.

/// `Debug` for a value that belongs to a person: it names the type and shows nothing, so that no log can.
macro_rules! private_debug {
    ($name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }
    };
}
pub(crate) use private_debug;

mod grid;
mod scores;
mod sum;
mod unit_grid;
mod vector;
mod vector_scores;

pub use grid::{Clipped, Grid, GridError};
pub use scores::{Scores, ScoresError};
pub use sum::{ClippedSum, Neighbours, SumOverflow};
pub use unit_grid::{NotFinite, UnitGrid};
pub use vector::{VectorError, VectorSum};
