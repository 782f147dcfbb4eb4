//! Gaussian noise for a sum of vectors in a ball.

use super::{Mechanism, cut};
use crate::exact::{DiscreteGaussian, VarianceError};
use crate::{Generator, Guarantee, Loss, Neighbours, Rho, VectorSum};

/// A curator's sum of vectors, in steps, plus discrete Gaussian noise on each entry with sigma^2 =
/// sensitivity^2 / (2 rho), where the sensitivity is the Euclidean length of the largest change. To spend a
/// given (epsilon, delta), use [`Rho::within`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorGaussian {
    rho: Rho,
    neighbours: Neighbours,
    noise: DiscreteGaussian,
}

impl VectorGaussian {
    /// The mechanism at loss `rho`; an error if rho is so small that the noise is too large to draw.
    pub fn new(rho: Rho, neighbours: Neighbours) -> Result<VectorGaussian, VarianceError> {
        let square = u128::from(VectorSum::sensitivity(neighbours).get()).pow(2);
        // sigma^2 = D^2 10^15 / (2 rho in femto): with D <= 2^25 the numerator is below 2^100.
        let noise = DiscreteGaussian::new(square * 500_000_000_000_000, rho.femto_nonzero())?;
        Ok(VectorGaussian { rho, neighbours, noise })
    }

    /// The noise's standard deviation on each entry, for vectors of length one.
    pub fn sigma(&self) -> f64 {
        let sensitivity = VectorSum::sensitivity(self.neighbours).get() as f64 / f64::from(VectorSum::RADIUS);
        sensitivity / (2.0 * self.rho.value()).sqrt()
    }
}

impl Mechanism for VectorGaussian {
    type Input = VectorSum;
    type Output = Vec<i64>;

    fn guarantee(&self) -> Guarantee {
        Guarantee::central(
            Loss::Concentrated { rho: self.rho },
            "one record",
            self.neighbours.words(),
            "crates/privacy/src/mechanism/vector_gaussian/guarantee.md",
        )
    }

    /// The noisy sum in steps of 1 / [`VectorSum::RADIUS`].
    fn release_with<G: Generator>(&self, sum: VectorSum, rng: &mut G) -> Vec<i64> {
        sum.steps().iter().map(|&step| cut(self.noise.sample(rng) + i128::from(step))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use crate::testing::{LEVEL, chi_square_p, seed};

    #[test]
    fn each_entry_has_noise_of_its_own_of_the_stated_size() {
        let mechanism = VectorGaussian::new(Rho::new(0.5).unwrap(), Neighbours::Replace).unwrap();
        assert!((mechanism.sigma() - 2.0).abs() < 1e-12, "rho = 1/2 and a change of length 2");
        let mut sum = VectorSum::new(2);
        sum.add(&[0.5, -0.5]).unwrap();
        let mut rng = seed().stream(620, Stream::Noise);
        // The sum and the difference of two independent Gaussians are again Gaussians, sqrt 2 as wide.
        let mut octiles = |sigma: f64, sign: f64| {
            let mut counts = [0_u64; 8];
            for _ in 0..100_000 {
                let noisy = mechanism.release_with(sum.clone(), &mut rng);
                let [x, y] = [noisy[0], noisy[1]].map(|step| step as f64 / f64::from(VectorSum::RADIUS));
                let z = (x - 0.5 + sign * (y + 0.5)) / (sigma * core::f64::consts::SQRT_2);
                counts[((0.5 * libm::erfc(-z / core::f64::consts::SQRT_2) * 8.0) as usize).min(7)] += 1;
            }
            chi_square_p(&counts, &[0.125; 8])
        };
        assert!(octiles(2.0, 1.0) > LEVEL && octiles(2.0, -1.0) > LEVEL);
        assert!(octiles(2.1, 1.0) < LEVEL, "the test sees five per cent");
    }

    #[test]
    fn noise_that_cannot_be_drawn_is_refused() {
        assert!(VectorGaussian::new(Rho::new(1e-15).unwrap(), Neighbours::Replace).is_err());
    }
}
