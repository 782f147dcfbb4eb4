//! A finished table whose effect is adjusted for covariates: two sums of vectors with Gaussian noise.
//!
//! The first sum tells a linear predictor of the outcome. The second is the table of a trial with one table
//! ([`Whole`]), of what the predictor leaves of outcomes: it varies less, and randomised arms differ in it as they do
//! in outcomes, whatever the predictor. `guarantee.md` has the proof, `analysis/validity.md` why intervals hold.

mod predictor;
#[cfg(test)]
mod tests;

use reticent_privacy::mechanism::{Mechanism, VectorGaussian};
use reticent_privacy::{Generator, Neighbours, Rho, VectorSum};

use super::spec::{Adjust, STEPS};
use super::whole::{Form, Whole};
use super::{Finished, TrialError, TrialSpec};
pub(super) use predictor::Predictor;

/// One part in so many of the loss is for the predictor, the rest for the effect.
const PREDICTOR: u64 = 5;
/// How much of a residual the pooled sum has.
const POOLED: f64 = 0.3;

/// The two mechanisms: for the predictor, and for what it leaves.
pub(super) struct Noises {
    predictor: VectorGaussian,
    residuals: VectorGaussian,
}

impl Noises {
    /// None if nothing is adjusted, or no noise is large enough.
    pub(super) fn of(spec: &TrialSpec) -> Option<Noises> {
        let all = spec.rho()?.femto();
        let mechanism = |femto: u64| {
            let rho = Rho::from_femto(femto).ok()?;
            VectorGaussian::new(rho, Neighbours::Replace).ok()
        };
        let first = all / PREDICTOR;
        Some(Noises { predictor: mechanism(first)?, residuals: mechanism(all - first)? })
    }
}

/// The Euclidean length of what the sums have of a residual of one.
fn length(form: &Form) -> f64 {
    (1.0 + form.pooled * form.pooled).sqrt()
}

impl Form {
    /// Of an adjusted table: a residual from -reach to reach is an outcome from 0 to 1. All that a person adds, over
    /// half of [`length`], is a vector of length one at most.
    pub(super) fn adjusted(spec: &TrialSpec) -> Form {
        let even = spec.even();
        let signs = (spec.arms() == 2).then(|| {
            let rarer = even[0].min(even[1]);
            [-rarer / even[0], rarer / even[1]]
        });
        let pooled = if signs.is_some() { POOLED } else { 0.0 };
        let form = Form {
            centre: 0.5,
            signs,
            pooled,
            square: 0.0,
            middle: 0.0,
            count: 0.0,
            missing: 0.0,
            everyone: 0.0,
        };
        let length = length(&form);
        Form { middle: 2.0 * length, missing: length / 2.0, ..form }
    }
}

/// The variance of the noise in each number of an adjusted table, in people.
pub(super) fn noise_variance(spec: &TrialSpec, form: &Form) -> f64 {
    Noises::of(spec).map_or(0.0, |noises| {
        let deviation = noises.residuals.sigma() * length(form) / 2.0;
        deviation * deviation
    })
}

/// What a person adds to the second sum: signed and pooled residual, or that of their arm; 1 - residual^2; or that
/// the outcome is missing.
fn residual_vector(form: &Form, arms: usize, arm: usize, residual: Option<f64>) -> Vec<f64> {
    let sums = if form.signs.is_some() { 2 } else { arms };
    let middles = if form.signs.is_some() { 1 } else { arms };
    let mut vector = vec![0.0; sums + middles + arms];
    match (residual, form.signs) {
        (None, _) => vector[sums + middles + arm] = 1.0,
        (Some(residual), Some(signs)) => {
            let length = length(form);
            vector[0] = signs[arm] * residual / length;
            vector[1] = form.pooled * residual / length;
            vector[2] = signs[arm] * signs[arm] * (1.0 - residual * residual);
        }
        (Some(residual), None) => {
            vector[arm] = residual;
            vector[sums + arm] = 1.0 - residual * residual;
        }
    }
    vector
}

/// One person, in the units of the sums.
struct Person {
    arm: usize,
    /// From -1/2 to 1/2.
    outcome: Option<f64>,
    /// Each from -1 to 1.
    covariates: Vec<f64>,
}

impl Person {
    fn new(
        spec: &TrialSpec,
        adjust: &Adjust,
        (finished, values): &(Finished, Vec<f64>),
    ) -> Result<Person, TrialError> {
        let steps = |value: f64| spec.draft().outcome.steps(value).ok_or(TrialError::OutOfRange);
        let outcome = finished.outcome.map(steps).transpose()?;
        if finished.arm >= spec.arms() || values.len() != adjust.covariates.len() {
            return Err(TrialError::SpecChanged);
        }
        let centred = adjust.covariates.iter().zip(values).map(|(one, &value)| one.centred(value));
        Ok(Person {
            arm: finished.arm,
            outcome: outcome.map(|steps| f64::from(steps.0) / f64::from(STEPS) - 0.5),
            covariates: centred.collect(),
        })
    }
}

/// The published table: both sums with their noise.
pub(super) fn release<G: Generator>(
    spec: &TrialSpec,
    people: &[(Finished, Vec<f64>)],
    rng: &mut G,
) -> Result<Whole, TrialError> {
    let (Some(adjust), Some(noises)) = (&spec.draft().adjust, Noises::of(spec)) else {
        return Err(TrialError::SpecChanged);
    };
    let people: Vec<Person> =
        people.iter().map(|one| Person::new(spec, adjust, one)).collect::<Result<_, _>>()?;
    let covariates = adjust.covariates.len();
    let mut moments = VectorSum::new(predictor::moments(covariates));
    for person in &people {
        moments.add(&predictor::vector(&person.covariates, person.outcome))?;
    }
    let moments = noises.predictor.release_with(moments, rng);
    let predictor = Predictor::new(spec, &moments);
    let (form, arms) = (Form::adjusted(spec), spec.arms());
    let mut sum = VectorSum::new(residual_vector(&form, arms, 0, None).len());
    let mut on_arms = vec![0; arms];
    for person in &people {
        on_arms[person.arm] += 1;
        let residual = person.outcome.map(|outcome| predictor.residual(outcome, &person.covariates));
        sum.add(&residual_vector(&form, arms, person.arm, residual))?;
    }
    let noisy = noises.residuals.release_with(sum, rng);
    Ok(whole(form, on_arms, moments, &noisy))
}

/// The second sum in the units of a trial's only table: post-processing.
fn whole(form: Form, people: Vec<u64>, moments: Vec<i64>, noisy: &[i64]) -> Whole {
    let factor = length(&form) / 2.0 * f64::from(STEPS) / f64::from(VectorSum::RADIUS);
    let mut numbers = noisy.iter().map(|&steps| libm::round(steps as f64 * factor) as i64);
    let arms = people.len();
    let (sums, middles) = if form.signs.is_some() { (2, 1) } else { (arms, arms) };
    let mut next = |count: usize| numbers.by_ref().take(count).collect::<Vec<i64>>();
    Whole {
        sums: vec![next(sums)],
        middles: next(middles),
        missing: next(arms),
        form,
        people,
        cells: Vec::new(),
        counts: Vec::new(),
        everyone: Vec::new(),
        squares: Vec::new(),
        moments,
    }
}

/// Whether a stored table is one that this plan makes.
pub(super) fn fits(spec: &TrialSpec, adjust: &Adjust, whole: &Whole) -> bool {
    whole.form == Form::adjusted(spec) && whole.moments.len() == predictor::moments(adjust.covariates.len())
}

/// How far from the middle covariates are thought to move a prediction, before anything is known.
const USUAL_REACH: f64 = 0.2;

/// The share of the outcome's variance that covariates must explain for the effect to be known better than without
/// them at the same epsilon: from public numbers alone. Above one, adjusting cannot pay.
pub fn share_to_pay(spec: &TrialSpec) -> Option<f64> {
    let noises = Noises::of(spec)?;
    let plain = TrialSpec::new(super::Draft { adjust: None, ..spec.draft().clone() }).ok()?;
    let form = Form::new(&plain);
    let reach = 1.0 + 2.0 * USUAL_REACH;
    let gaussian = noises.residuals.sigma() * length(&Form::adjusted(spec)) / 2.0 * reach;
    let laplace = form.noise_variance(&plain);
    let declared = &plain.draft().outcome;
    let centre = declared.expected_share();
    let variance =
        if declared.binary { (centre * (1.0 - centre)).max(0.01) } else { super::whole::USUAL_VARIANCE };
    let (even, people) = (plain.even(), plain.draft().people as f64);
    // Of the last arm against the control.
    let (control, other) = (even[0] * people, even[plain.arms() - 1] * people);
    let sampling = variance * (1.0 / control + 1.0 / other);
    let of_noise = if form.signs.is_some() {
        1.0 / (control.min(other) * control.min(other))
    } else {
        1.0 / (control * control) + 1.0 / (other * other)
    };
    Some(((gaussian * gaussian - laplace) * of_noise / sampling).max(0.0))
}
