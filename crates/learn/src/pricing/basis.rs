//! The prior's leading functions: products of each axis's modes, scaled by their prior deviations, and one constant.

use std::collections::BTreeMap;

use super::axes::{Axes, Modes, Spot};
use super::shape::Shape;
use crate::linear::{add_scaled, dot};

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
    /// The prior variance of what is left out, where it is the same everywhere.
    left_out: Option<f64>,
}

/// A function as the sum over nodes of a context (or none, at 0), times a function of the price's nodes.
pub(super) struct Parts {
    pub(super) contexts: Vec<(usize, f64)>,
    pub(super) price: Vec<f64>,
}

impl Basis {
    pub(super) fn new(axes: &Axes, shape: &Shape) -> Basis {
        if axes.additive() { Basis::added(axes, shape) } else { Basis::multiplied(axes, shape) }
    }

    /// Functions of the price, and of the price and one context each. The leading mode of a context's axis is
    /// constant, since it has two ends alone or levels that are all as far apart.
    fn added(axes: &Axes, shape: &Shape) -> Basis {
        let modes: Vec<&Modes> =
            axes.each.iter().zip(&shape.lengths).map(|(axis, &l)| &axis.modes[l]).collect();
        let (price, contexts) = modes.split_last().expect("there is an axis of prices");
        let largest =
            |values: &[f64]| (0..values.len()).fold(0, |a, b| if values[b] > values[a] { b } else { a });
        let leading: Vec<usize> = contexts.iter().map(|(values, _)| largest(values)).collect();
        let mut effects: Vec<(f64, Vec<usize>)> = vec![(1.0, leading.clone())];
        for (axis, (values, _)) in contexts.iter().enumerate() {
            for mode in (0..values.len()).filter(|&mode| mode != leading[axis]) {
                let mut chosen = leading.clone();
                chosen[axis] = mode;
                effects.push((values[mode].max(0.0) / values[leading[axis]], chosen));
            }
        }
        let mut products: Vec<(f64, Vec<usize>)> = Vec::new();
        for (mode, &value) in price.0.iter().enumerate() {
            products.extend(
                effects.iter().map(|(effect, modes)| (effect * value, [&modes[..], &[mode]].concat())),
            );
        }
        products.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let total: f64 = products.iter().map(|(value, _)| value.max(0.0)).sum();
        keep(&mut products, total);
        let kept: f64 = products.iter().map(|(value, _)| value).sum();
        let nodes: f64 = contexts.iter().map(|(values, _)| values.len() as f64).product();
        let amplitude = shape.amplitude * shape.amplitude;
        let left_out = amplitude * (total - kept).max(0.0) / price.0.len() as f64;
        let scales = products.iter().map(|(value, _)| shape.amplitude * (value * nodes).sqrt()).collect();
        Basis::with_level(products, scales, shape, Some(left_out))
    }

    fn multiplied(axes: &Axes, shape: &Shape) -> Basis {
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
        keep(&mut products, total);
        let scales = products.iter().map(|(value, _)| shape.amplitude * value.sqrt()).collect();
        Basis::with_level(products, scales, shape, None)
    }

    fn with_level(
        products: Vec<(f64, Vec<usize>)>,
        mut scales: Vec<f64>,
        shape: &Shape,
        left_out: Option<f64>,
    ) -> Basis {
        let mut kept: Vec<Vec<usize>> = products.into_iter().map(|(_, chosen)| chosen).collect();
        scales.push(LEVEL);
        kept.push(Vec::new());
        let amplitude = shape.amplitude * shape.amplitude;
        Basis { kept, scales, lengths: shape.lengths.clone(), amplitude, left_out }
    }

    /// The functions in parts, of axes whose effects add up.
    pub(super) fn parts(&self, axes: &Axes) -> Vec<Parts> {
        let last = axes.each.len() - 1;
        let modes = |axis: usize| &axes.each[axis].modes[self.lengths[axis]];
        let (values, vectors) = modes(last);
        let function = |(kept, &scale): (&Vec<usize>, &f64)| {
            let Some((&price, chosen)) = kept.split_last() else {
                return Parts { contexts: vec![(0, scale)], price: vec![1.0; values.len()] };
            };
            let (mut contexts, mut factor, mut first) = (vec![(0, 1.0)], scale, 1);
            for (axis, &mode) in chosen.iter().enumerate() {
                let (values, vectors) = modes(axis);
                let n = values.len();
                let at = |node: usize| vectors[node * n + mode];
                if (1..n).all(|node| (at(node) - at(0)).abs() < 1e-9) {
                    factor *= at(0);
                } else {
                    contexts = (0..n).map(|node| (first + node, at(node))).collect();
                }
                first += n;
            }
            for (_, share) in &mut contexts {
                *share *= factor;
            }
            let n = values.len();
            Parts { contexts, price: (0..n).map(|node| vectors[node * n + price]).collect() }
        };
        self.kept.iter().zip(&self.scales).map(function).collect()
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

    /// At all combinations of spots, the last axis counting first, the sum over functions of their value there times
    /// the `width` numbers that `each` has for them. Axis after axis from the last on, those that are the same on all
    /// axes before are added up: far less work than all functions at all places.
    pub(super) fn combined(&self, axes: &Axes, spots: &[Vec<Spot>], each: &[f64], width: usize) -> Vec<f64> {
        let scaled = |(numbers, scale): (&[f64], &f64)| numbers.iter().map(|number| scale * number).collect();
        let numbers = each.chunks_exact(width).zip(&self.scales).map(scaled);
        let mut sums: BTreeMap<&[usize], Vec<f64>> =
            self.kept.iter().map(|kept| &kept[..]).zip(numbers).collect();
        for (number, spots) in spots.iter().enumerate().rev() {
            let (values, vectors) = &axes.each[number].modes[self.lengths[number]];
            let mut longer: BTreeMap<&[usize], Vec<f64>> = BTreeMap::new();
            for (kept, inner) in sums {
                let before = &kept[..number.min(kept.len())];
                let sum = longer.entry(before).or_insert_with(|| vec![0.0; spots.len() * inner.len()]);
                for (sum, &spot) in sum.chunks_exact_mut(inner.len()).zip(spots) {
                    add_scaled(sum, factor(vectors, values.len(), kept.get(number).copied(), spot), &inner);
                }
            }
            sums = longer;
        }
        sums.into_values().next().unwrap_or_default()
    }

    /// The prior variance of the functions that are left out, where it is the same everywhere.
    pub(super) fn left_out(&self) -> Option<f64> {
        self.left_out
    }

    /// The prior variance, at a place with this row, of the functions that are left out: nothing is learned of them.
    /// `node_share` is the prior variance there relative to a node's: see [`node_share`](Self::node_share).
    pub(super) fn omitted(&self, row: &[f64], node_share: f64) -> f64 {
        if let Some(left_out) = self.left_out {
            return left_out;
        }
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

    /// The functions' parts of the context alone, at one context.
    pub(super) fn context(&self, axes: &Axes, point: &[Spot]) -> Vec<f64> {
        let mut row = self.scales.clone();
        for (number, &spot) in point.iter().enumerate() {
            let (values, vectors) = &axes.each[number].modes[self.lengths[number]];
            for (value, kept) in row.iter_mut().zip(&self.kept) {
                *value *= factor(vectors, values.len(), kept.get(number).copied(), spot);
            }
        }
        row
    }

    /// The functions' parts of the price alone: times those of a context they are the functions there.
    pub(super) fn price(&self, axes: &Axes, spot: Spot) -> Vec<f64> {
        let last = axes.each.len() - 1;
        let (values, vectors) = &axes.each[last].modes[self.lengths[last]];
        self.kept.iter().map(|kept| factor(vectors, values.len(), kept.get(last).copied(), spot)).collect()
    }

    /// The functions at one point.
    pub(super) fn at(&self, axes: &Axes, point: &[Spot]) -> Vec<f64> {
        let spots: Vec<&[Spot]> = point.iter().map(std::slice::from_ref).collect();
        self.over(axes, &spots)
    }
}

/// The first of these, in falling order, that make up nearly all of the prior's variance.
fn keep(products: &mut Vec<(f64, Vec<usize>)>, total: f64) {
    let mut sum = 0.0;
    let enough = products.iter().position(|(value, _)| {
        sum += value;
        sum >= SHARE * total
    });
    products.truncate(enough.map_or(MAX_RANK, |last| last + 1).min(MAX_RANK - 1));
}

fn factor(vectors: &[f64], n: usize, mode: Option<usize>, spot: Spot) -> f64 {
    let Some(mode) = mode else { return 1.0 };
    let here = vectors[spot.node * n + mode];
    if spot.share == 0.0 { here } else { here + spot.share * (vectors[(spot.node + 1) * n + mode] - here) }
}
