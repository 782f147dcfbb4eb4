//! Algorithm 1: the max-edge rule.

use std::num::NonZeroU64;

use crate::abse::Bin;
use reticent_privacy::SimRng;
use reticent_privacy::exact::uniform_below;

/// Two halves along a uniform choice among the longest edges, cut at the midpoint.
pub(super) fn max_edge(bin: &Bin, rng: &mut SimRng) -> [Bin; 2] {
    // Edges are powers of two, so that equal ones compare equal.
    let edge = |axis: &usize| bin.high[*axis] - bin.low[*axis];
    let longest = (0..bin.low.len()).map(|axis| edge(&axis)).fold(0.0, f64::max);
    let axes: Vec<usize> = (0..bin.low.len()).filter(|axis| edge(axis) == longest).collect();
    let count = NonZeroU64::new(axes.len() as u64).unwrap_or(NonZeroU64::MIN);
    let axis = axes[uniform_below(count, rng) as usize];
    let at = f64::midpoint(bin.low[axis], bin.high[axis]);
    let mut lower = Bin { depth: bin.depth + 1, ..bin.clone() };
    let mut upper = lower.clone();
    (lower.high[axis], upper.low[axis]) = (at, at);
    [lower, upper]
}
