//! How much more a policy earns than one price for everybody.

use super::fit::Fitted;
use super::policy::Policy;
use super::value::Value;

impl Fitted {
    /// The mean of what `policy` earns from a person beyond what `single` does, by this log alone. Whatever the log gets wrong about both cancels: this is known better than
    /// the difference of their two values. The target is as in [`value`](Fitted::value).
    pub fn gain(&self, policy: &Policy, single: f64, target: Option<&[Vec<f64>]>) -> Value {
        let range = self.terms.outcome();
        let width = range.high - range.low;
        let mut row = vec![0.0; self.basis.rank()];
        let (mut sum, mut squares, mut weights) = (0.0, 0.0, 0.0);
        for (weight, point) in self.people(target) {
            let mut gained = 0.0;
            for (price, sign) in [(policy.quote_point(&point).price, 1.0), (single, -1.0)] {
                let margin = sign * policy.objective().margin(price);
                let here = self.row(&point, price);
                gained += margin * (range.low + width * (self.level + self.posterior.mean(&here)));
                for (sum, value) in row.iter_mut().zip(&here) {
                    *sum += weight * margin * width * value;
                }
            }
            sum += weight * gained;
            squares += weight * gained * gained;
            weights += weight;
        }
        let mean = sum / weights;
        for value in &mut row {
            *value /= weights;
        }
        let people = target.map(|target| target.len() as u64);
        let sampled =
            people.map_or(0.0, |people| (squares / weights - mean * mean).max(0.0) / people.max(1) as f64);
        let deviation = (self.posterior.deviation(&row).powi(2) + sampled).sqrt();
        Value { mean, deviation, people }
    }
}
