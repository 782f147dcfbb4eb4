//! The people that prices are for, as the posterior sees them.

use crate::linear::add_scaled;
use crate::pricing::axes::Spot;
use crate::pricing::fit::Fitted;

/// No more people than this are asked when prices are chosen.
const MOST: usize = 1000;

/// Weighted people with the functions' parts of their contexts.
pub(super) struct Crowd {
    /// Sum to one.
    pub(super) weights: Vec<f64>,
    pub(super) points: Vec<Vec<f64>>,
    rows: Vec<Vec<f64>>,
}

impl Crowd {
    /// An even choice from the target's sample, or the log's own people.
    pub(super) fn of(fitted: &Fitted, target: Option<&[Vec<f64>]>) -> Crowd {
        let few: Option<Vec<Vec<f64>>> =
            target.map(|target| target.iter().step_by(target.len().div_ceil(MOST).max(1)).cloned().collect());
        let people = fitted.people(few.as_deref());
        let total: f64 = people.iter().map(|(weight, _)| weight).sum();
        let (weights, points): (Vec<f64>, Vec<Vec<f64>>) =
            people.into_iter().map(|(weight, point)| (weight / total, point)).unzip();
        let rows = points.iter().map(|point| {
            let spots: Vec<Spot> =
                fitted.axes.contexts().iter().zip(point).map(|(axis, &x)| axis.spot(x)).collect();
            fitted.basis.context(&fitted.axes, &spots)
        });
        Crowd { rows: rows.collect(), weights, points }
    }

    /// The mean over people of the functions at a price, whose part is given.
    pub(super) fn mean(&self, price: &[f64]) -> Vec<f64> {
        let mut mean = vec![0.0; price.len()];
        for (row, &weight) in self.rows.iter().zip(&self.weights) {
            add_scaled(&mut mean, weight, row);
        }
        mean.iter_mut().zip(price).for_each(|(value, price)| *value *= price);
        mean
    }
}
