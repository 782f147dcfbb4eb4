//! Anytime-valid confidence sequences: intervals that hold at all looks together, so that peeking and
//! stopping are free.
//!
//! Robbins' normal mixture: for a martingale S with variance V, |S| <= sqrt((V + r) (ln((V + r) / r) + 2
//! ln(1/a))) at all times with probability 1 - a, exactly for normal increments and in the limit for others.
//! See `validity.md`.

use super::super::allocation::quota;
use super::super::belief::{LARGEST, NOISE_OF_MEAN};
use super::Estimator;
use super::effect::Question;
use super::invert::{Accepted, invert};
use super::pooled::{Share, share_variance};
use super::stage::Stage;

/// The strata's martingales at one look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence {
    estimate: f64,
    /// How the sum falls with the supposed effect.
    information: f64,
    variance: f64,
    tuning: f64,
}

/// The mixture is tightest when about the planned information has come: r = V / (2 ln(1/a) + ln(2 ln(1/a)) + 1) there.
fn tuning(planned: f64, miss: f64) -> f64 {
    let logarithm = -2.0 * libm::log(miss);
    (planned / (logarithm + libm::log(logarithm) + 1.0)).max(1e-6)
}

/// A stage's weight, set by what was expected before its epoch: its information for each person.
struct Weighted {
    stage: Stage,
    weight: f64,
}

impl Question<'_> {
    fn miss(&self) -> f64 {
        1.0 - self.confidence
    }

    fn weighted_stages(&self) -> Vec<Weighted> {
        let possible = |epoch: &usize| {
            let chances = &self.release.propensities()[*epoch];
            chances.share(self.stratum, 0) > 0.0 && chances.share(self.stratum, self.arm) > 0.0
        };
        let epochs = (0..self.release.tables().len()).filter(possible);
        let prospect = |epoch: usize| &self.history.epochs[epoch].prospects[self.stratum];
        let weights =
            epochs.map(|epoch| prospect(epoch).augmented[self.arm].now / prospect(epoch).people.max(1e-9));
        let stages = self.stages(Estimator::Augmented);
        stages.into_iter().zip(weights).map(|(stage, weight)| Weighted { stage, weight }).collect()
    }

    /// What the plan owes this effect, if strata are equal: a constant, whatever the data.
    fn tuning(&self) -> f64 {
        let spec = self.release.spec();
        let people = spec.draft().people as f64 / spec.strata() as f64;
        let owed = quota(spec, people);
        let others = (people - owed).max(owed);
        let noise = NOISE_OF_MEAN * self.history.belief.noise();
        let variance = LARGEST / owed + LARGEST / others + noise / (owed * owed);
        tuning(1.0 / variance, self.miss())
    }

    /// The interval of this look, for one stratum.
    pub(super) fn sequence(&self) -> Accepted {
        let (stages, tuning, miss) = (self.weighted_stages(), self.tuning(), self.miss());
        if stages.is_empty() {
            return Accepted::ANYTHING;
        }
        invert(&|effect| {
            let (sum, variance) = sums(&stages, effect);
            let mixed = variance + tuning;
            let bound = mixed * (libm::log(mixed / tuning) - 2.0 * libm::log(miss));
            (sum / mixed.sqrt(), (bound / mixed).sqrt())
        })
    }

    /// What the pooled sequence needs.
    pub(super) fn evidence(&self) -> Evidence {
        let stages = self.weighted_stages();
        let estimate = self.sequence().estimate;
        let information = stages.iter().map(|one| one.weight * one.stage.people).sum();
        Evidence { estimate, information, variance: sums(&stages, estimate).1, tuning: self.tuning() }
    }
}

fn sums(stages: &[Weighted], effect: f64) -> (f64, f64) {
    stages.iter().fold((0.0, 0.0), |(sum, variance), one| {
        let reading = one.stage.read(effect);
        (sum + one.weight * reading.sum, variance + one.weight * one.weight * reading.variance)
    })
}

/// Deviations of the shares' noise that are added: the noise of all looks together stays below with far more
/// than the confidence.
const SHARE_DEVIATIONS: f64 = 4.0;

/// The average of the strata's effects. The product of their mixtures bounds all of them at once, in an
/// ellipsoid: the average ranges over its shadow. A stratum about which nothing is known yet may have any
/// effect.
pub(super) fn pooled(strata: &[(Share, Evidence)], miss: f64) -> Accepted {
    let room = |one: &Evidence| libm::log((one.variance + one.tuning) / one.tuning) / 2.0;
    let budget: f64 = strata.iter().map(|(_, one)| room(one)).sum::<f64>() - libm::log(miss);
    // None where nothing is known yet.
    let curvature = |one: &Evidence| {
        let information = one.information.max(0.0);
        Some(information * information / (2.0 * (one.variance + one.tuning))).filter(|c| c * 4.0 > budget)
    };
    let (mut centre, mut square, mut unknown) = (0.0, 0.0, 0.0);
    for (Share { part, .. }, one) in strata {
        match curvature(one) {
            Some(curvature) => {
                centre += part * one.estimate;
                square += part * part / curvature;
            }
            None => unknown += part,
        }
    }
    let noise: f64 = strata
        .iter()
        .map(|(share, one)| match curvature(one) {
            Some(curvature) => share_variance(share, one.estimate - centre, (0.5 / curvature).sqrt()),
            None => share_variance(share, 1.0, 0.0),
        })
        .sum();
    let reach = (budget * square).sqrt() + unknown + SHARE_DEVIATIONS * noise.sqrt();
    Accepted {
        estimate: centre,
        low: (centre - reach).max(-1.0),
        high: (centre + reach).min(1.0),
        bound: 1.0,
    }
}
