//! What the server keeps of the reports.

use crate::nw_lcb::{Report, Spec};
use serde::{Deserialize, Serialize};

use super::SumsError;

/// Sums of W and Z for each cell in grid steps of 2^-30, and the number of reports. Integers: the order of
/// reports does not matter, and sums of parts of the reports add up to those of all.
///
/// ```
/// use reticent_baselines::nw_lcb::agent::Sums;
/// use reticent_privacy::Epsilon;
/// use reticent_baselines::nw_lcb::{Report, Spec};
/// let mut sums = Sums::new(Spec::new(1, 2, Epsilon::new(1.0)?)?);
/// sums.add(&Report { values: vec![5; 8] })?;
/// assert!(sums.add(&Report { values: vec![5; 7] }).is_err());
/// assert_eq!(sums.reports(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Sums {
    spec: Spec,
    reports: u64,
    values: Vec<i64>,
}

impl Sums {
    /// No report yet.
    pub fn new(spec: Spec) -> Sums {
        let values = vec![0; 2 * spec.cells()];
        Sums { spec, reports: 0, values }
    }

    /// Adds one report, all of it or nothing.
    pub fn add(&mut self, report: &Report) -> Result<(), SumsError> {
        self.add_values(1, &report.values)
    }

    /// Adds what another server has of other reports, all of it or nothing.
    pub fn merge(&mut self, other: &Sums) -> Result<(), SumsError> {
        if other.spec != self.spec {
            return Err(SumsError::WrongSpec);
        }
        self.add_values(other.reports, &other.values)
    }

    fn add_values(&mut self, reports: u64, values: &[i64]) -> Result<(), SumsError> {
        if values.len() != self.values.len() {
            return Err(SumsError::WrongLength { got: values.len(), needed: self.values.len() });
        }
        let reports = self.reports.checked_add(reports).ok_or(SumsError::Overflow)?;
        if self.values.iter().zip(values).any(|(sum, value)| sum.checked_add(*value).is_none()) {
            return Err(SumsError::Overflow);
        }
        for (sum, value) in self.values.iter_mut().zip(values) {
            *sum += value;
        }
        self.reports = reports;
        Ok(())
    }

    /// The spec that the reports were made for.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// How many reports were added.
    pub fn reports(&self) -> u64 {
        self.reports
    }

    /// For each cell in the spec's order the sum of W, then that of Z, in grid steps of 2^-30.
    pub fn values(&self) -> &[i64] {
        &self.values
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    spec: Spec,
    reports: u64,
    values: Vec<i64>,
}

impl TryFrom<Raw> for Sums {
    type Error = SumsError;
    fn try_from(Raw { spec, reports, values }: Raw) -> Result<Sums, SumsError> {
        let mut sums = Sums::new(spec);
        sums.add_values(reports, &values)?;
        Ok(sums)
    }
}
