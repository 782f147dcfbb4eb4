//! `private-kernel-once`: one action for one context under pure epsilon, by permute-and-flip on the same
//! estimate as `private-kernel`.
//!
//! For who may not spend a delta, or needs one prediction alone. A second prediction costs a second epsilon:
//! for more than a few, release the function.

use faer::Mat;
use reticent_privacy::mechanism::{Mechanism, PermuteAndFlip};
use reticent_privacy::{Epsilon, Generator, Guarantee, Loss, Noise, VectorSum};

use super::release::{Design, ReleaseError, linear_reading};
use super::{KernelSpec, Points, Population, Records};

#[cfg(test)]
mod tests;

/// The noise of a choice at epsilon 1, as Gaussian noise on the sum of contributions would show it: what the
/// estimate is designed for. It decides how good choices are, not how private.
const LIKE_SIGMA: f64 = 4.0;

/// Adds up contributions, then chooses; each choice is paid for.
///
/// It cannot be cloned: a clone would choose again without the count of choices knowing, and two choices
/// would look as if they cost one.
///
/// ```compile_fail
/// fn twice<T: Clone>() {}
/// twice::<reticent_curate::kernel::Chooser>();
/// ```
/// ```
/// fn once<T: std::fmt::Debug>() {}
/// once::<reticent_curate::kernel::Chooser>(); // it is the `Clone` above that does not compile
/// ```
#[derive(Debug)]
pub struct Chooser {
    design: Design,
    epsilon: Epsilon,
    candidates: Points,
    /// k(w, P) times this are the coefficients with which the estimate at w is read from the sum.
    reading: Mat<f64>,
    sum: VectorSum,
    choices: u64,
    /// Where the noise of the choices so far came from.
    noise: Noise,
    threads: usize,
}

impl Chooser {
    /// For public candidate actions, in the unit cube.
    pub fn new(
        setting: &KernelSpec,
        population: &Population,
        people: u64,
        epsilon: Epsilon,
        candidates: Points,
        threads: usize,
    ) -> Result<Chooser, ReleaseError> {
        if people == 0 {
            return Err(ReleaseError::Nobody);
        }
        let design = Design::new(setting, population, people, Chooser::like_sigma(epsilon), threads)?;
        Chooser::of_design(design, epsilon, candidates, threads)
    }

    /// The noise that a design for choices is made for.
    pub fn like_sigma(epsilon: Epsilon) -> f64 {
        LIKE_SIGMA / epsilon.value()
    }

    /// Under a design that was made before.
    pub fn of_design(
        design: Design,
        epsilon: Epsilon,
        candidates: Points,
        threads: usize,
    ) -> Result<Chooser, ReleaseError> {
        let sigma = Chooser::like_sigma(epsilon);
        let reading = linear_reading(&design, sigma)?;
        let sum = VectorSum::new(design.rank());
        Ok(Chooser { design, epsilon, candidates, reading, sum, choices: 0, noise: Noise::NotDrawn, threads })
    }

    /// Another one with the same public design, which has seen nobody and chosen nothing.
    #[must_use]
    pub fn fresh(&self) -> Chooser {
        Chooser {
            design: self.design.clone(),
            epsilon: self.epsilon,
            candidates: self.candidates.clone(),
            reading: self.reading.clone(),
            sum: VectorSum::new(self.design.rank()),
            choices: 0,
            noise: Noise::NotDrawn,
            threads: self.threads,
        }
    }

    /// Adds records.
    pub fn add(&mut self, records: &Records) -> Result<(), ReleaseError> {
        self.design.add(&mut self.sum, records, self.threads)
    }

    /// One action for one context in the unit cube. Every call costs epsilon.
    pub fn choose<G: Generator>(&mut self, context: &[f64], rng: &mut G) -> Result<Vec<f64>, ReleaseError> {
        let (expected, got) = (self.design.people(), self.sum.records());
        if expected != got {
            return Err(ReleaseError::People { expected, got });
        }
        let mut points = Points::new(self.design.setting().inputs());
        for number in 0..self.candidates.len() {
            points.push(&[self.candidates.point(number).as_slice(), context].concat());
        }
        let directions = self.design.map().mapped(&points, self.reading.as_ref());
        let directions: Vec<Vec<f64>> =
            directions.row_iter().map(|row| row.iter().copied().collect()).collect();
        let scores = self.sum.scores_of_differences(&directions)?;
        self.choices += 1;
        self.noise = self.noise.and(G::PROVENANCE.into());
        Ok(self.candidates.point(PermuteAndFlip::new(self.epsilon).release_with(scores, rng)))
    }

    /// What all choices so far promise together: nothing, if the noise of one came from a seed. Before the
    /// first, what it will promise with noise from the operating system.
    pub fn guarantee(&self) -> Guarantee {
        one_choice(self.epsilon, self.choices.max(1)).made_with(self.noise)
    }
}

/// What this many choices promise together, with noise from the operating system.
pub fn one_choice(epsilon: Epsilon, choices: u64) -> Guarantee {
    let all = Epsilon::from_nano(epsilon.nano().saturating_mul(choices));
    Guarantee::central(
        all.map_or(Loss::Unbounded, |epsilon| Loss::Pure { epsilon }),
        "one person's context and reward",
        "logs in which one person's context and reward are replaced; actions are drawn without looking and may be known",
        "crates/curate/src/kernel/once/guarantee.md",
    )
}
