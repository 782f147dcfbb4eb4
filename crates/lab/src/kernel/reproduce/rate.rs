//! The theorem's rate, with the gain computed for the kernel at hand.

use super::problem::Problem;
use crate::kernel::{MethodError, Spectrum};
use crate::reproduce::ReproduceError;
use crate::runner::LabError;

/// `gamma_T` for each number of people.
#[derive(Debug)]
pub(super) struct Rate(Vec<(f64, f64)>);

impl Rate {
    pub(super) fn of(problem: &Problem, people: &[u64]) -> Result<Rate, ReproduceError> {
        let setting = problem.setting(1, None);
        let spectrum = Spectrum::of(&setting.kernel, setting.rank)
            .map_err(|error| LabError::from(MethodError::from(error)))?;
        let gain = |&people: &u64| (people as f64, spectrum.gain(people as f64, setting.tau));
        Ok(Rate(people.iter().map(gain).collect()))
    }

    /// The gain.
    pub(super) fn gains(&self) -> &[(f64, f64)] {
        &self.0
    }

    /// What learning costs: sqrt(gamma / T).
    pub(super) fn learning(&self) -> Vec<(f64, f64)> {
        self.0.iter().map(|&(people, gain)| (people, (gain / people).sqrt())).collect()
    }

    /// What privacy adds: gamma / (T epsilon).
    pub(super) fn privacy(&self, epsilon: f64) -> Vec<(f64, f64)> {
        self.0.iter().map(|&(people, gain)| (people, gain / (people * epsilon))).collect()
    }
}
