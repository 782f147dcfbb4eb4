//! A trial that is over, elsewhere and without us: its table of people, released once.
//!
//! Who got which arm is taken to be public, as is the number of people. Then the table is that of a trial with one
//! table, and so is its guarantee: a person's features and outcome. How arms are spread over strata is counted,
//! because no coin of ours tells it.

use reticent_privacy::{Generator, Provenance};

use super::adjusted;
use super::propensity::Propensities;
use super::spec::{Adjust, Stratum};
use super::whole::{Form, Row, Whole, WholeSums};
use super::{Draft, Last, Release, SpecError, TrialError, TrialSpec};

/// One person of a finished trial. Its `Debug` tells nothing.
#[derive(Clone, Copy)]
pub struct Finished {
    /// Their stratum.
    pub stratum: Stratum,
    /// Their arm.
    pub arm: usize,
    /// Their outcome, if there is one.
    pub outcome: Option<f64>,
}

impl std::fmt::Debug for Finished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Finished(..)")
    }
}

impl TrialSpec {
    /// The plan by which a finished table is released: one table of as many people as there are, with the
    /// arms' actual shares, all of them public. What the plan says of epochs does not matter any more.
    pub fn finished(&self, on_arms: &[u64]) -> Result<TrialSpec, SpecError> {
        if on_arms.len() != self.arms() || on_arms.contains(&0) {
            return Err(SpecError::Ratio);
        }
        let first = on_arms[0] as f64;
        // Shares for all strata alike are the table's own; shares by stratum are its design's.
        let observed = self.draft().observed.clone().filter(|shares| shares.len() > self.arms());
        TrialSpec::new(Draft {
            people: on_arms.iter().sum(),
            alpha: 0.0,
            first_epoch: None,
            follow_up: 0,
            observed,
            finished: true,
            ratio: Some(on_arms.iter().map(|&people| people as f64 / first).collect()),
            ..self.draft().clone()
        })
    }

    /// The same plan with its effect adjusted for covariates, which a plan that [`TrialSpec::finished`] made may be.
    pub fn adjusted(&self, adjust: Adjust) -> Result<TrialSpec, SpecError> {
        TrialSpec::new(Draft { adjust: Some(adjust), ..self.draft().clone() })
    }
}

impl Release {
    /// Releases a finished table: exact sums, with noise from the given generator. The plan must be one that
    /// [`TrialSpec::finished`] made. An outcome outside the declared range is refused, or clipped if the plan
    /// says so.
    pub fn of_finished<G: Generator>(
        spec: TrialSpec,
        people: impl IntoIterator<Item = Finished>,
        rng: &mut G,
    ) -> Result<Release, TrialError> {
        if spec.draft().adjust.is_some() {
            return Err(TrialError::SpecChanged);
        }
        let mut sums = WholeSums::new(Form::new(&spec), &spec);
        let mut enrolled = 0;
        for person in people {
            let steps = |value: f64| spec.draft().outcome.steps(value).ok_or(TrialError::OutOfRange);
            let outcome = person.outcome.map(steps).transpose()?;
            let stratum = person.stratum.0 as usize;
            if !spec.has_one_table() || person.arm >= spec.arms() || stratum >= spec.strata() {
                return Err(TrialError::SpecChanged);
            }
            sums.add(Row { stratum, arm: person.arm, outcome });
            enrolled += 1;
        }
        let whole = sums.release(spec.epsilon(), rng);
        Release::of_whole(spec, whole, enrolled, G::PROVENANCE)
    }

    /// Releases a finished table with its effect adjusted for covariates: each person with theirs, in the plan's order.
    /// The plan must be one that [`TrialSpec::adjusted`] made.
    pub fn of_adjusted<G: Generator>(
        spec: TrialSpec,
        people: &[(Finished, Vec<f64>)],
        rng: &mut G,
    ) -> Result<Release, TrialError> {
        let whole = adjusted::release(&spec, people, rng)?;
        Release::of_whole(spec, whole, people.len() as u64, G::PROVENANCE)
    }

    fn of_whole(
        spec: TrialSpec,
        whole: Whole,
        enrolled: u64,
        noise: Provenance,
    ) -> Result<Release, TrialError> {
        let chances = Propensities::even(&spec);
        let mut release = Release::new(spec, noise.into());
        (release.enrolled, release.propensities) = (enrolled, vec![chances]);
        release.last = Some(Last::Whole(Box::new(whole)));
        if release.last_fits() { Ok(release) } else { Err(TrialError::SpecChanged) }
    }

    /// Whether covariates told enough for something to be taken off outcomes; none if nothing was to be adjusted.
    pub fn is_adjusted(&self) -> Option<bool> {
        self.spec.draft().adjust.as_ref()?;
        Some(adjusted::Predictor::new(&self.spec, &self.whole()?.moments).is_used())
    }
}
