//! The cells that have a bump.

use reticent_privacy::SimRng;

use super::{C_M, MAX_CELLS};
use crate::pricing::market::MarketError;
use crate::pricing::market::contexts::shell;

/// Cubes of side 2r that fill a corner block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cells {
    radius: f64,
    side: usize,
    count: usize,
}

/// So that 0.45 / 0.15 is 3 whatever its rounding.
const ROUNDING: f64 = 1e-9;

impl Cells {
    pub(super) fn new(radius: f64, dims: usize) -> Result<Cells, MarketError> {
        let side = (C_M / radius + ROUNDING).floor() as usize;
        let count = side.checked_pow(dims as u32).filter(|&count| count <= MAX_CELLS);
        match count {
            Some(0) => Err(MarketError::NoBump(radius)),
            Some(count) => Ok(Cells { radius, side, count }),
            None => Err(MarketError::TooManyBumps { radius, dims }),
        }
    }

    /// How many there are: m of (18).
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The side of the block.
    pub(super) fn block(&self) -> f64 {
        2.0 * self.radius * self.side as f64
    }

    /// The cell that a context is in, and how far from its centre; `None` outside the block.
    #[inline]
    pub(super) fn place(&self, context: &[f64]) -> Option<(usize, f64)> {
        let (mut cell, mut distance) = (0, 0.0_f64);
        for &x in context {
            let number = (x / (2.0 * self.radius)) as usize;
            if number >= self.side {
                return None;
            }
            cell = cell * self.side + number;
            distance = distance.max((x - self.centre(number)).abs());
        }
        Some((cell, distance))
    }

    /// A uniform point of any cell that is between `low` and `high` from its centre.
    #[inline]
    pub(super) fn draw(&self, rng: &mut SimRng, context: &mut [f64], low: f64, high: f64) {
        shell::draw(rng, context, low, high, 0.0);
        let halves = 2 * self.side;
        for coordinate in context {
            let half = ((rng.uniform() * halves as f64) as usize).min(halves - 1);
            let offset = if half.is_multiple_of(2) { -*coordinate } else { *coordinate };
            *coordinate = (self.centre(half / 2) + offset).max(0.0);
        }
    }

    fn centre(&self, number: usize) -> f64 {
        (2 * number + 1) as f64 * self.radius
    }
}
