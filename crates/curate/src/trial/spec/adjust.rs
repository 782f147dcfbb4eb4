//! By which covariates the effect of a finished trial is adjusted, and at which delta.

use reticent_privacy::{Delta, Rho};
use reticent_schema::Range;
use serde::{Deserialize, Serialize};

use super::{SpecError, TrialSpec};

/// What is declared of an adjustment before the table is seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjust {
    /// The chance that the loss may be larger than epsilon: what Gaussian noise asks for.
    pub delta: f64,
    /// What was known of people before they got an arm.
    #[serde(rename = "covariate")]
    pub covariates: Vec<Covariate>,
}

/// A number that was known of each person before they got an arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covariate {
    /// Its column.
    pub column: String,
    /// Values below count as this.
    pub low: f64,
    /// Values above count as this.
    pub high: f64,
}

impl Covariate {
    fn range(&self) -> Result<Range, SpecError> {
        Range::new(self.low, self.high).map_err(|_| SpecError::Covariate(self.column.clone()))
    }

    /// Where a value lies in the range, from -1 to 1. One that is missing is in the middle.
    pub fn centred(&self, value: f64) -> f64 {
        let unit = self.range().map_or(0.5, |range| range.unit(value));
        if unit.is_nan() { 0.0 } else { 2.0 * unit - 1.0 }
    }
}

/// More covariates than this would drown in their own noise.
const MOST: usize = 16;

impl Adjust {
    /// The concentrated loss, if there is nothing wrong.
    pub(super) fn check(&self, spec: &TrialSpec) -> Result<Rho, SpecError> {
        let columns: Vec<&str> = self.covariates.iter().map(|one| one.column.as_str()).collect();
        let twice = |place: usize| columns[..place].contains(&columns[place]);
        if let Some(place) = (0..columns.len()).find(|&place| twice(place)) {
            return Err(SpecError::SameColumn(columns[place].into()));
        }
        if columns.is_empty() || columns.len() > MOST {
            return Err(SpecError::Covariates(MOST));
        }
        self.covariates.iter().try_for_each(|one| one.range().map(|_| ()))?;
        let (alone, private) = (spec.strata() == 1, spec.epsilon().is_some());
        if !(spec.draft().finished && alone && private) || spec.draft().public_strata {
            return Err(SpecError::Adjusted);
        }
        self.rho(spec).ok_or(SpecError::Delta)
    }

    /// The largest concentrated loss within (epsilon, delta).
    fn rho(&self, spec: &TrialSpec) -> Option<Rho> {
        let delta = Delta::new(self.delta).ok().filter(|delta| (1e-15..=1e-2).contains(&delta.value()))?;
        Rho::within(spec.epsilon()?, delta)
    }
}

impl TrialSpec {
    /// The chance that a release's loss may be larger than epsilon: none, unless its effect is adjusted.
    pub fn delta(&self) -> Delta {
        let declared = self.draft().adjust.as_ref().and_then(|adjust| Delta::new(adjust.delta).ok());
        declared.unwrap_or(Delta::ZERO)
    }

    /// The concentrated loss of an adjusted release.
    pub fn rho(&self) -> Option<Rho> {
        self.rho
    }
}
