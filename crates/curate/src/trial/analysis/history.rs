//! The trial told again from its release: what was known before each epoch, and what the epoch could be
//! expected to tell.

use super::super::allocation::outlook;
use super::super::belief::{Belief, NOISE_OF_MEAN};
use super::super::table::noise_variance;
use super::super::{Release, Schedule};

/// Expected information: of an epoch, and of all after it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Expected {
    pub(super) now: f64,
    pub(super) later: f64,
}

/// What was expected of one stratum before an epoch, for each arm: of its mean, and of its effect against the control.
#[derive(Debug, Clone)]
pub(super) struct Prospect {
    pub(super) people: f64,
    pub(super) mean: Vec<Expected>,
    pub(super) augmented: Vec<Expected>,
    pub(super) inverse: Vec<Expected>,
}

/// One epoch, before its table was known.
#[derive(Debug)]
pub(super) struct Epoch {
    /// Means of each cell from the tables before: what the augmented estimator subtracts.
    pub(super) references: Vec<f64>,
    pub(super) prospects: Vec<Prospect>,
}

#[derive(Debug)]
pub(super) struct History {
    pub(super) epochs: Vec<Epoch>,
    /// After the last table, late outcomes included.
    pub(super) belief: Belief,
    /// Of each cell: the share of people whose outcome came.
    pub(super) kept: Vec<f64>,
}

/// A stratum's share of outcomes is shrunk to its arm's by so many people, and so many deviations of noise.
const KEPT_PRIOR: f64 = 50.0;
const KEPT_NOISE: f64 = 4.0;

/// Shares of people whose outcome came, by arm and stratum, from the published counts: arms from which more
/// people are lost are seen less often than they were given.
fn kept(release: &Release) -> Vec<f64> {
    let (strata, arms) = (release.spec().strata(), release.spec().arms());
    let tables = || release.tables().iter().chain(release.late());
    let met = |cell: usize| {
        tables().fold((0.0, 0.0), |(with, all), table| {
            let cell = table.cell(cell);
            (with + cell.people(), all + cell.people() + cell.missing)
        })
    };
    let noise = noise_variance(release.spec().epsilon()) * 4.0 * tables().count() as f64;
    let prior = KEPT_PRIOR + KEPT_NOISE * noise.sqrt();
    let share = |with: f64, all: f64| (with / all.max(1.0)).clamp(0.02, 1.0);
    let of_arm: Vec<f64> = (0..arms)
        .map(|arm| {
            let sums = (0..strata).map(|stratum| met(stratum * arms + arm));
            let (with, all) = sums.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            share(with + prior, all + prior)
        })
        .collect();
    (0..strata * arms)
        .map(|cell| {
            let (with, all) = met(cell);
            share(with.max(0.0) + prior * of_arm[cell % arms], all.max(0.0) + prior)
        })
        .collect()
}

/// What the inverse-propensity estimator subtracts: the middle of the range, known before anything.
pub(super) const MIDDLE: f64 = 0.5;

impl History {
    pub(super) fn new(release: &Release) -> History {
        let schedule = release.schedule();
        let mut before = Belief::new(release.spec());
        let mut belief = Belief::new(release.spec());
        let mut epochs = Vec::new();
        for epoch in 0..release.tables().len() {
            epochs.push(Epoch::new(release, &schedule, &before, epoch));
            before.absorb(release, &schedule, epoch, false);
            belief.absorb(release, &schedule, epoch, true);
        }
        History { epochs, belief, kept: kept(release) }
    }
}

impl Epoch {
    fn new(release: &Release, schedule: &Schedule, belief: &Belief, epoch: usize) -> Epoch {
        let (strata, arms) = (release.spec().strata(), release.spec().arms());
        let mean = |cell: usize| if epoch == 0 { MIDDLE } else { belief.mean(cell / arms, cell % arms) };
        let prospect = |stratum| Prospect::new(release, schedule, belief, epoch, stratum);
        Epoch {
            references: (0..strata * arms).map(mean).collect(),
            prospects: (0..strata).map(prospect).collect(),
        }
    }
}

impl Prospect {
    fn new(
        release: &Release,
        schedule: &Schedule,
        belief: &Belief,
        epoch: usize,
        stratum: usize,
    ) -> Prospect {
        let (spec, now) = (release.spec(), &release.propensities()[epoch]);
        let later = outlook(spec, schedule, belief, (epoch, now), stratum);
        let share = belief.share(stratum);
        let chances = std::iter::once(now.shares(stratum)).chain(later);
        // Of people whose outcome can be seen.
        let seen = |chances: Vec<f64>| -> (f64, Vec<f64>) {
            let parts = chances.iter().enumerate().map(|(arm, chance)| chance * spec.observed(stratum, arm));
            let parts: Vec<f64> = parts.collect();
            let all: f64 = parts.iter().sum();
            (all, parts.into_iter().map(|part| part / all.max(1e-12)).collect())
        };
        let epochs: Vec<(f64, Vec<f64>)> = chances
            .enumerate()
            .map(|(ahead, chances)| {
                let (all, chances) = seen(chances);
                (all * share * schedule.length(epoch + ahead) as f64, chances)
            })
            .collect();
        let expected = |information: &dyn Fn(f64, &[f64]) -> f64| {
            let mut all = epochs.iter().map(|(people, chances)| information(*people, chances));
            Expected { now: all.next().unwrap_or(0.0), later: all.sum() }
        };
        let about = |arm: usize| About { belief, stratum, arm };
        let arms = |of: &dyn Fn(usize) -> Expected| (0..spec.arms()).map(of).collect();
        Prospect {
            people: share * schedule.length(epoch) as f64,
            mean: arms(&|arm| expected(&|people, chances| about(arm).mean(people * chances[arm]))),
            augmented: arms(&|arm| expected(&|people, chances| about(arm).effect(people, chances, None))),
            inverse: arms(&|arm| {
                expected(&|people, chances| about(arm).effect(people, chances, Some(MIDDLE)))
            }),
        }
    }
}

/// One arm of one stratum, and what people on it would tell: the inverse of the variance, noise included.
struct About<'a> {
    belief: &'a Belief,
    stratum: usize,
    arm: usize,
}

impl About<'_> {
    fn noise(&self) -> f64 {
        self.belief.noise() * NOISE_OF_MEAN
    }

    fn mean(&self, people: f64) -> f64 {
        if people < 1e-9 {
            return 0.0;
        }
        people * people / (people * self.belief.spread(self.stratum, self.arm) + self.noise())
    }

    /// Of the effect against the control, when `subtracted` is taken off outcomes (their mean if none is given).
    fn effect(&self, people: f64, chances: &[f64], subtracted: Option<f64>) -> f64 {
        let variance_from = |arm: usize| {
            let mean = self.belief.mean(self.stratum, arm);
            let off = subtracted.map_or(0.0, |value| mean - value);
            let square = self.belief.spread(self.stratum, arm) + off * off;
            people * square / chances[arm] + self.noise() / (chances[arm] * chances[arm])
        };
        if self.arm == 0 || chances[0] < 1e-9 || chances[self.arm] < 1e-9 {
            return 0.0;
        }
        people * people / (variance_from(0) + variance_from(self.arm))
    }
}

/// How the variance of the final statistic is shared out to epochs: each takes of what is left its part of
/// the information still expected, and the last takes the rest. Shares are known before their epoch's data
/// and sum to one exactly, whatever happens: see `validity.md`.
pub(super) fn shares(expected: impl IntoIterator<Item = Expected>) -> Vec<f64> {
    let expected: Vec<Expected> = expected.into_iter().collect();
    let mut left = 1.0;
    expected
        .iter()
        .enumerate()
        .map(|(epoch, one)| {
            let share = if epoch + 1 == expected.len() {
                left
            } else if one.now <= 0.0 {
                0.0
            } else {
                left * one.now / (one.now + one.later)
            };
            left -= share;
            share
        })
        .collect()
}
