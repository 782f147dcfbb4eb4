//! Laplace noise for a sum of clipped values.

use std::num::NonZeroU64;

use super::{Mechanism, cut};
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

const NANO: NonZeroU64 = NonZeroU64::new(1_000_000_000).expect("a positive constant");

impl GridLaplace {
    /// The mechanism at loss `epsilon`.
    pub fn new(epsilon: Epsilon, neighbours: Neighbours) -> GridLaplace {
        GridLaplace { epsilon, neighbours }
    }

    /// The noise for a sum of this sensitivity. At most 2^33 steps times 10^9: below 2^64.
    fn noise(&self, sensitivity: NonZeroU64) -> DiscreteLaplace {
        DiscreteLaplace::new(sensitivity.saturating_mul(NANO), self.epsilon.nano_nonzero())
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
        cut(self.noise(sum.sensitivity(self.neighbours)).sample(rng) + i128::from(sum.steps()))
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

    /// With noise so wide that the cut matters, outputs at the ends must not depend on the sum.
    #[test]
    fn the_sum_is_cut_and_not_the_noise() {
        let grid = Grid::new(-4_294_967_296.0, 4_294_967_296.0, 1.0).unwrap();
        let mechanism = GridLaplace::new(Epsilon::MIN, Neighbours::Replace);
        let ends = |value: f64| {
            let sum = ClippedSum::of(grid, grid.clip(value).unwrap());
            let mut rng = seed().stream(601, Stream::Noise);
            let answers: Vec<i64> = (0..2000).map(|_| mechanism.release_with(sum, &mut rng)).collect();
            // Beyond a value's reach from the ends nothing but the ends themselves may occur.
            let near = |x: &&i64| x.unsigned_abs() > i64::MAX.unsigned_abs() - 10_000;
            answers.iter().filter(near).copied().collect::<Vec<_>>()
        };
        for value in [5.0, 7000.0, -7000.0] {
            let ends = ends(value);
            assert!(ends.len() > 100, "the noise is not wide enough for this test");
            assert!(ends.iter().all(|&x| x == i64::MAX || x == i64::MIN), "an end tells the value");
        }
    }
}
