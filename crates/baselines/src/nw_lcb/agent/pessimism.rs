//! The twofold pessimistic estimator (Proposition 3).

use reticent_privacy::UnitGrid;

use super::{PolicyError, Sums};

/// How smooth the mean reward is taken to be: |f(u) - f(v)| <= `holder` * |u - v|^`beta` in the largest coordinate
/// (Assumption 1). The bound of a cell subtracts `holder` * h^`beta`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pessimism {
    holder: f64,
    beta: f64,
}

const STEPS: f64 = UnitGrid::STEPS as f64;

impl Pessimism {
    /// The Hölder constant (L in Proposition 3) and exponent.
    pub fn new(holder: f64, beta: f64) -> Result<Pessimism, PolicyError> {
        if !(holder >= 0.0 && holder.is_finite()) {
            return Err(PolicyError::Holder(holder));
        }
        if !(beta > 0.0 && beta <= 1.0) {
            return Err(PolicyError::Beta(beta));
        }
        Ok(Pessimism { holder, beta })
    }

    /// The cutoff of Proposition 3: a cell whose noisy mass is below it is masked. Infinite before the first report.
    pub fn cutoff(sums: &Sums) -> f64 {
        let people = sums.reports() as f64;
        if people == 0.0 {
            return f64::INFINITY;
        }
        16.0 / sums.spec().epsilon().value() * (libm::log(people) / people).sqrt()
    }

    /// The lower bound of a cell's mean reward, possibly negative, possibly minus infinity; none where the
    /// cell is masked, where the paper's estimator is 0.
    pub fn lower(&self, sums: &Sums, cell: usize) -> Option<f64> {
        let people = sums.reports() as f64;
        let cutoff = Self::cutoff(sums);
        let mean = |value: i64| value as f64 / STEPS / people;
        let (mass, reward) = (mean(sums.values()[2 * cell]), mean(sums.values()[2 * cell + 1]));
        if people == 0.0 || mass < cutoff {
            return None;
        }
        // At the cutoff itself the radius is infinite, whatever stands before it.
        if mass <= cutoff {
            return Some(f64::NEG_INFINITY);
        }
        let radius = (2.0 * libm::log(2.0 * people) / people / (mass - cutoff)).sqrt();
        let bias = self.holder * libm::pow(sums.spec().bandwidth(), self.beta);
        Some((reward - cutoff) / (mass + cutoff) - radius - bias)
    }
}
