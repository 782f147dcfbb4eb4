//! Laplace noise for a sum of clipped values.

use std::num::NonZeroU64;

use super::Mechanism;
use crate::exact::DiscreteLaplace;
use crate::{ClippedSum, Epsilon, Generator, Guarantee, Loss, Neighbours};

/// A curator's sum, in grid steps, plus discrete Laplace noise of scale sensitivity / epsilon.
///
/// The sensitivity is read off the sum itself: it cannot be stated wrongly.
///
/// ```
/// use reticent_privacy::mechanism::{GridLaplace, Mechanism};
/// use reticent_privacy::{ClippedSum, Epsilon, Grid, Neighbours};
/// let grid = Grid::new(0.0, 120.0, 1.0)?;
/// let mut ages = ClippedSum::new(grid);
/// for age in [31.0, 64.0, 22.0] {
///     ages.add(grid.clip(age)?)?;
/// }
/// let noisy = GridLaplace::new(Epsilon::new(1.0)?, Neighbours::Replace).release(ages)?;
/// println!("about {}", grid.value(noisy));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridLaplace {
    epsilon: Epsilon,
    neighbours: Neighbours,
}

impl GridLaplace {
    /// The mechanism at loss `epsilon`.
    pub fn new(epsilon: Epsilon, neighbours: Neighbours) -> GridLaplace {
        GridLaplace { epsilon, neighbours }
    }

    /// The noise for a sum of this sensitivity. At most 2^33 steps times 10^9: below 2^64.
    fn noise(&self, sensitivity: u64) -> DiscreteLaplace {
        let nano_steps =
            NonZeroU64::new(sensitivity.saturating_mul(1_000_000_000)).unwrap_or(NonZeroU64::MIN);
        DiscreteLaplace::new(nano_steps, self.epsilon.nano_nonzero())
    }
}

impl Mechanism for GridLaplace {
    type Input = ClippedSum;
    type Output = i64;

    fn guarantee(&self) -> Guarantee {
        Guarantee::central(
            Loss::Pure { epsilon: self.epsilon },
            "one record",
            self.neighbours.words(),
            "crates/privacy/src/mechanism/grid_laplace/guarantee.md",
        )
    }

    /// The noisy sum in grid steps.
    fn release_with<G: Generator>(&self, sum: ClippedSum, rng: &mut G) -> i64 {
        let noise = self.noise(sum.sensitivity(self.neighbours)).sample(rng);
        noise.saturating_add(sum.steps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{LEVEL, chi_square_p, seed};
    use crate::{Grid, Stream};

    #[test]
    fn the_noise_has_the_scale_of_the_sensitivity() {
        // Width 4, reach 3: the two kinds of neighbours need different noise.
        let grid = Grid::new(-1.0, 3.0, 1.0).unwrap();
        for (neighbours, scale, other) in [(Neighbours::Replace, 4.0, 3.0), (Neighbours::AddRemove, 3.0, 4.0)]
        {
            let mechanism = GridLaplace::new(Epsilon::new(0.5).unwrap(), neighbours);
            let mut sum = ClippedSum::new(grid);
            sum.add(grid.clip(2.0).unwrap()).unwrap();
            let mut rng = seed().stream(600, Stream::Noise);
            let mut counts = vec![0_u64; 31];
            for _ in 0..200_000 {
                counts
                    [(mechanism.release_with(sum, &mut rng) - 2).clamp(-15, 15).wrapping_add(15) as usize] +=
                    1;
            }
            assert!(chi_square_p(&counts, &law(scale / 0.5)) > LEVEL);
            assert!(chi_square_p(&counts, &law(other / 0.5)) < LEVEL, "the test sees the other scale");
        }
    }

    fn law(scale: f64) -> Vec<f64> {
        let theta = libm::exp(-1.0 / scale);
        let point = |x: i64| (1.0 - theta) / (1.0 + theta) * libm::pow(theta, x.unsigned_abs() as f64);
        (-15..=15).map(|x: i64| if x.abs() == 15 { point(x) / (1.0 - theta) } else { point(x) }).collect()
    }

    #[test]
    fn a_sum_at_the_end_of_the_integers_does_not_overflow() {
        let grid = Grid::new(0.0, 4_294_967_296.0, 1.0).unwrap();
        let mechanism = GridLaplace::new(Epsilon::MIN, Neighbours::Replace);
        let mut rng = seed().stream(601, Stream::Noise);
        let sum = ClippedSum::of(grid, grid.clip(1e300).unwrap());
        for _ in 0..100 {
            let _ = mechanism.release_with(sum, &mut rng);
        }
    }
}
