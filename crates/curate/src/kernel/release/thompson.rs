//! Functions drawn from what a release leaves possible: post-processing, so it is free.

use faer::Mat;

use super::Surface;
use crate::kernel::algebra;

impl Surface {
    /// A function drawn from the posterior, given as many standard normal numbers as `normals` is asked for.
    #[must_use]
    pub fn drawn(&self, mut normals: impl FnMut() -> f64) -> Surface {
        let turned = Mat::from_fn(self.factor.ncols(), 1, |_, _| normals());
        let mut out = self.clone();
        algebra::add_product(out.weights.as_mut(), self.factor.as_ref(), turned.as_ref());
        out
    }
}

#[cfg(test)]
mod tests {
    use reticent_privacy::{Delta, Epsilon, SimSeed, Stream};

    use super::*;
    use crate::kernel::release::{Collector, ReleaseLoss};
    use crate::kernel::tests::made::{records, ridge, setting};
    use crate::kernel::{Points, Population};

    #[test]
    fn functions_are_drawn_around_the_mean_as_far_apart_as_the_band_says() {
        let budget = ReleaseLoss::new(Epsilon::new(4.0).unwrap(), Delta::new(1e-6).unwrap()).unwrap();
        let mut collector = Collector::new(&setting(), &Population::Uniform, 2000, budget, 1).unwrap();
        collector.add(&records(2000, 2, 0.1, 1, ridge)).unwrap();
        let mut rng = SimSeed(1).stream(0, Stream::Noise);
        let surface = Surface::read(&collector.release_with(&mut rng).unwrap(), 1).unwrap();
        let at = Points::halton(0..20, 2);
        let count = 400;
        let drawn: Vec<Vec<f64>> = (0..count).map(|_| surface.drawn(|| rng.normal()).means(&at)).collect();
        let (told, means) = (surface.at(&at), surface.means(&at));
        for (place, mean) in means.into_iter().enumerate() {
            let square: f64 = drawn.iter().map(|one| (one[place] - mean).powi(2)).sum();
            let ratio = (square / f64::from(count)).sqrt() / told[place].deviation;
            // What no wave carries is in the band alone; 400 draws have 7 % of chance at two deviations.
            assert!((0.5..1.15).contains(&ratio), "{place}: {ratio}");
        }
    }
}
