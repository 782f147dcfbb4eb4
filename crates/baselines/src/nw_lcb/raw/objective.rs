//! The pessimistic estimator (equation (2)).

use reticent_privacy::UnitGrid;

use super::Smoothness;

/// Sales near a context and a price: how many, and the sum of their rewards in grid steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) count: u32,
    pub(super) steps: u64,
}

/// Equation (2) with its constants computed once.
#[derive(Debug)]
pub(super) struct Objective {
    /// sqrt(2 log(2n) / N) for each N up to the number of sales.
    radii: Vec<f64>,
    bias: f64,
}

pub(super) const STEPS: f64 = UnitGrid::STEPS as f64;

impl Objective {
    pub(super) fn new(sales: usize, smoothness: Smoothness) -> Objective {
        let constant = 2.0 * libm::log(2.0 * sales as f64);
        let radii = (0..=sales).map(|near| (constant / near as f64).sqrt()).collect();
        Objective { radii, bias: smoothness.holder * libm::pow(smoothness.bandwidth, smoothness.beta) }
    }

    /// The value of a price near which there are sales. This number, rounded as it is, decides which price is best.
    #[inline]
    pub(super) fn value(&self, near: Tally) -> f64 {
        near.steps as f64 / (f64::from(near.count) * STEPS) - self.radii[near.count as usize] - self.bias
    }

    /// No less, but for rounding, than the value of any set of sales that has all of `inner` and is part of
    /// `outer`, and is not empty. At best it has all rewards of the others and as few of them as can bring
    /// these, yet the radius of all.
    #[inline]
    pub(super) fn bound(&self, inner: Tally, outer: Tally) -> f64 {
        if outer.count == 0 {
            return f64::NEG_INFINITY;
        }
        let fewest = f64::from(inner.count) * STEPS + (outer.steps - inner.steps) as f64;
        let mean = if fewest > 0.0 { outer.steps as f64 / fewest } else { 0.0 };
        mean - self.radii[outer.count as usize] - self.bias
    }
}
