//! Who gets what in the next epoch: Thompson's probabilities, above a floor that estimation asks for.
//!
//! A feature with N people owes each arm N^(1-alpha) / arms of them, as Algorithm 1 of the paper randomises
//! N^(1-alpha) (its `T_min`). Each release adds noise, so that what is owed is paid in few epochs: in those
//! where the share due is large against the noise, and the rest in the last, which is about half of everyone.
//! Regret counts the people on the worse arm and not when they came; the noise counts epochs.

use super::belief::{Belief, NOISE_OF_MEAN};
use super::normal::chances_of_being_best;
use super::propensity::Propensities;
use super::{Schedule, TrialSpec};

/// An epoch pays when what it would pay is so many times what noise is worth, in people, and at least so many people.
const WORTHWHILE: f64 = 10.0;
const WORTHWHILE_PEOPLE: f64 = 30.0;
/// So many tables hide some of an arm's people, at most this share of what is owed to it.
const HIDDEN: f64 = 2.0;
const MOST_HIDDEN: f64 = 0.25;
/// The last epoch gives each arm at least so many: the last part of every interval comes from there.
const LAST: f64 = 10.0;
/// A chance that would give an arm fewer people than this is none: it would add noise and no knowledge.
const TOO_FEW: f64 = 5.0;

/// The state of one stratum, now or as expected at a later epoch.
#[derive(Debug, Clone)]
struct Stratum {
    share: f64,
    means: Vec<f64>,
    variances: Vec<f64>,
    counted: Vec<f64>,
}

/// Chances of each arm for an epoch, from the tables before it.
pub(super) fn propensities(
    spec: &TrialSpec,
    schedule: &Schedule,
    belief: &Belief,
    epoch: usize,
) -> Propensities {
    if epoch == 0 || spec.draft().alpha == 0.0 {
        return Propensities::even(spec);
    }
    let shares = (0..spec.strata())
        .map(|stratum| Stratum::new(spec, belief, stratum).chances(spec, schedule, belief, epoch));
    Propensities::new(spec.arms(), shares)
}

/// The chances that a stratum can expect in each later epoch, if all goes on as it looks now.
pub(super) fn outlook(
    spec: &TrialSpec,
    schedule: &Schedule,
    belief: &Belief,
    (epoch, now): (usize, &Propensities),
    stratum: usize,
) -> Vec<Vec<f64>> {
    let mut state = Stratum::new(spec, belief, stratum);
    let seen = belief.seen().max(schedule.length(epoch) as f64);
    let variances = state.variances.clone();
    let mut chances = now.shares(stratum);
    (epoch + 1..schedule.epochs())
        .map(|later| {
            let people = state.share * schedule.length(later - 1) as f64;
            for (counted, chance) in state.counted.iter_mut().zip(&chances) {
                *counted += people * chance;
            }
            let shrink = seen / (schedule.start(later) as f64).max(seen);
            state.variances = variances.iter().map(|variance| variance * shrink).collect();
            chances = if spec.draft().alpha == 0.0 {
                now.shares(stratum)
            } else {
                state.chances(spec, schedule, belief, later)
            };
            chances.clone()
        })
        .collect()
}

impl Stratum {
    fn new(spec: &TrialSpec, belief: &Belief, stratum: usize) -> Stratum {
        let of = |value: &dyn Fn(usize) -> f64| (0..spec.arms()).map(value).collect();
        Stratum {
            share: belief.share(stratum),
            means: of(&|arm| belief.mean(stratum, arm)),
            variances: of(&|arm| belief.variance(stratum, arm)),
            counted: of(&|arm| belief.counted(stratum, arm)),
        }
    }

    fn chances(&self, spec: &TrialSpec, schedule: &Schedule, belief: &Belief, epoch: usize) -> Vec<f64> {
        let people = self.share * schedule.length(epoch) as f64;
        let floors: Vec<f64> = (0..spec.arms())
            .map(|arm| {
                let due = self.due(spec, schedule, belief, epoch, arm);
                (due / people).clamp(0.0, 1.0 / spec.arms() as f64)
            })
            .collect();
        let free = 1.0 - floors.iter().sum::<f64>();
        let sign = spec.better().sign();
        let good: Vec<f64> = self.means.iter().map(|mean| sign * mean).collect();
        let best = without_tiny(chances_of_being_best(&good, &self.variances), TOO_FEW / people);
        floors.iter().zip(best).map(|(floor, best)| floor + free * best).collect()
    }

    /// People that this epoch owes the arm for estimation's sake.
    fn due(&self, spec: &TrialSpec, schedule: &Schedule, belief: &Belief, epoch: usize, arm: usize) -> f64 {
        let everyone = (self.share * spec.draft().people as f64).max(1.0);
        let noise_in_people = NOISE_OF_MEAN * belief.noise() / 0.25;
        let owed = quota(spec, everyone);
        // What the noise of its tables hides of an arm is owed besides, as far as that leaves the dial where it is.
        let hidden = (HIDDEN * noise_in_people).min(MOST_HIDDEN * owed);
        let left = (owed + hidden - self.counted[arm]).max(0.0);
        if epoch + 1 == schedule.epochs() {
            return left.max(LAST);
        }
        let to_come = (spec.draft().people - schedule.start(epoch)) as f64;
        let due = left * schedule.length(epoch) as f64 / to_come;
        let worthwhile = (WORTHWHILE * noise_in_people).max(WORTHWHILE_PEOPLE);
        if due < worthwhile { 0.0 } else { due }
    }
}

/// People that a stratum of so many owes each arm.
pub(super) fn quota(spec: &TrialSpec, people: f64) -> f64 {
    libm::pow(people, 1.0 - spec.draft().alpha) / spec.arms() as f64
}

/// Without chances that are too small, the others in proportion.
fn without_tiny(chances: Vec<f64>, tiny: f64) -> Vec<f64> {
    let kept: f64 = chances.iter().filter(|&&chance| chance >= tiny).sum();
    if kept <= 0.0 {
        return chances;
    }
    chances.into_iter().map(|chance| if chance >= tiny { chance / kept } else { 0.0 }).collect()
}
