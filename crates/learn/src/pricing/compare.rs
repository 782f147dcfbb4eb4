//! What prices are worth that are not of a policy of ours, beside others.

use super::fit::Fitted;
use super::overlap::THIN;
use super::value::Value;

impl Fitted {
    /// How much more one set of prices earns on average than another, by this log alone: known better than the
    /// difference of their values, since whatever the log gets wrong about both cancels. A point of the target may
    /// have more coordinates than its context has axes, such as a price that somebody quotes there.
    pub fn gain_of(
        &self,
        target: Option<&[Vec<f64>]>,
        price_of: impl Fn(&[f64]) -> f64,
        other_of: impl Fn(&[f64]) -> f64,
        margin: impl Fn(f64) -> f64,
    ) -> Value {
        self.averaged(target, |point| {
            let (price, other) = (price_of(point), other_of(point));
            [(price, margin(price)), (other, -margin(other))]
        })
    }

    /// The share of people for whom the log surely has records of their price.
    pub fn covered_of(&self, target: Option<&[Vec<f64>]>, price_of: impl Fn(&[f64]) -> f64) -> f64 {
        let (mut covered, mut total) = (0.0, 0.0);
        for (weight, point) in self.people(target) {
            let here = self.sure_densities(&point, price_of(&point)).1;
            covered += if here < THIN { 0.0 } else { weight };
            total += weight;
        }
        covered / total
    }
}
