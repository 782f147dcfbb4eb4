//! One effect in one stratum, by each estimator.

use super::super::Release;
use super::super::normal::two_sided;
use super::Estimator;
use super::history::{Expected, History, MIDDLE, Prospect, shares};
use super::invert::{Accepted, invert, least};
use super::stage::{Combined, MeanStage, Part, Stage};

/// Where to look: a stratum and an arm that is compared with the control.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) release: &'a Release,
    pub(super) history: &'a History,
    pub(super) stratum: usize,
    pub(super) arm: usize,
    /// How often the interval must hold.
    pub(super) confidence: f64,
}

impl Question<'_> {
    pub(super) fn answer(&self, estimator: Estimator) -> Accepted {
        match estimator {
            Estimator::DifferenceInMeans => self.difference(),
            Estimator::InversePropensity | Estimator::Augmented => self.weighted(estimator),
        }
    }

    fn normal(&self) -> f64 {
        two_sided(self.confidence)
    }

    fn weighted(&self, estimator: Estimator) -> Accepted {
        let stages = self.stages(estimator);
        let combined = |effect: f64| {
            let mut all = Combined::default();
            for stage in &stages {
                all.add(stage.share, stage.read(effect));
            }
            all
        };
        let normal = self.normal();
        invert(&|effect| {
            let all = combined(effect);
            (all.z, all.bound(normal))
        })
    }

    fn prospects(&self) -> impl Iterator<Item = &Prospect> {
        self.history.epochs.iter().map(|epoch| &epoch.prospects[self.stratum])
    }

    /// A stage for each table in which both arms were possible.
    pub(super) fn stages(&self, estimator: Estimator) -> Vec<Stage> {
        let expected = |prospect: &Prospect| match estimator {
            Estimator::InversePropensity => prospect.inverse[self.arm],
            _ => prospect.augmented[self.arm],
        };
        shares(self.prospects().map(expected))
            .into_iter()
            .enumerate()
            .filter_map(|(epoch, share)| self.stage_with(epoch, estimator, share))
            .collect()
    }

    /// One table's stage, if both arms were possible in it.
    pub(super) fn stage_with(&self, epoch: usize, estimator: Estimator, share: f64) -> Option<Stage> {
        let possible = self.chance(epoch, 0) > 0.0 && self.chance(epoch, self.arm) > 0.0;
        possible.then(|| self.stage(epoch, estimator, share))
    }

    /// The chance of an arm among people whose outcome can be seen.
    fn chance(&self, epoch: usize, arm: usize) -> f64 {
        let chances = &self.release.propensities()[epoch];
        let spec = self.release.spec();
        let seen = |arm: usize| {
            let kept = match spec.draft().observed {
                Some(_) => spec.observed(self.stratum, arm),
                None => self.history.kept[self.stratum * spec.arms() + arm],
            };
            chances.share(self.stratum, arm) * kept
        };
        seen(arm) / (0..spec.arms()).map(seen).sum::<f64>()
    }

    fn parts(&self, mut part: impl FnMut(usize, usize) -> Part) -> Vec<Part> {
        let arms = self.release.spec().arms();
        (0..arms)
            .map(|arm| {
                let sign = if arm == self.arm {
                    1.0
                } else if arm == 0 {
                    -1.0
                } else {
                    0.0
                };
                Part { sign, ..part(arm, self.stratum * arms + arm) }
            })
            .collect()
    }

    fn stage(&self, epoch: usize, estimator: Estimator, share: f64) -> Stage {
        let references = &self.history.epochs[epoch].references;
        let parts = self.parts(|arm, cell| Part {
            cell: self.release.cell(epoch, cell, true).0,
            sign: 0.0,
            chance: self.chance(epoch, arm),
            reference: if estimator == Estimator::InversePropensity { MIDDLE } else { references[cell] },
            mean: self.history.belief.mean(self.stratum, arm),
            spread: self.history.belief.spread(self.stratum, arm),
        });
        Stage::new(&parts, self.binary(), self.noise(epoch), share)
    }

    /// The variance of the noise in a count of an epoch, late outcomes included.
    fn noise(&self, epoch: usize) -> f64 {
        self.release.cell(epoch, 0, true).1 * self.history.belief.noise()
    }

    fn binary(&self) -> bool {
        self.release.spec().draft().outcome.binary
    }

    fn mean_stages(&self, arm: usize) -> Vec<MeanStage> {
        let cell = self.stratum * self.release.spec().arms() + arm;
        let expected: Vec<Expected> = self.prospects().map(|prospect| prospect.mean[arm]).collect();
        shares(expected)
            .into_iter()
            .enumerate()
            .map(|(epoch, share)| MeanStage {
                share,
                cell: self.release.cell(epoch, cell, true).0,
                binary: self.binary(),
                noise: self.noise(epoch),
                spread: self.history.belief.spread(self.stratum, arm),
            })
            .collect()
    }

    /// Two means, each with its own weights; an effect is accepted if some pair of means with that difference is.
    fn difference(&self) -> Accepted {
        let stages = [self.mean_stages(0), self.mean_stages(self.arm)];
        let combined = |side: usize, mean: f64| {
            let mut all = Combined::default();
            for stage in &stages[side] {
                all.add(stage.share, stage.read(mean));
            }
            all
        };
        let size = |effect: f64, control: f64| {
            let (a, b) = (combined(0, control), combined(1, control + effect));
            (a.z * a.z + b.z * b.z, a.kurtosis.max(b.kurtosis))
        };
        let control_at = |effect: f64| closest(&|control| size(effect, control).0, effect);
        let normal = self.normal();
        invert(&|effect| {
            let (square, kurtosis) = size(effect, control_at(effect));
            (square.sqrt(), Combined { kurtosis, ..Combined::default() }.bound(normal))
        })
    }
}

/// A grid finds the valley, thirds its floor.
const VALLEYS: i32 = 16;

/// The control's mean that fits best when the treatment's is higher by `effect`.
fn closest(size: &dyn Fn(f64) -> f64, effect: f64) -> f64 {
    let (low, high) = ((-effect).max(0.0), (1.0 - effect).min(1.0));
    let step = (high - low) / f64::from(VALLEYS);
    let at = |place: i32| low + f64::from(place) * step;
    let best = (0..=VALLEYS).fold((0, f64::INFINITY), |best, place| {
        let here = size(at(place));
        if here < best.1 { (place, here) } else { best }
    });
    least(size, at((best.0 - 1).max(0)), at((best.0 + 1).min(VALLEYS)))
}
