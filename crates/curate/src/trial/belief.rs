//! What the published tables tell so far about each arm in each stratum. It sees tables, never a person.

use super::propensity::Propensities;
use super::table::{PLACES, Table, noise_variance};
use super::{TrialSpec, table};

/// Precision-weighted sums of one cell over epochs.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    people: f64,
    mean: f64,
    square: f64,
    precision: f64,
    counted: f64,
}

/// A normal belief about each mean, with the noise counted in.
#[derive(Debug, Clone)]
pub(super) struct Belief {
    arms: usize,
    binary: bool,
    noise: f64,
    seen: f64,
    known: Vec<Known>,
}

/// The belief before any data: mean 1/2 and variance 1/4, as of one coin.
const PRIOR: f64 = 4.0;
/// The variance of an outcome in [0, 1] at most.
pub(super) const LARGEST: f64 = 0.25;
/// The least variance of outcomes that is believed: a cell that looks constant is not.
const LEAST: f64 = 0.005;
/// A stratum's share is shrunk towards the even one by so many people per stratum.
const SHARE_PRIOR: f64 = 20.0;
const LEAST_SHARE: f64 = 1e-4;
/// The noise of a mean's numerator in variances of one count: (1-y)^2 + y^2 + (1/2-y)^2, near the middle of the range.
pub(super) const NOISE_OF_MEAN: f64 = 0.6;

impl Belief {
    pub(super) fn new(spec: &TrialSpec) -> Belief {
        let known = vec![Known::default(); spec.strata() * spec.arms()];
        let noise = noise_variance(spec.epsilon());
        Belief { arms: spec.arms(), binary: spec.draft().outcome.binary, noise, seen: 0.0, known }
    }

    /// Takes in an epoch's table. Weights come from what was known before it, so that they do not depend on its noise.
    pub(super) fn absorb(&mut self, people: f64, propensities: &Propensities, table: &Table) {
        let shares: Vec<f64> = (0..self.strata()).map(|stratum| self.share(stratum)).collect();
        for (stratum, share) in shares.into_iter().enumerate() {
            for arm in 0..self.arms {
                let expected = (people * share * propensities.share(stratum, arm)).max(1e-9);
                self.add(stratum * self.arms + arm, expected, table.cell(stratum * self.arms + arm));
            }
        }
        self.seen += people;
    }

    fn add(&mut self, cell: usize, expected: f64, seen: table::Cell) {
        let weight = expected / (expected * LARGEST + self.noise * NOISE_OF_MEAN);
        let known = &mut self.known[cell];
        let moment = |power: i32| -> f64 {
            seen.counts
                .iter()
                .zip(PLACES)
                .map(|(count, place)| count * libm::pow(place, f64::from(power)))
                .sum()
        };
        known.people += weight * seen.people();
        known.mean += weight * moment(1);
        // The weight of the high end is y^2 itself: see `table`.
        known.square += weight * seen.counts[2];
        known.precision += expected * weight;
        known.counted += seen.people();
    }

    pub(super) fn strata(&self) -> usize {
        self.known.len() / self.arms
    }

    pub(super) fn noise(&self) -> f64 {
        self.noise
    }

    pub(super) fn seen(&self) -> f64 {
        self.seen
    }

    /// A stratum's share of people.
    pub(super) fn share(&self, stratum: usize) -> f64 {
        let counted: f64 = (0..self.arms).map(|arm| self.counted(stratum, arm)).sum();
        let all = SHARE_PRIOR * self.strata() as f64;
        ((counted + SHARE_PRIOR) / (self.seen + all)).clamp(LEAST_SHARE, 1.0)
    }

    /// People counted in a cell, with noise.
    pub(super) fn counted(&self, stratum: usize, arm: usize) -> f64 {
        self.known[stratum * self.arms + arm].counted
    }

    fn shrunk(&self, stratum: usize, arm: usize) -> (Known, f64) {
        let known = self.known[stratum * self.arms + arm];
        (known, (known.people + PRIOR).max(PRIOR / 2.0))
    }

    /// The mean outcome in [0, 1].
    pub(super) fn mean(&self, stratum: usize, arm: usize) -> f64 {
        let (known, people) = self.shrunk(stratum, arm);
        ((known.mean + PRIOR / 2.0) / people).clamp(0.001, 0.999)
    }

    /// The variance of one outcome. Where the mean is uncertain the larger variance near it is taken: a small
    /// one by chance would make intervals too short.
    pub(super) fn spread(&self, stratum: usize, arm: usize) -> f64 {
        let (known, people) = self.shrunk(stratum, arm);
        let mean = self.mean(stratum, arm);
        if self.binary {
            let doubt = 1.0 / (known.precision + PRIOR).sqrt();
            let nearer = if mean > 0.5 { (mean - doubt).max(0.5) } else { (mean + doubt).min(0.5) };
            return (nearer * (1.0 - nearer)).max(LEAST);
        }
        let square = (known.square + PRIOR * (0.25 + LARGEST / 2.0)) / people;
        (square - mean * mean).clamp(LEAST, mean * (1.0 - mean) + LEAST)
    }

    /// The variance of the belief about the mean.
    pub(super) fn variance(&self, stratum: usize, arm: usize) -> f64 {
        let precision = self.known[stratum * self.arms + arm].precision + PRIOR;
        self.spread(stratum, arm) / LARGEST / precision
    }
}
