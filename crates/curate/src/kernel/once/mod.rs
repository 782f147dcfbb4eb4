//! `private-kernel-once`: one action for one context under pure epsilon, by permute-and-flip on the same estimate as `private-kernel`.
//!
//! Cheaper than a release if one prediction is all that is wanted: no delta, and the noise of one choice instead of that of a whole function. A second prediction costs a second epsilon.

use faer::Mat;
use reticent_privacy::mechanism::{Mechanism, PermuteAndFlip};
use reticent_privacy::{Epsilon, Generator, Guarantee, Loss, NoiseRng, VectorSum};

use super::release::{Design, ReleaseError, linear_reading};
use super::{Points, Population, Records, Setting};

#[cfg(test)]
mod tests;

/// The noise of a choice at epsilon 1, as Gaussian noise on the sum of contributions would show it: what the estimate is designed for. It decides how good choices are, not how
/// private.
const LIKE_SIGMA: f64 = 4.0;

/// Adds up contributions, then chooses once.
#[derive(Debug)]
pub struct OneChoice {
    design: Design,
    epsilon: Epsilon,
    candidates: Points,
    directions: Vec<Vec<f64>>,
    sum: VectorSum,
    threads: usize,
}

impl OneChoice {
    /// For one context, in the unit cube, and public candidate actions.
    pub fn new(
        setting: &Setting,
        population: &Population,
        people: u64,
        epsilon: Epsilon,
        context: &[f64],
        candidates: Points,
        threads: usize,
    ) -> Result<OneChoice, ReleaseError> {
        if people == 0 {
            return Err(ReleaseError::Nobody);
        }
        let sigma = LIKE_SIGMA / epsilon.value();
        let design = Design::new(setting, population, people, sigma, threads)?;
        let mut points = Points::new(setting.inputs());
        for number in 0..candidates.len() {
            points.push(&[candidates.point(number).as_slice(), context].concat());
        }
        let reading = linear_reading(&design, sigma)?;
        let directions = rows(&design.map().mapped(&points, reading.as_ref()));
        let sum = VectorSum::new(design.rank());
        Ok(OneChoice { design, epsilon, candidates, directions, sum, threads })
    }

    /// Adds records.
    pub fn add(&mut self, records: &Records) -> Result<(), ReleaseError> {
        self.design.add(&mut self.sum, records, self.threads)
    }

    /// Chooses once, with entropy of the operating system, and forgets everything.
    pub fn choose(self) -> Result<Vec<f64>, ReleaseError> {
        let mut rng = NoiseRng::from_os()?;
        self.choose_with(&mut rng)
    }

    /// The same with a given generator, for simulations.
    pub fn choose_with<G: Generator>(self, rng: &mut G) -> Result<Vec<f64>, ReleaseError> {
        let (expected, got) = (self.design.people(), self.sum.records());
        if expected != got {
            return Err(ReleaseError::People { expected, got });
        }
        let scores = self.sum.scores_of_differences(&self.directions)?;
        Ok(self.candidates.point(PermuteAndFlip::new(self.epsilon).release_with(scores, rng)))
    }

    /// What the choice promises.
    pub fn guarantee(&self) -> Guarantee {
        Guarantee::central(
            Loss::Pure { epsilon: self.epsilon },
            "one person's context and reward",
            "logs in which one person's context and reward are replaced; actions are drawn without looking and may be known",
            "crates/curate/src/kernel/once/guarantee.md",
        )
    }
}

fn rows(matrix: &Mat<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}
