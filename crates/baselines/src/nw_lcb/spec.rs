//! What all parties agree on before the first person takes part.

use reticent_privacy::{Epsilon, Guarantee};
use serde::{Deserialize, Serialize};

/// More cells than this make reports that nobody wants to send.
pub const MAX_CELLS: usize = 1 << 20;
/// The loss is split among the coordinates in whole billionths, and noise must be small beside 2^63 grid steps.
const MIN_NANO: u64 = 1_000;

/// A log of sales with contexts in [0, 1]^dims and prices in [0, 1], both cut into `side` equal cells an axis.
///
/// The paper has floor(1 / h^(d+1)) cells of side h, which tile the cube only when 1/h is whole. Here there
/// are `side` cells an axis, and the bandwidth is 1 / `side`.
///
/// ```
/// use reticent_privacy::Epsilon;
/// use reticent_baselines::nw_lcb::Spec;
/// let spec = Spec::from_bandwidth(2, 0.3, Epsilon::new(1.0)?)?;
/// assert_eq!((spec.side(), spec.cells()), (3, 27));
/// assert_eq!(spec.cell(&[0.0, 0.5], 1.0), Some(5));
/// assert_eq!(spec.guarantee().to_string(), "1-DP, local model");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Spec {
    dims: u32,
    side: u32,
    epsilon: Epsilon,
}

/// Why a spec was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No dimension.
    #[error("contexts have at least 1 dimension, got 0")]
    Dims,
    /// No cell, or more than [`MAX_CELLS`].
    #[error(
        "{side} cells a side in {dims} dimensions and the price: 1 to 2^20 cells in all are possible; take fewer"
    )]
    Cells {
        /// The dimensions asked for.
        dims: u32,
        /// The cells a side asked for.
        side: u32,
    },
    /// A bandwidth that is no part of the unit interval.
    #[error("the bandwidth must be above 0 and at most 1, got {0}")]
    Bandwidth(f64),
    /// The loss is too small for its noise.
    #[error("epsilon must be at least 0.000001 here, got {0}")]
    Epsilon(Epsilon),
}

impl Spec {
    /// Checks everything.
    pub fn new(dims: u32, side: u32, epsilon: Epsilon) -> Result<Spec, SpecError> {
        if dims == 0 {
            return Err(SpecError::Dims);
        }
        let cells = dims.checked_add(1).and_then(|axes| (side as usize).checked_pow(axes));
        if !cells.is_some_and(|cells| (1..=MAX_CELLS).contains(&cells)) {
            return Err(SpecError::Cells { dims, side });
        }
        if epsilon.nano() < MIN_NANO {
            return Err(SpecError::Epsilon(epsilon));
        }
        Ok(Spec { dims, side, epsilon })
    }

    /// The spec with floor(1 / `bandwidth`) cells a side, which are then a little larger than the bandwidth
    /// where 1 / `bandwidth` is not whole.
    pub fn from_bandwidth(dims: u32, bandwidth: f64, epsilon: Epsilon) -> Result<Spec, SpecError> {
        if !(bandwidth > 0.0 && bandwidth <= 1.0) {
            return Err(SpecError::Bandwidth(bandwidth));
        }
        // 1 / (1/49.0) may be a hair below 49.
        let side = ((1.0 + 1e-12) / bandwidth) as u32;
        Spec::new(dims, side, epsilon)
    }

    /// The number of coordinates of a context.
    pub fn dims(&self) -> u32 {
        self.dims
    }

    /// How many cells each axis has.
    pub fn side(&self) -> u32 {
        self.side
    }

    /// The length of a cell's edge, h in the paper.
    pub fn bandwidth(&self) -> f64 {
        1.0 / f64::from(self.side)
    }

    /// The loss of one report as published; see the proof for what it really is.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// The loss that the noise of one value is calibrated to: epsilon / (4 sqrt 2), rounded down to whole
    /// billionths so that the scale is never below the published 4 sqrt(2) / epsilon.
    pub fn value_epsilon(&self) -> Epsilon {
        let nano = u128::from(self.epsilon.nano());
        // 4 sqrt 2 is the root of 32. At least 1000 / 5.66 billionths are left.
        Epsilon::from_nano((nano * nano / 32).isqrt() as u64).unwrap_or(Epsilon::MIN)
    }

    /// How many cells contexts and prices have together, K in the paper.
    pub fn cells(&self) -> usize {
        self.context_cells() * self.side as usize
    }

    /// How many cells contexts have.
    pub fn context_cells(&self) -> usize {
        (self.side as usize).pow(self.dims)
    }

    /// The cell of a context and a price: the context's cell times the cells a side, plus the price's. None
    /// outside the cube or for another number of coordinates.
    pub fn cell(&self, context: &[f64], price: f64) -> Option<usize> {
        Some(self.context_cell(context)? * self.side as usize + self.along(price)?)
    }

    /// The cell of a context, the first coordinate's place counting most.
    pub fn context_cell(&self, context: &[f64]) -> Option<usize> {
        if context.len() != self.dims as usize {
            return None;
        }
        context.iter().try_fold(0, |cell, &x| Some(cell * self.side as usize + self.along(x)?))
    }

    /// Cells are closed below; the last is closed above too.
    fn along(&self, x: f64) -> Option<usize> {
        (0.0..=1.0).contains(&x).then(|| ((x * f64::from(self.side)) as usize).min(self.side as usize - 1))
    }

    /// What one report promises the person who sends it.
    pub fn guarantee(&self) -> Guarantee {
        Guarantee::local(
            self.epsilon,
            "one report: the context, price and reward of one person at one sale",
            "any two triples of context, price and reward",
            "crates/baselines/src/nw_lcb/agent/guarantee.md",
        )
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    dims: u32,
    side: u32,
    epsilon: Epsilon,
}

impl From<Spec> for Raw {
    fn from(Spec { dims, side, epsilon }: Spec) -> Raw {
        Raw { dims, side, epsilon }
    }
}

impl TryFrom<Raw> for Spec {
    type Error = SpecError;
    fn try_from(raw: Raw) -> Result<Spec, SpecError> {
        Spec::new(raw.dims, raw.side, raw.epsilon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn loss(value: f64) -> Epsilon {
        Epsilon::new(value).unwrap()
    }

    #[test]
    fn reading_runs_the_same_checks_as_building() {
        let read = |text: &str| serde_json::from_str::<Spec>(text).map_err(|e| e.to_string());
        let spec = read(r#"{"dims":2,"side":3,"epsilon":1}"#).unwrap();
        assert_eq!(read(&serde_json::to_string(&spec).unwrap()).unwrap(), spec);
        let bad = [
            (r#"{"dims":0,"side":3,"epsilon":1}"#, "dimension"),
            (r#"{"dims":2,"side":0,"epsilon":1}"#, "cells"),
            (r#"{"dims":2,"side":102,"epsilon":1}"#, "cells"),
            (r#"{"dims":4294967295,"side":2,"epsilon":1}"#, "cells"),
            (r#"{"dims":2,"side":3,"epsilon":1e-9}"#, "0.000001"),
            (r#"{"dims":2,"side":3,"epsilon":1,"extra":0}"#, "extra"),
        ];
        for (text, word) in bad {
            let message = read(text).unwrap_err();
            assert!(message.contains(word), "{message}");
        }
        assert!(Spec::new(1, 1 << 10, loss(1.0)).is_ok());
        assert!(Spec::new(1, (1 << 10) + 1, loss(1.0)).is_err());
    }

    #[test]
    fn cells_a_side_from_a_bandwidth() {
        for side in 1..=1024_u32 {
            let spec = Spec::from_bandwidth(1, 1.0 / f64::from(side), loss(1.0)).unwrap();
            assert_eq!(spec.side(), side);
        }
        assert_eq!(Spec::from_bandwidth(1, 0.4, loss(1.0)).unwrap().side(), 2);
        for bad in [0.0, -0.1, 1.1, f64::NAN] {
            assert!(matches!(Spec::from_bandwidth(1, bad, loss(1.0)), Err(SpecError::Bandwidth(_))));
        }
        assert!(matches!(Spec::from_bandwidth(1, 1e-300, loss(1.0)), Err(SpecError::Cells { .. })));
    }

    #[test]
    fn noise_is_never_less_than_published() {
        for value in [1e-6, 0.1, 1.0, 3.7, 1024.0] {
            let spec = Spec::new(1, 2, loss(value)).unwrap();
            let (whole, part) = (u128::from(spec.epsilon().nano()), u128::from(spec.value_epsilon().nano()));
            assert!(32 * part * part <= whole * whole && 32 * (part + 1) * (part + 1) > whole * whole);
        }
    }

    #[test]
    fn what_is_outside_has_no_cell() {
        let spec = Spec::new(2, 3, loss(1.0)).unwrap();
        for (context, price) in [
            (&[0.1][..], 0.5),
            (&[0.1, 1.1], 0.5),
            (&[0.1, -0.1], 0.5),
            (&[0.1, f64::NAN], 0.5),
            (&[0.1, 0.1], 1.5),
        ] {
            assert_eq!(spec.cell(context, price), None);
        }
        assert_eq!(spec.cell(&[1.0, 1.0], 1.0), Some(26));
        assert_eq!(spec.cell(&[0.0, 0.0], 0.0), Some(0));
    }

    proptest! {
        #[test]
        fn cells_tile_the_cube(side in 1_u32..9, x in 0.0_f64..=1.0, y in 0.0_f64..=1.0, price in 0.0_f64..=1.0) {
            let spec = Spec::new(2, side, loss(1.0)).unwrap();
            let mut rest = spec.cell(&[x, y], price).unwrap();
            prop_assert!(rest < spec.cells());
            for value in [price, y, x] {
                let low = (rest % side as usize) as f64 * spec.bandwidth();
                prop_assert!(value >= low - 1e-12 && value <= low + spec.bandwidth() + 1e-12);
                rest /= side as usize;
            }
        }
    }
}
