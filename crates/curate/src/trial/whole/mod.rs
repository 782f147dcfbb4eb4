//! All that a trial with one table publishes, when it ends: signed sums, with noise for a change of one.
//!
//! Everyone's coin is the same here, whoever they are, so that arms tell nothing: who got which arm is public,
//! and people on each arm are counted exactly. A person adds a few numbers that are small together: their
//! outcome with the sign of their arm, a little of it without, its square; or that it is missing. The form
//! ([`Form`]) says how much of each, and is fixed by the plan. `guarantee.md` has the proof.

mod form;

use std::num::NonZeroU64;

use reticent_privacy::exact::DiscreteLaplace;
use reticent_privacy::{Epsilon, Generator};
use serde::{Deserialize, Serialize};

use super::TrialSpec;
use super::spec::{STEPS, Steps};
pub use form::Form;
pub(super) use form::USUAL_VARIANCE;

/// One person: their stratum, arm and outcome.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) stratum: usize,
    pub(super) arm: usize,
    pub(super) outcome: Option<Steps>,
}

/// Exact sums. It never leaves the curator; its `Debug` tells nothing.
pub(super) struct WholeSums {
    form: Form,
    people: Vec<u64>,
    cells: Vec<u64>,
    sums: Vec<Vec<i64>>,
    counts: Vec<i64>,
    everyone: Vec<i64>,
    squares: Vec<i64>,
    middles: Vec<i64>,
    missing: Vec<i64>,
}

impl std::fmt::Debug for WholeSums {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WholeSums(..)")
    }
}

/// A published table: sums with their noise, in units of 1 / [`STEPS`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Whole {
    /// How much a person adds of what.
    pub form: Form,
    /// People assigned to each arm, exactly.
    pub people: Vec<u64>,
    /// For each stratum its sums: signed and pooled if there are two arms, one for each arm otherwise.
    pub sums: Vec<Vec<i64>>,
    /// People of each stratum and arm, exactly, where strata are public.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<u64>,
    /// People of each stratum and arm; none where they are counted exactly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<i64>,
    /// The same sums for everyone, where strata are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub everyone: Vec<i64>,
    /// Squares about the middle of the range, of what the signed sum has, or for each of several arms; of each
    /// stratum, if strata are public; none for binary outcomes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<i64>,
    /// Of each stratum, where people can move between them: y (1 - y), of what squares are of. It is nothing at both
    /// ends of the range, so that whoever moves takes no more along than their outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub middles: Vec<i64>,
    /// People without an outcome, for each arm.
    pub missing: Vec<i64>,
    /// What covariates tell of outcomes, where the table is of what they leave: in units of a sum of vectors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moments: Vec<i64>,
}

/// A share of a person in units of 1 / [`STEPS`]. The rounding is in the sensitivity.
fn units(value: f64) -> i64 {
    libm::round(value * f64::from(STEPS)) as i64
}

impl WholeSums {
    pub(super) fn new(form: Form, spec: &TrialSpec) -> WholeSums {
        let (strata, arms) = (spec.strata(), spec.arms());
        let kinds = if form.signs.is_some() { 2 } else { arms };
        let [cells, counts] = sizes(spec);
        WholeSums {
            cells: vec![0; cells],
            people: vec![0; arms],
            sums: vec![vec![0; kinds]; strata],
            counts: vec![0; counts],
            everyone: vec![0; if form.everyone > 0.0 { kinds } else { 0 }],
            squares: vec![0; form.squares(arms) * parts(spec)],
            middles: vec![0; form.middles(arms) * strata],
            missing: vec![0; arms],
            form,
        }
    }

    pub(super) fn add(&mut self, row: Row) {
        let form = &self.form;
        self.people[row.arm] += 1;
        let cell = row.stratum * self.people.len() + row.arm;
        if let Some(count) = self.cells.get_mut(cell) {
            *count += 1;
        }
        if let Some(count) = self.counts.get_mut(cell) {
            *count += units(form.count);
        }
        let Some(Steps(steps)) = row.outcome else {
            self.missing[row.arm] += units(form.missing);
            return;
        };
        let outcome = f64::from(steps) / f64::from(STEPS);
        let off = outcome - form.centre;
        let sums = &mut self.sums[row.stratum];
        let shares = match form.signs {
            Some(signs) => [(0, signs[row.arm]), (1, form.pooled)],
            // One sum an arm: there is no second.
            None => [(row.arm, 1.0), (row.arm, 0.0)],
        };
        for (place, share) in shares {
            sums[place] += units(share * off);
            if let Some(sum) = self.everyone.get_mut(place) {
                *sum += units(form.everyone * share * off);
            }
        }
        // Two arms share a sum: of squares of what is in the signed one, whose variance it tells.
        let (place, sign) = form.signs.map_or((row.arm, 1.0), |signs| (0, signs[row.arm]));
        let kinds = form.squares(self.people.len());
        let part = if self.squares.len() > kinds { row.stratum } else { 0 };
        if let Some(square) = self.squares.get_mut(part * kinds + place) {
            *square += units(form.square * sign * sign * (outcome - 0.5) * (outcome - 0.5));
        }
        if let Some(middle) = self.middles.get_mut(row.stratum * kinds + place) {
            *middle += units(form.middle * sign * sign * outcome * (1.0 - outcome));
        }
    }

    /// The sums with noise: the only way out.
    pub(super) fn release<G: Generator>(self, epsilon: Option<Epsilon>, rng: &mut G) -> Whole {
        let noise = epsilon.map(|epsilon| noise(&self.form, epsilon));
        let mut noisy = |exact: Vec<i64>| -> Vec<i64> {
            let Some(noise) = noise else { return exact };
            let mut add = |sum: i64| i128::from(sum) + noise.sample(rng);
            exact.into_iter().map(|sum| add(sum).clamp(i64::MIN.into(), i64::MAX.into()) as i64).collect()
        };
        Whole {
            people: self.people,
            cells: self.cells,
            sums: self.sums.into_iter().map(&mut noisy).collect(),
            counts: noisy(self.counts),
            everyone: noisy(self.everyone),
            squares: noisy(self.squares),
            middles: noisy(self.middles),
            missing: noisy(self.missing),
            moments: Vec::new(),
            form: self.form,
        }
    }
}

/// How many exact counts of strata and arms there are, and how many with noise.
fn sizes(spec: &TrialSpec) -> [usize; 2] {
    let cells = spec.strata() * spec.arms();
    match (spec.strata(), spec.counts_exactly()) {
        // The only stratum is everyone, whose arms are counted anyway.
        (1, _) => [0, 0],
        (_, true) => [cells, 0],
        (_, false) => [0, cells],
    }
}

/// Where strata are public, squares are of each: nobody can move them between strata.
fn parts(spec: &TrialSpec) -> usize {
    if spec.counts_exactly() { spec.strata() } else { 1 }
}

/// Units of sensitivity are below 2^24, and a billion of them below 2^64.
fn noise(form: &Form, epsilon: Epsilon) -> DiscreteLaplace {
    let numerator = NonZeroU64::new(form.sensitivity_in_units() * 1_000_000_000).unwrap_or(NonZeroU64::MAX);
    DiscreteLaplace::new(numerator, epsilon.nano_nonzero())
}

impl Whole {
    /// Whether it has a number for everything that the form asks for.
    pub(super) fn fits(&self, spec: &TrialSpec) -> bool {
        let (strata, arms) = (spec.strata(), spec.arms());
        let kinds = if self.form.signs.is_some() { 2 } else { arms };
        let of_arm = |arm: usize| self.cells.iter().skip(arm).step_by(arms).sum::<u64>();
        let sound = match &spec.draft().adjust {
            Some(adjust) => super::adjusted::fits(spec, adjust, self),
            None => self.form.is_sound(spec) && self.moments.is_empty(),
        };
        sound
            && self.people.len() == arms
            && self.missing.len() == arms
            && self.sums.len() == strata
            && self.sums.iter().all(|sums| sums.len() == kinds)
            && [self.cells.len(), self.counts.len()] == sizes(spec)
            && (self.cells.is_empty() || (0..arms).all(|arm| of_arm(arm) == self.people[arm]))
            && self.everyone.len() == if self.form.everyone > 0.0 { kinds } else { 0 }
            && self.squares.len() == self.form.squares(arms) * parts(spec)
            && self.middles.len() == self.form.middles(arms) * strata
    }

    /// People enrolled.
    pub fn enrolled(&self) -> u64 {
        self.people.iter().sum()
    }
}

#[cfg(test)]
mod tests;
