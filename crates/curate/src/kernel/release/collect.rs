//! From records to a release: the one place here that sees people.

use reticent_privacy::mechanism::{Mechanism, VectorGaussian};
use reticent_privacy::{
    Delta, EntropyError, Epsilon, Generator, Neighbours, NoiseRng, Rho, VectorError, VectorSum,
};

use super::{Release, Sketch};
use crate::kernel::algebra::Singular;
use crate::kernel::{KernelSpec, Population, Records};

/// Why nothing can be released.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReleaseError {
    /// No noise can be drawn.
    #[error(
        "no noise that is large enough for epsilon {epsilon} and delta {delta} can be drawn; use larger ones"
    )]
    Loss {
        /// The epsilon.
        epsilon: Epsilon,
        /// The delta.
        delta: Delta,
    },
    /// Another number of records than was stated.
    #[error(
        "the release is for {expected} people and {got} came; the number is public and must be stated beforehand"
    )]
    People {
        /// What was stated.
        expected: u64,
        /// What came.
        got: u64,
    },
    /// Nobody.
    #[error("there are no records to learn from")]
    Nobody,
    /// The feature map failed.
    #[error(transparent)]
    Singular(#[from] Singular),
    /// A sum failed.
    #[error(transparent)]
    Vector(#[from] VectorError),
    /// The operating system gave no entropy.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

/// How much may leak, and the noise that follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReleaseLoss {
    pub(super) epsilon: Epsilon,
    pub(super) delta: Delta,
    pub(super) mechanism: VectorGaussian,
}

impl ReleaseLoss {
    /// The largest concentrated loss within (epsilon, delta).
    pub fn new(epsilon: Epsilon, delta: Delta) -> Result<ReleaseLoss, ReleaseError> {
        let none = ReleaseError::Loss { epsilon, delta };
        let Some(rho) = Rho::within(epsilon, delta) else { return Err(none) };
        let mechanism = VectorGaussian::new(rho, Neighbours::Replace).map_err(|_| none)?;
        Ok(ReleaseLoss { epsilon, delta, mechanism })
    }

    /// The noise's standard deviation on each number of a sum of contributions.
    pub fn sigma(&self) -> f64 {
        self.mechanism.sigma()
    }
}

/// Adds up contributions, then releases their noisy sum once.
#[derive(Debug)]
pub struct Collector {
    sketch: Sketch,
    budget: ReleaseLoss,
    sum: VectorSum,
    threads: usize,
}

impl Collector {
    /// Nobody yet.
    pub fn new(
        setting: &KernelSpec,
        population: &Population,
        people: u64,
        budget: ReleaseLoss,
        threads: usize,
    ) -> Result<Collector, ReleaseError> {
        if people == 0 {
            return Err(ReleaseError::Nobody);
        }
        let sketch = Sketch::new(setting, population, people, budget.sigma());
        Ok(Collector::of_sketch(sketch, budget, threads))
    }

    /// Nobody yet, under a sketch that was made before for this budget.
    pub fn of_sketch(sketch: Sketch, budget: ReleaseLoss, threads: usize) -> Collector {
        let sum = VectorSum::new(sketch.rank());
        Collector { sketch, budget, sum, threads }
    }

    /// Adds records. Memory does not grow with their number.
    pub fn add(&mut self, records: &Records) -> Result<(), ReleaseError> {
        self.sketch.add(&mut self.sum, records, self.threads)
    }

    /// Draws the noise once, from the operating system, and forgets the raw sum.
    pub fn release(self) -> Result<Release, ReleaseError> {
        let mut rng = NoiseRng::from_os()?;
        self.release_with(&mut rng)
    }

    /// The same with a given generator: what a seeded one gives is marked as not private.
    pub fn release_with<G: Generator>(self, rng: &mut G) -> Result<Release, ReleaseError> {
        let (expected, got) = (self.sketch.people(), self.sum.records());
        if expected != got {
            return Err(ReleaseError::People { expected, got });
        }
        let noisy = self.budget.mechanism.release_with(self.sum, rng);
        Ok(Release::new(&self.sketch, &self.budget, noisy, G::PROVENANCE))
    }
}
