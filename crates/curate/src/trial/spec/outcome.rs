//! The outcome's declared range, and its place on a grid of integers.

use reticent_schema::Range;
use serde::{Deserialize, Serialize};

use super::SpecError;

/// What is measured. The range is declared before anybody is seen.
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
    /// Whether outcomes outside the range are taken for its nearest end instead of refused. Effects are then
    /// those on the clipped outcome: the mean of min(max(y, low), high).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clip: bool,
    /// The mean that is expected beforehand, from public knowledge: noise and chance cost least near it. A
    /// wrong one costs width, never coverage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
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
    /// An outcome that is 0 or 1.
    pub fn yes_or_no(column: &str) -> Outcome {
        Outcome { binary: true, ..Outcome::number(column, 0.0, 1.0) }
    }

    /// An outcome between two numbers.
    pub fn number(column: &str, low: f64, high: f64) -> Outcome {
        Outcome { column: column.into(), low, high, binary: false, clip: false, expected: None }
    }

    pub(super) fn check(&self) -> Result<(), SpecError> {
        Range::new(self.low, self.high).map(|_| ()).map_err(|_| SpecError::Range)?;
        if self.expected.is_some_and(|mean| !(self.low..=self.high).contains(&mean)) {
            return Err(SpecError::Expected);
        }
        if self.clip && self.binary { Err(SpecError::Clip) } else { Ok(()) }
    }

    /// What an outcome counts as: itself, or the nearest end of the range if the plan clips.
    pub fn clipped(&self, value: f64) -> f64 {
        if self.clip && !value.is_nan() { value.clamp(self.low, self.high) } else { value }
    }

    /// An outcome on the grid; none if it is outside the declared range, or between the ends of a binary one.
    pub fn steps(&self, value: f64) -> Option<Steps> {
        let value = self.clipped(value);
        let unit = (value - self.low) / (self.high - self.low);
        let ends = !self.binary || value == self.low || value == self.high;
        let inside = value >= self.low && value <= self.high && ends;
        inside.then(|| Steps(libm::round(unit * f64::from(STEPS)) as u32))
    }

    /// The expected mean on the scale from 0 to 1; its middle if none was declared.
    pub fn expected_share(&self) -> f64 {
        self.expected.map_or(0.5, |mean| (mean - self.low) / self.width())
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
