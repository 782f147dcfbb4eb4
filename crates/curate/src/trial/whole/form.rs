//! How much a person adds to which sum, and what that makes of the sensitivity.

use serde::{Deserialize, Serialize};

use super::super::adjusted;
use super::super::spec::STEPS;
use super::super::table::noise_of;
use super::super::{Draft, TrialSpec};

/// Shares of a person's contributions, fixed by the plan before anybody is seen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// What is taken off an outcome in [0, 1] before it is added.
    pub centre: f64,
    /// With two arms: how much of an outcome, with its sign, the signed sum has for the control and for the
    /// treatment. The rarer arm counts in full, so that the sum is an effect times a number of people.
    pub signs: Option<[f64; 2]>,
    /// How much of an outcome the pooled sum has.
    pub pooled: f64,
    /// How much of a square.
    pub square: f64,
    /// How much of y (1 - y), where people can move between strata; nothing in releases from before it was published.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub middle: f64,
    /// How much of a person the count of their stratum and arm has; nothing where people are counted exactly.
    pub count: f64,
    /// How much of a person the count of missing outcomes has.
    pub missing: f64,
    /// How much everyone's sums have of what strata's have.
    pub everyone: f64,
}

/// Where a coin tells how arms are spread, a count has so much of a person: as little as tells a stratum of usual
/// size to 8 %.
const COUNT: (f64, f64) = (0.02, 0.1);
const COUNT_ERROR: f64 = 0.08;
/// The same for numbers, where a quarter of it is the error of a stratum's variance: half of a usual one.
const COUNT_ERROR_OF_NUMBERS: f64 = 2.0 * USUAL_VARIANCE;
/// Shares of a count that are tried where nothing tells how arms are spread.
const COUNTED: [f64; 9] = [0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4];
/// How far from the middle one thinks the mean to be, if nothing is expected.
const USUAL_OFF: f64 = 0.15;
/// From so many strata on everyone's sums are published besides: for fewer, strata's sums add up to better ones.
const MANY_STRATA: usize = 4;
/// Every number that a person adds is rounded by half a unit at most; two people, eight numbers each.
const ROUNDING: u64 = 16;
/// Shares of the pooled sum that are tried.
const POOLED: [f64; 9] = [0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8];
/// The variance that numbers are thought to have beforehand: a deviation of a sixth of the range.
pub(in crate::trial) const USUAL_VARIANCE: f64 = 1.0 / 36.0;
/// How far from the expected mean one thinks to be.
const USUAL_MISS: f64 = 0.1;
/// The centre stays so far from the ends of the range.
const LEAST_CENTRE: f64 = 0.05;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_nothing(share: &f64) -> bool {
    *share == 0.0
}

impl Form {
    /// The form of a plan.
    pub(in crate::trial) fn new(spec: &TrialSpec) -> Form {
        let plan = spec.draft();
        if plan.adjust.is_some() {
            return Form::adjusted(spec);
        }
        let even = spec.even();
        let signs = (spec.arms() == 2).then(|| {
            let rarer = even[0].min(even[1]);
            [-rarer / even[0], rarer / even[1]]
        });
        let strata = spec.strata();
        // Where a person can move to another stratum, both ends of the range must be as near as can be.
        let centre = if spec.counts_exactly() {
            plan.outcome.expected_share().clamp(LEAST_CENTRE, 1.0 - LEAST_CENTRE)
        } else {
            0.5
        };
        let pooled = if signs.is_some() { best_pooled(plan, spec) } else { 0.0 };
        let everyone = f64::from(u8::from(strata >= MANY_STRATA));
        let outcome = (1.0 + pooled) * (1.0 + everyone);
        let count = match (spec.counts_exactly(), spec.designed(0, 0)) {
            (true, _) => 0.0,
            (_, Some(_)) => count(spec, outcome),
            (_, None) => best_count(spec, outcome),
        };
        let room = outcome * (1.0 - reach(centre));
        let (square, middle) = match (plan.outcome.binary, spec.counts_exactly()) {
            (true, _) => (0.0, 0.0),
            (_, true) => ((1.0 + pooled) * (2.0 * (1.0 - reach(centre))).min(1.0), 0.0),
            (_, false) => (outcome / 2.0, outcome / 2.0),
        };
        Form { centre, signs, pooled, square, middle, count, missing: room - square / 4.0, everyone }
    }

    /// However a person's row is replaced, all sums together move by this at most: see `guarantee.md`.
    pub fn sensitivity(&self) -> f64 {
        let outcome = (1.0 + self.pooled) * (1.0 + self.everyone);
        let known = outcome;
        let lost = outcome * reach(self.centre) + self.square / 4.0 + self.missing;
        known.max(lost) + 2.0 * self.count
    }

    /// Two arms share a sum of squares.
    fn kinds(&self, arms: usize) -> usize {
        if self.signs.is_some() { 1 } else { arms }
    }

    /// How many sums of squares there are, of everyone or of each public stratum.
    pub(in crate::trial) fn squares(&self, arms: usize) -> usize {
        if self.square > 0.0 { self.kinds(arms) } else { 0 }
    }

    /// How many sums of y (1 - y) there are, of each stratum.
    pub(in crate::trial) fn middles(&self, arms: usize) -> usize {
        if self.middle > 0.0 { self.kinds(arms) } else { 0 }
    }

    pub(super) fn sensitivity_in_units(&self) -> u64 {
        libm::ceil(self.sensitivity() * f64::from(STEPS)) as u64 + ROUNDING
    }

    /// The variance of the noise in each sum, in people.
    pub(in crate::trial) fn noise_variance(&self, spec: &TrialSpec) -> f64 {
        if spec.draft().adjust.is_some() {
            return adjusted::noise_variance(spec, self);
        }
        noise_of(self.sensitivity(), spec.epsilon())
    }

    /// Whether the sensitivity that is stated follows from it: what the proof asks of a form.
    pub(super) fn is_sound(&self, spec: &TrialSpec) -> bool {
        let (arms, binary, exact) = (spec.arms(), spec.draft().outcome.binary, spec.counts_exactly());
        let share = |value: f64| (0.0..=2.0).contains(&value);
        let signs = match self.signs {
            Some([control, treatment]) => {
                arms == 2 && (-1.0..0.0).contains(&control) && (0.0..=1.0).contains(&treatment)
            }
            None => arms > 2 && self.pooled == 0.0,
        };
        signs
            && (0.0..=1.0).contains(&self.centre)
            && [self.pooled, self.square, self.middle, self.count, self.missing, self.everyone]
                .into_iter()
                .all(share)
            && self.square + self.middle <= (1.0 + self.pooled) * (1.0 + self.everyone)
            && (self.middle == 0.0 || !(binary || exact))
            && (self.square == 0.0) == binary
            && self.missing > 0.0
            && (exact == (self.count == 0.0))
            && (exact || self.centre == 0.5)
    }
}

/// The farthest that an outcome can be from the centre.
fn reach(centre: f64) -> f64 {
    centre.max(1.0 - centre)
}

fn count(spec: &TrialSpec, outcome: f64) -> f64 {
    let usual = spec.draft().people as f64 / spec.strata() as f64;
    let epsilon = spec.epsilon().map_or(f64::INFINITY, reticent_privacy::Epsilon::value);
    if spec.draft().outcome.binary {
        return (std::f64::consts::SQRT_2 / (COUNT_ERROR * usual * epsilon)).clamp(COUNT.0, COUNT.1);
    }
    // A stratum's variance is a quarter less what is in the middle, for each person: known as well as they are.
    (2.0 * outcome / (COUNT_ERROR_OF_NUMBERS * usual * epsilon)).clamp(COUNT.0, 1.5 * COUNT.1)
}

/// People of each stratum and arm, where nothing else tells them: their error is that of the effect times how far
/// means are from the centre. The share that is best for a stratum's effect and everyone's together.
fn best_count(spec: &TrialSpec, outcome: f64) -> f64 {
    let Some(epsilon) = spec.epsilon() else { return COUNTED[COUNTED.len() - 1] };
    let declared = &spec.draft().outcome;
    let off =
        declared.expected.map_or(USUAL_OFF, |_| (declared.expected_share() - 0.5).abs() + USUAL_MISS / 2.0);
    let (strata, people) = (spec.strata() as f64, spec.draft().people as f64);
    let variance = if declared.binary { 0.25 - off * off } else { USUAL_VARIANCE };
    let cost = |count: f64| {
        let noise = |people: f64| {
            let scale = (outcome + 2.0 * count) / (people * epsilon.value());
            8.0 * scale * scale
        };
        let of_counts = 2.0 * off * off * (1.0 - 1.0 / strata) / (count * count);
        let one = people / strata;
        let of_stratum = 4.0 * variance / one + noise(one) * (1.0 + of_counts);
        let parts = if strata < MANY_STRATA as f64 { strata } else { 1.0 };
        let of_everyone = 4.0 * variance / people + parts * noise(people);
        of_stratum * of_everyone
    };
    COUNTED.into_iter().fold(COUNTED[0], |best, one| if cost(one) < cost(best) { one } else { best })
}

/// The pooled sum tells means, which variances and chance imbalance of the arms need; it makes the noise of
/// the signed sum larger. The share with the least expected variance of the effect, from public numbers alone.
fn best_pooled(plan: &Draft, spec: &TrialSpec) -> f64 {
    let people = plan.people as f64;
    let Some(epsilon) = spec.epsilon() else { return POOLED[POOLED.len() - 1] };
    let centre = plan.outcome.expected_share().clamp(LEAST_CENTRE, 1.0 - LEAST_CENTRE);
    let (variance, slope) = if plan.outcome.binary {
        (centre * (1.0 - centre), (1.0 - 2.0 * centre).abs() + USUAL_MISS)
    } else {
        (USUAL_VARIANCE, 2.0 * ((centre - 0.5).abs() + USUAL_MISS))
    };
    let cost = |pooled: f64| {
        let scale = (1.0 + pooled) / (people * epsilon.value());
        let mean = std::f64::consts::SQRT_2 * scale / pooled;
        let doubt = slope * mean / variance;
        4.0 * variance / people * (1.0 + doubt * doubt) + 4.0 * mean * mean / people + 8.0 * scale * scale
    };
    POOLED.into_iter().fold(POOLED[0], |best, one| if cost(one) < cost(best) { one } else { best })
}
