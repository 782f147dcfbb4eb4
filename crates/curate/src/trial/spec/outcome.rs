//! The outcome's declared range, and its place on a grid of integers.

use reticent_schema::Range;
use serde::{Deserialize, Serialize};

use super::SpecError;

/// What is measured: more is better. The range is declared before anybody is seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The column's name.
    pub column: String,
    /// The least possible outcome.
    pub low: f64,
    /// The largest possible outcome.
    pub high: f64,
    /// Whether only the two ends occur. Then two counts say all, and the noise of a third is saved.
    #[serde(default)]
    pub binary: bool,
}

/// Steps from the least to the largest outcome.
pub const STEPS: u32 = 1 << 20;

/// An outcome on its grid, from 0 to [`STEPS`]. Its `Debug` tells nothing.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps(pub(crate) u32);

impl std::fmt::Debug for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Steps(..)")
    }
}

impl Outcome {
    pub(super) fn check(&self) -> Result<(), SpecError> {
        Range::new(self.low, self.high).map(|_| ()).map_err(|_| SpecError::Range)
    }

    /// An outcome on the grid; none if it is outside the declared range, or between the ends of a binary one.
    pub fn steps(&self, value: f64) -> Option<Steps> {
        let unit = (value - self.low) / (self.high - self.low);
        let ends = !self.binary || value == self.low || value == self.high;
        let inside = value >= self.low && value <= self.high && ends;
        inside.then(|| Steps(libm::round(unit * f64::from(STEPS)) as u32))
    }

    /// Whether a stored outcome can be one.
    pub(crate) fn has(&self, steps: Steps) -> bool {
        steps.0 <= STEPS && (!self.binary || steps.0 == 0 || steps.0 == STEPS)
    }

    /// The size of one unit of the scaled outcome, in which effects are computed.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}
