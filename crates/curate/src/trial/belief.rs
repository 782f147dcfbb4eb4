//! What the published tables tell so far about each arm in each stratum. It sees tables, never a person.

use super::table::{Cell, PLACES, noise_variance};
use super::{Release, Schedule, TrialSpec};

/// Weighted sums of one cell over epochs.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    people: f64,
    mean: f64,
    square: f64,
    /// Of the weights times expected people: what `people` is without noise and chance.
    expected: f64,
    /// Of squared weights times expected people: the part of an outcome's variance in the mean's numerator.
    of_outcomes: f64,
    /// Of squared weights times the variance of a count's noise.
    of_noise: f64,
    counted: f64,
    missing: f64,
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

/// The belief before any data: mean 1/2 and variance 1/4, as of one coin, whose weight is 4.
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

    /// After all tables of closed epochs.
    pub(super) fn of(release: &Release, schedule: &Schedule) -> Belief {
        let mut belief = Belief::new(release.spec());
        for epoch in 0..release.tables().len() {
            belief.absorb(release, schedule, epoch, false);
        }
        belief
    }

    /// Takes in an epoch's table, with its late outcomes or without. Weights come from what was known before
    /// it, so that they do not depend on its noise.
    pub(super) fn absorb(&mut self, release: &Release, schedule: &Schedule, epoch: usize, late: bool) {
        let (spec, chances) = (release.spec(), &release.propensities()[epoch]);
        let people = release.length(schedule, epoch);
        let shares: Vec<f64> = (0..self.strata()).map(|stratum| self.share(stratum)).collect();
        for (stratum, share) in shares.into_iter().enumerate() {
            for arm in 0..self.arms {
                let chance = chances.share(stratum, arm) * spec.observed(stratum, arm);
                let cell = stratum * self.arms + arm;
                let (seen, tables) = release.cell(epoch, cell, late);
                self.add(cell, (people * share * chance).max(1e-9), seen, tables);
            }
        }
        self.seen += people;
    }

    fn add(&mut self, cell: usize, expected: f64, seen: Cell, tables: f64) {
        let noise = tables * self.noise;
        let weight = expected / (expected * LARGEST + noise * NOISE_OF_MEAN);
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
        known.expected += expected * weight;
        known.of_outcomes += expected * weight * weight;
        known.of_noise += noise * weight * weight;
        known.counted += seen.people();
        known.missing += seen.missing;
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

    /// A stratum's share of people, with or without an outcome.
    pub(super) fn share(&self, stratum: usize) -> f64 {
        let cells = &self.known[stratum * self.arms..][..self.arms];
        let met: f64 = cells.iter().map(|known| known.counted + known.missing).sum();
        let all = SHARE_PRIOR * self.strata() as f64;
        ((met + SHARE_PRIOR) / (self.seen + all)).clamp(LEAST_SHARE, 1.0)
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
            let doubt = known.variance(LARGEST, NOISE_OF_MEAN).sqrt();
            let nearer = if mean > 0.5 { (mean - doubt).max(0.5) } else { (mean + doubt).min(0.5) };
            return (nearer * (1.0 - nearer)).max(LEAST);
        }
        let square = (known.square + PRIOR * (0.25 + LARGEST / 2.0)) / people;
        (square - mean * mean).clamp(LEAST, mean * (1.0 - mean) + LEAST)
    }

    /// The variance of the belief about the mean: of outcomes, and of the noise, which does not shrink with
    /// the outcomes' spread.
    pub(super) fn variance(&self, stratum: usize, arm: usize) -> f64 {
        let mean = self.mean(stratum, arm);
        let places = PLACES.into_iter().filter(|&place| !(self.binary && place == 0.5));
        let of_noise: f64 = places.map(|place| (place - mean) * (place - mean)).sum();
        self.known[stratum * self.arms + arm].variance(self.spread(stratum, arm), of_noise)
    }
}

impl Known {
    /// The variance of the mean, if outcomes have this variance and the noise of a count counts so much.
    fn variance(&self, of_one: f64, of_noise: f64) -> f64 {
        let numerator = (self.of_outcomes + PRIOR * PRIOR) * of_one + self.of_noise * of_noise;
        let people = self.expected + PRIOR;
        (numerator / (people * people)).min(1.0)
    }
}
