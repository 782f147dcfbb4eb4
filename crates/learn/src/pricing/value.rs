//! What a policy is worth, by a log: best one that the policy was not learned from.

use serde::{Deserialize, Serialize};

use super::axes::Spot;
use super::fit::Fitted;
use super::policy::Policy;
use crate::linear::add_scaled;

/// An estimate with its standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The mean of what the policy earns from a person.
    pub mean: f64,
    /// The standard deviation of that: of the log's reports, and of the sample of the target market.
    pub deviation: f64,
    /// How many people of the target market it was taken over; none if over the log's own.
    pub people: Option<u64>,
}

impl Value {
    /// The ends of an interval of so many deviations on each side.
    pub fn interval(&self, deviations: f64) -> (f64, f64) {
        (self.mean - deviations * self.deviation, self.mean + deviations * self.deviation)
    }
}

impl Fitted {
    /// What `policy` earns on average in the target market, by this log alone. The target is a sample of
    /// contexts in the unit cube; without one, the log's own contexts are taken.
    pub fn value(&self, policy: &Policy, target: Option<&[Vec<f64>]>) -> Value {
        self.value_of(
            target,
            |point| policy.quote_point(point).price,
            |price| policy.objective().margin(price),
        )
    }

    /// The same for any prices.
    pub fn value_of(
        &self,
        target: Option<&[Vec<f64>]>,
        price_of: impl Fn(&[f64]) -> f64,
        margin: impl Fn(f64) -> f64,
    ) -> Value {
        self.averaged(target, |point| {
            let price = price_of(point);
            [(price, margin(price))]
        })
    }

    /// How much more `policy` earns on average than the price `single` for everybody, by this log alone.
    /// Whatever the log gets wrong about both cancels: this is known better than the difference of their two
    /// values. The target is as in [`value`](Fitted::value).
    pub fn gain(&self, policy: &Policy, single: f64, target: Option<&[Vec<f64>]>) -> Value {
        self.averaged(target, |point| {
            let (quoted, margin) =
                (policy.quote_point(point).price, |price| policy.objective().margin(price));
            [(quoted, margin(quoted)), (single, -margin(single))]
        })
    }

    /// The mean over people of a sum of outcomes at prices, each with a factor: linear in the unknown
    /// function, so its deviation is known.
    pub(super) fn averaged<const N: usize>(
        &self,
        target: Option<&[Vec<f64>]>,
        sum_of: impl Fn(&[f64]) -> [(f64, f64); N],
    ) -> Value {
        let range = self.terms.outcome();
        let width = range.width();
        let (basis, posterior) = &self.rough;
        let mut row = vec![0.0; basis.rank()];
        let (mut sum, mut squares, mut weights) = (0.0, 0.0, 0.0);
        for (weight, point) in self.people(target) {
            let mut earned = 0.0;
            for (price, factor) in sum_of(&point) {
                let here = basis.at(&self.axes, &self.spots(&point, price));
                earned += factor * (range.low() + width * (self.level + posterior.mean(&here)));
                add_scaled(&mut row, weight * factor * width, &here);
            }
            sum += weight * earned;
            squares += weight * earned * earned;
            weights += weight;
        }
        let mean = sum / weights;
        for value in &mut row {
            *value /= weights;
        }
        let people = target.map(|target| target.len() as u64);
        let sampled =
            people.map_or(0.0, |people| (squares / weights - mean * mean).max(0.0) / people.max(1) as f64);
        let deviation = (posterior.deviation(&row).powi(2) + sampled).sqrt();
        Value { mean, deviation, people }
    }

    /// The mean and the deviation of the outcome at a price for a context in the unit cube.
    pub fn outcome(&self, point: &[f64], price: f64) -> (f64, f64) {
        let range = self.terms.outcome();
        let width = range.width();
        let spots = self.spots(point, price);
        let row = self.basis.at(&self.axes, &spots);
        let share: f64 = spots
            .iter()
            .enumerate()
            .map(|(axis, &spot)| self.basis.node_share(&self.axes, axis, spot))
            .product();
        let deviation = (self.posterior.deviation(&row).powi(2) + self.basis.omitted(&row, share)).sqrt();
        (range.low() + width * (self.level + self.posterior.mean(&row)), width * deviation)
    }

    fn spots(&self, point: &[f64], price: f64) -> Vec<Spot> {
        let contexts = self.axes.contexts().iter().zip(point).map(|(axis, &x)| axis.spot(x));
        contexts.chain([self.axes.price_spot(price)]).collect()
    }

    /// Weighted contexts: the sample's, or the middles of the log's finest cells of contexts.
    pub fn people(&self, target: Option<&[Vec<f64>]>) -> Vec<(f64, Vec<f64>)> {
        if let Some(sample) = target {
            return sample.iter().map(|point| (1.0, point.clone())).collect();
        }
        let prices = self.axes.price().cells.len();
        let contexts =
            self.density.masses.chunks_exact(prices).zip(self.axes.middles().into_iter().step_by(prices));
        contexts
            .map(|(masses, mut point)| {
                point.pop();
                (masses.iter().sum(), point)
            })
            .collect()
    }

    /// The log's density in the cell of a context, relative to an even one.
    pub(super) fn context_density(&self, point: &[f64]) -> f64 {
        let prices = self.axes.price().cells.len();
        let first = self.context_cell(point) * prices;
        let mass: f64 = self.density.masses[first..first + prices].iter().sum();
        mass * (self.density.masses.len() / prices) as f64
    }

    /// The log's density in the cell of a context and a price, relative to an even one.
    pub(super) fn density_at(&self, point: &[f64], price: f64) -> f64 {
        let prices = self.axes.price().cells.len();
        let masses = &self.density.masses[self.context_cell(point) * prices..][..prices];
        masses[self.price_cell(price)] * self.density.masses.len() as f64
    }

    /// The density in the cell of a context, over all prices and at one, that is surely reached.
    pub(super) fn sure_densities(&self, point: &[f64], price: f64) -> (f64, f64) {
        let prices = self.axes.price().cells.len();
        let first = self.context_cell(point) * prices;
        let here = &self.density.surely[first..first + prices];
        (here.iter().sum::<f64>() / prices as f64, here[self.price_cell(price)])
    }

    /// The mean price of the log.
    pub(super) fn mean_price(&self) -> f64 {
        let (prices, places) = (self.terms.prices(), self.axes.price());
        let cells = places.cells.len();
        let place =
            |cell: &Spot| cell.parts().map(|(node, share)| share * places.places()[node]).sum::<f64>();
        let each: Vec<f64> = places.cells.iter().map(place).collect();
        let masses = self.density.masses.iter().enumerate();
        let mean: f64 = masses.map(|(cell, mass)| mass * each[cell % cells]).sum();
        prices.low() + (prices.high() - prices.low()) * mean
    }

    fn price_cell(&self, price: f64) -> usize {
        let prices = self.axes.price().cells.len();
        ((self.terms.prices().unit(price) * prices as f64) as usize).min(prices - 1)
    }

    fn context_cell(&self, point: &[f64]) -> usize {
        let axes = self.axes.contexts().iter().zip(point);
        axes.fold(0, |cell, (axis, &x)| {
            let cells = axis.cells.len();
            cell * cells + ((x * cells as f64) as usize).min(cells - 1)
        })
    }
}
