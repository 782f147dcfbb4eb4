//! The trial told again from its release: what was known before each epoch, and what the epoch could be
//! expected to tell.

use super::super::allocation::outlook;
use super::super::belief::{Belief, NOISE_OF_MEAN};
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
    /// After the last table.
    pub(super) belief: Belief,
}

/// What the inverse-propensity estimator subtracts: the middle of the range, known before anything.
pub(super) const MIDDLE: f64 = 0.5;

impl History {
    pub(super) fn new(release: &Release) -> History {
        let schedule = release.schedule();
        let mut belief = Belief::new(release.spec());
        let mut epochs = Vec::new();
        for (epoch, table) in release.tables().iter().enumerate() {
            epochs.push(Epoch::new(release, &schedule, &belief, epoch));
            belief.absorb(release.length(&schedule, epoch), &release.propensities()[epoch], table);
        }
        History { epochs, belief }
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
        let epochs: Vec<(f64, Vec<f64>)> = chances
            .enumerate()
            .map(|(ahead, chances)| (share * schedule.length(epoch + ahead) as f64, chances))
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
pub(super) fn shares(expected: impl IntoIterator<Item = Expected>, late: f64) -> Vec<f64> {
    let expected: Vec<Expected> = expected.into_iter().collect();
    let mut left = 1.0 - late;
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
