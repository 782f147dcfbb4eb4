//! From released sums to an estimate: post-processing.

use core::f64::consts::SQRT_2;

use faer::MatRef;

use super::super::ridge::{Ridge, Sums};
use super::{DubeySpec, FourierMap, statistic};
use reticent_curate::kernel::{Points, Singular};

/// A released estimate of the reward function. Everybody may see it.
pub struct Estimate {
    map: FourierMap,
    ridge: Ridge,
    /// G~ and u~.
    released: Sums,
    shift: f64,
    width: f64,
}

impl Estimate {
    /// From a noisy sum of records' vectors with noise of standard deviation `sigma` on each number, of
    /// `people` people.
    pub(super) fn new(
        map: &FourierMap,
        prefix: &[f64],
        sigma: f64,
        people: usize,
        spec: &DubeySpec,
    ) -> Result<Estimate, Singular> {
        let released = statistic::sums(prefix, map.rank());
        let bound = noise_bound(map.rank(), sigma, spec.failure);
        let mut shift = spec.tau + bound;
        let ridge = loop {
            match Ridge::new(&released, shift) {
                Ok(ridge) => break ridge,
                // The bound failed: what was released may be treated in any way.
                Err(_) if shift < f64::MAX / 4.0 => shift *= 2.0,
                Err(singular) => return Err(singular),
            }
        };
        let width = spec.factor * width(map.rank(), sigma, bound, people, spec);
        Ok(Estimate { map: map.clone(), ridge, released, shift, width })
    }

    /// The estimated reward at each point.
    pub fn values(&self, points: &Points) -> Vec<f64> {
        self.ridge.values(self.map.rows(points).as_ref())
    }

    /// Upper confidence bounds: the estimate plus the width times sqrt(phi' (G~ + lambda I)^-1 phi).
    pub fn bounds(&self, points: &Points) -> Vec<f64> {
        let rows = self.map.rows(points);
        let spreads = self.ridge.spreads(rows.as_ref());
        let values = self.ridge.values(rows.as_ref());
        values.iter().zip(spreads).map(|(value, spread)| value + self.width * spread.sqrt()).collect()
    }

    /// lambda: the ridge and the public constant that outweighs the noise.
    pub fn shift(&self) -> f64 {
        self.shift
    }

    /// What the confidence bounds' spread is multiplied by.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The released sums: G~, of which the lower triangle is filled, and u~ as a column.
    pub fn released(&self) -> (MatRef<'_, f64>, MatRef<'_, f64>) {
        (self.released.gram.as_ref(), self.released.moment.as_ref())
    }
}

/// sqrt(2 ln(1/failure)): a Lipschitz function of Gaussian numbers is no further above its mean.
fn excess(failure: f64) -> f64 {
    (-2.0 * libm::log(failure)).sqrt()
}

/// A bound on the noise of G that fails with no more than that probability. Off its diagonal the noise has
/// standard deviation `sigma` and on it sqrt 2 times that, so its largest eigenvalue has a mean of at most 2
/// sigma sqrt(rank) and is sqrt 2 sigma-Lipschitz (Davidson and Szarek 2001).
pub(super) fn noise_bound(rank: usize, sigma: f64, failure: f64) -> f64 {
    sigma * (2.0 * (rank as f64).sqrt() + SQRT_2 * excess(failure))
}

/// The width of Shariff and Sheffet 2018, section 3, for rewards in [-1, 1] (noise of at most 1, norm of at
/// most 1): that of the rewards' noise, of the ridge, and of the noise of u, whose length is at most sqrt 2
/// sigma (sqrt(rank) + excess).
fn width(rank: usize, sigma: f64, bound: f64, people: usize, spec: &DubeySpec) -> f64 {
    let (least, most) = (spec.tau, spec.tau + 2.0 * bound);
    let rank = rank as f64;
    let volume = rank * libm::log(most / least + people as f64 / (rank * least));
    let rewards = (2.0 * libm::log(2.0 / spec.failure) + volume).sqrt();
    let moment = SQRT_2 * sigma * (rank.sqrt() + excess(spec.failure));
    rewards + most.sqrt() + moment / least.sqrt()
}
