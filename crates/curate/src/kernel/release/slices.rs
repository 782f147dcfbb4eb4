//! A function of waves, cut along its actions: in one context it is a short sum of waves of the action alone.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_1_SQRT_2;

use faer::Mat;

use super::search::first_largest;
use crate::kernel::algebra;
use crate::kernel::{Points, Waves};

/// Waves that can be cut.
#[derive(Clone)]
pub(super) struct Slicer {
    /// As they go along actions, each once.
    along: Waves,
    /// As they go along contexts: all, in order.
    across: Waves,
    /// Which of `along` each is; none that does not go along actions.
    group: Vec<Option<usize>>,
    /// The function's coefficients.
    weights: Vec<f64>,
}

/// The function in some contexts.
pub(super) struct Slices<'a> {
    along: &'a Waves,
    /// A column for each context: the coefficients of the features of `along`.
    weights: Mat<f64>,
}

impl Slicer {
    pub(super) fn new(waves: &Waves, count: usize, actions: usize, weights: &Mat<f64>) -> Slicer {
        let (along, across) = waves.split(actions, count);
        let mut known: BTreeMap<Vec<i32>, usize> = BTreeMap::new();
        let mut different = Vec::new();
        let group = along.frequencies().iter().map(|frequency| {
            frequency.iter().any(|&times| times != 0).then(|| {
                *known.entry(frequency.clone()).or_insert_with(|| {
                    different.push(frequency.clone());
                    different.len() - 1
                })
            })
        });
        let group = group.collect();
        let weights = weights.col(0).iter().copied().collect();
        Slicer { along: along.with_frequencies(different), across, group, weights }
    }

    /// cos(a + c) and sin(a + c) as cosines and sines of a, with what belongs to c as coefficients.
    pub(super) fn cut(&self, contexts: &[Vec<f64>]) -> Slices<'_> {
        let mut points = Points::new(self.across.periods().len());
        for context in contexts {
            points.push(context);
        }
        let rows = self.across.rows_of(&points, contexts.len(), self.group.len());
        let mut weights = Mat::zeros(1 + 2 * self.along.len(), contexts.len());
        for context in 0..contexts.len() {
            weights[(0, context)] = self.weights[0];
        }
        for (wave, group) in self.group.iter().enumerate() {
            let (a, b) = (self.weights[1 + 2 * wave], self.weights[2 + 2 * wave]);
            for context in 0..contexts.len() {
                let (cosine, sine) = (rows[(context, 1 + 2 * wave)], rows[(context, 2 + 2 * wave)]);
                let (with, against) = (a * cosine + b * sine, b * cosine - a * sine);
                match group {
                    None => weights[(0, context)] += with,
                    Some(group) => {
                        weights[(1 + 2 * group, context)] += with * FRAC_1_SQRT_2;
                        weights[(2 + 2 * group, context)] += against * FRAC_1_SQRT_2;
                    }
                }
            }
        }
        Slices { along: &self.along, weights }
    }
}

impl Slices<'_> {
    /// The best of these actions in each context.
    pub(super) fn best_of(&self, actions: &Points) -> Vec<Vec<f64>> {
        let values = self.table(actions);
        values.col_iter().map(|column| actions.point(first_largest(column.iter().copied()))).collect()
    }

    /// Means of these actions in each context, which has a column.
    pub(super) fn table(&self, actions: &Points) -> Mat<f64> {
        let rows = self.along.rows(actions, self.along.len());
        algebra::times(rows.as_ref(), self.weights.as_ref())
    }

    /// Means of actions, `each` of them in each context.
    pub(super) fn values(&self, actions: &Points, each: usize) -> Vec<f64> {
        let rows = self.along.rows(actions, self.along.len());
        let mut values = vec![0.0; actions.len()];
        for (place, row) in rows.col_iter().enumerate() {
            for (number, (value, feature)) in values.iter_mut().zip(row.iter()).enumerate() {
                *value += feature * self.weights[(place, number / each)];
            }
        }
        values
    }
}
