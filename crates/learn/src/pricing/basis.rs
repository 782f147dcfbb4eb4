//! The prior's leading functions: products of each axis's modes, scaled by their prior deviations, and one constant.

use super::axes::{Axes, Modes, Spot};
use super::shape::Shape;
use crate::linear::dot;

/// No more functions than this, and no more than make up this share of the prior's variance.
const MAX_RANK: usize = 128;
const SHARE: f64 = 0.9999;
/// The prior deviation of the level, in units of the outcome's range.
const LEVEL: f64 = 0.5;

/// Functions whose coefficients are independent standard normal a priori.
#[derive(Debug, Clone)]
pub(super) struct Basis {
    /// For each function, its mode on each axis; none for the constant.
    kept: Vec<Vec<usize>>,
    scales: Vec<f64>,
    lengths: Vec<usize>,
    /// The square of the prior deviation at a node.
    amplitude: f64,
}

impl Basis {
    pub(super) fn new(axes: &Axes, shape: &Shape) -> Basis {
        let modes: Vec<&Modes> =
            axes.each.iter().zip(&shape.lengths).map(|(axis, &l)| &axis.modes[l]).collect();
        let mut products: Vec<(f64, Vec<usize>)> = vec![(1.0, Vec::new())];
        for (values, _) in &modes {
            let total: f64 = values.iter().sum();
            let mut longer: Vec<(f64, Vec<usize>)> = Vec::new();
            for (product, chosen) in &products {
                for (mode, &value) in values.iter().enumerate().filter(|(_, value)| **value > 1e-9 * total) {
                    longer.push((product * value, [&chosen[..], &[mode]].concat()));
                }
            }
            longer.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
            // A product of the largest of an axis and what is left out here is left out too.
            longer.truncate(4 * MAX_RANK);
            products = longer;
        }
        let total: f64 = modes.iter().map(|(values, _)| values.iter().sum::<f64>()).product();
        let mut sum = 0.0;
        let enough = products.iter().position(|(value, _)| {
            sum += value;
            sum >= SHARE * total
        });
        products.truncate(enough.map_or(MAX_RANK, |last| last + 1).min(MAX_RANK - 1));
        let mut scales: Vec<f64> = products.iter().map(|(value, _)| shape.amplitude * value.sqrt()).collect();
        let mut kept: Vec<Vec<usize>> = products.into_iter().map(|(_, chosen)| chosen).collect();
        scales.push(LEVEL);
        kept.push(Vec::new());
        Basis { kept, scales, lengths: shape.lengths.clone(), amplitude: shape.amplitude * shape.amplitude }
    }

    /// How many functions there are.
    pub(super) fn rank(&self) -> usize {
        self.scales.len()
    }

    /// The functions at all combinations of spots, the last axis counting first: row by row.
    pub(super) fn over(&self, axes: &Axes, spots: &[&[Spot]]) -> Vec<f64> {
        let mut rows = self.scales.clone();
        for (number, (axis, spots)) in axes.each.iter().zip(spots).enumerate() {
            let (values, vectors) = &axis.modes[self.lengths[number]];
            let n = values.len();
            let mode: Vec<Option<usize>> = self.kept.iter().map(|kept| kept.get(number).copied()).collect();
            let factors: Vec<f64> = spots
                .iter()
                .flat_map(|spot| mode.iter().map(|&mode| factor(vectors, n, mode, *spot)))
                .collect();
            let mut longer = Vec::with_capacity(rows.len() * spots.len());
            for row in rows.chunks_exact(self.rank()) {
                for factors in factors.chunks_exact(self.rank()) {
                    longer.extend(row.iter().zip(factors).map(|(value, factor)| value * factor));
                }
            }
            rows = longer;
        }
        rows
    }

    /// The prior variance, at a place with this row, of the functions that are left out: nothing is learned of them.
    /// `node_share` is the prior variance there relative to a node's: see [`node_share`](Self::node_share).
    pub(super) fn omitted(&self, row: &[f64], node_share: f64) -> f64 {
        (self.amplitude * node_share + LEVEL * LEVEL - dot(row, row)).max(0.0)
    }

    /// How much less the prior varies at a place of an axis, between nodes, than at a node: it is linear there.
    pub(super) fn node_share(&self, axes: &Axes, axis: usize, spot: Spot) -> f64 {
        let (values, vectors) = &axes.each[axis].modes[self.lengths[axis]];
        let n = values.len();
        let each = values
            .iter()
            .enumerate()
            .map(|(mode, value)| value.max(0.0) * factor(vectors, n, Some(mode), spot).powi(2));
        each.sum()
    }

    /// The functions at one point.
    pub(super) fn at(&self, axes: &Axes, point: &[Spot]) -> Vec<f64> {
        let spots: Vec<&[Spot]> = point.iter().map(std::slice::from_ref).collect();
        self.over(axes, &spots)
    }
}

fn factor(vectors: &[f64], n: usize, mode: Option<usize>, spot: Spot) -> f64 {
    let Some(mode) = mode else { return 1.0 };
    let here = vectors[spot.node * n + mode];
    if spot.share == 0.0 { here } else { here + spot.share * (vectors[(spot.node + 1) * n + mode] - here) }
}
