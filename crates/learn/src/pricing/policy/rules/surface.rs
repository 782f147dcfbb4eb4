//! Scores and values at the nodes of the contexts, changed so that prices keep to rules.

use super::RuleAxes;
use crate::pricing::axes::Axis;
use crate::pricing::policy::draws::pool;
use crate::pricing::policy::quote::strides;

/// The nodes of the contexts, with how many people are near each.
pub(super) struct Nodes {
    sizes: Vec<usize>,
    strides: Vec<usize>,
    /// Sum to about one; never zero.
    pub(super) masses: Vec<f64>,
}

/// Nodes that nobody is near count as this share of all, together.
const NOBODY: f64 = 1e-3;

impl Nodes {
    /// With these people, each at the node that is nearest along every axis.
    pub(super) fn new(axes: &[Axis], people: &[(f64, Vec<f64>)]) -> Nodes {
        let sizes: Vec<usize> = axes.iter().map(|axis| axis.places().len()).collect();
        let (strides, nodes) = (strides(axes), sizes.iter().product::<usize>());
        let total: f64 = people.iter().map(|(weight, _)| weight).sum();
        let mut masses = vec![NOBODY / nodes as f64; nodes];
        for (weight, point) in people {
            let near = axes.iter().zip(point).zip(&strides).map(|((axis, &x), stride)| {
                let spot = axis.spot(x);
                (spot.node + usize::from(spot.share > 0.5)) * stride
            });
            masses[near.sum::<usize>()] += weight / total;
        }
        Nodes { sizes, strides, masses }
    }

    /// For each line of nodes along an axis, its nodes from the lowest on.
    fn lines(&self, axis: usize) -> impl Iterator<Item = Vec<usize>> + '_ {
        let (size, stride) = (self.sizes[axis], self.strides[axis]);
        let first = (0..self.masses.len()).filter(move |node| (node / stride).is_multiple_of(size));
        first.map(move |node| (0..size).map(|step| node + step * stride).collect())
    }

    /// Averages `width` values a node over an axis, as people are spread along it.
    fn averaged_along(&self, axis: usize, values: &mut [f64], width: usize, masses: &[f64]) {
        for line in self.lines(axis) {
            let total: f64 = line.iter().map(|&node| masses[node]).sum();
            for at in 0..width {
                let sum: f64 = line.iter().map(|&node| masses[node] * values[node * width + at]).sum();
                for &node in &line {
                    values[node * width + at] = sum / total;
                }
            }
        }
    }

    /// Averages values over all axes that nothing may depend on.
    pub(super) fn blinded(&self, axes: &RuleAxes, values: &mut [f64], width: usize) {
        let mut masses = self.masses.clone();
        for &axis in &axes.blind {
            self.averaged_along(axis, values, width, &masses);
            // Those of a line now count together, wherever in it they are.
            for line in self.lines(axis) {
                let mean = line.iter().map(|&node| masses[node]).sum::<f64>() / line.len() as f64;
                for &node in &line {
                    masses[node] = mean;
                }
            }
        }
    }

    /// The nearest scores by which the best price never falls, or never rises, along the ordered axes: how much
    /// better each price is than the one below it is made to do so.
    pub(super) fn ordered(&self, axes: &RuleAxes, score: &mut [f64], prices: usize) {
        if axes.ordered.is_empty() {
            return;
        }
        let mut masses = self.masses.clone();
        self.blinded(axes, &mut masses, 1);
        let steps = |at: usize| {
            let mut steps: Vec<f64> =
                score.chunks_exact(prices).map(|prices| prices[at] - prices[at - 1]).collect();
            self.project(axes, &mut steps, &masses);
            steps
        };
        let steps: Vec<Vec<f64>> = (1..prices).map(steps).collect();
        for (node, scores) in score.chunks_exact_mut(prices).enumerate() {
            scores[0] = 0.0;
            for at in 1..prices {
                scores[at] = scores[at - 1] + steps[at - 1][node];
            }
        }
    }

    fn project(&self, axes: &RuleAxes, values: &mut [f64], masses: &[f64]) {
        // Pooling along one axis may disturb another: a few rounds come near, running ends make it exact.
        const ROUNDS: usize = 4;
        let rounds = if axes.ordered.len() > 1 { ROUNDS } else { 1 };
        for _ in 0..rounds {
            for &(axis, rises) in &axes.ordered {
                self.along(axis, values, |line, values| pooled(line, values, masses, rises));
            }
        }
        for &(axis, rises) in &axes.ordered {
            self.along(axis, values, |_, values| run(values, rises));
        }
    }

    fn along(&self, axis: usize, values: &mut [f64], change: impl Fn(&[usize], &mut [f64])) {
        for line in self.lines(axis) {
            let mut here: Vec<f64> = line.iter().map(|&node| values[node]).collect();
            change(&line, &mut here);
            line.iter().zip(here).for_each(|(&node, value)| values[node] = value);
        }
    }
}

/// The nearest sequence that never falls, or never rises.
fn pooled(line: &[usize], values: &mut [f64], masses: &[f64], rises: bool) {
    let weights: Vec<f64> = line.iter().map(|&node| masses[node]).collect();
    let sign = if rises { -1.0 } else { 1.0 };
    for value in values.iter_mut() {
        *value *= sign;
    }
    pool(values, &weights);
    for value in values.iter_mut() {
        *value *= sign;
    }
}

/// The running maximum, or minimum: it stays in order along every axis along which the values are.
fn run(values: &mut [f64], rises: bool) {
    for at in 1..values.len() {
        let before = values[at - 1];
        values[at] = if rises { values[at].max(before) } else { values[at].min(before) };
    }
}
