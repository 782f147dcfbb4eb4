//! Gaussian noise for a sum of clipped values.

use std::num::NonZeroU64;

use super::{Mechanism, cut};
use crate::exact::DiscreteGaussian;
use crate::{ClippedSum, Generator, Guarantee, Loss, Neighbours, Rho};

/// A curator's sum, in grid steps, plus discrete Gaussian noise with sigma^2 = sensitivity^2 / (2 rho).
///
/// To spend a given (epsilon, delta), use [`Rho::within`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridGaussian {
    rho: Rho,
    neighbours: Neighbours,
}

impl GridGaussian {
    /// The mechanism at loss `rho`.
    pub fn new(rho: Rho, neighbours: Neighbours) -> GridGaussian {
        GridGaussian { rho, neighbours }
    }

    /// sigma^2 = D^2 10^15 / (2 rho in femto). With D <= 2^33 the numerator is below 2^116; where the
    /// variance would exceed 2^80, `None`.
    fn noise(&self, sensitivity: NonZeroU64) -> Option<DiscreteGaussian> {
        let square = u128::from(sensitivity.get()) * u128::from(sensitivity.get());
        DiscreteGaussian::new(square * 500_000_000_000_000, self.rho.femto_nonzero()).ok()
    }
}

impl Mechanism for GridGaussian {
    type Input = ClippedSum;
    /// `None` if the grid is too fine for this rho: no noise was drawn and nothing about the sum is said.
    type Output = Option<i64>;

    fn guarantee(&self) -> Guarantee {
        Guarantee::central(
            Loss::Concentrated { rho: self.rho },
            "one record",
            self.neighbours.words(),
            "crates/privacy/src/mechanism/grid_gaussian/guarantee.md",
        )
    }

    /// The noisy sum in grid steps.
    fn release_with<G: Generator>(&self, sum: ClippedSum, rng: &mut G) -> Option<i64> {
        let noise = self.noise(sum.sensitivity(self.neighbours))?.sample(rng);
        Some(cut(noise + i128::from(sum.steps())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{LEVEL, chi_square_p, seed};
    use crate::{Grid, Stream};

    #[test]
    fn the_noise_has_the_variance_of_the_loss() {
        let grid = Grid::new(0.0, 1.0, 0.001).unwrap();
        let mechanism = GridGaussian::new(Rho::new(0.5).unwrap(), Neighbours::Replace);
        let sum = ClippedSum::of(grid, grid.clip(0.25).unwrap());
        let mut rng = seed().stream(610, Stream::Noise);
        let mut octiles = |sigma: f64| {
            let mut counts = [0_u64; 8];
            for _ in 0..200_000 {
                let z = (mechanism.release_with(sum, &mut rng).unwrap() - 250) as f64 / sigma;
                counts[((0.5 * libm::erfc(-z / core::f64::consts::SQRT_2) * 8.0) as usize).min(7)] += 1;
            }
            chi_square_p(&counts, &[0.125; 8])
        };
        // rho = 1/2 and sensitivity 1000: sigma is 1000.
        assert!(octiles(1000.0) > LEVEL);
        assert!(octiles(1050.0) < LEVEL, "the test sees five per cent");
    }

    #[test]
    fn too_fine_a_grid_is_refused() {
        let grid = Grid::new(0.0, 4_294_967_296.0, 1.0).unwrap();
        let mechanism = GridGaussian::new(Rho::new(1e-15).unwrap(), Neighbours::Replace);
        let mut rng = seed().stream(611, Stream::Noise);
        assert_eq!(mechanism.release_with(ClippedSum::new(grid), &mut rng), None);
    }
}
