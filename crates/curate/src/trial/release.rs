//! Everything about a trial that anybody may see. Analyses read this and nothing else: they are
//! post-processing by type.

use serde::{Deserialize, Serialize};

use super::propensity::Propensities;
use super::table::Table;
use super::{Schedule, TrialSpec};

/// The published part of a trial, as far as it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Release {
    pub(super) spec: TrialSpec,
    pub(super) enrolled: u64,
    pub(super) propensities: Vec<Propensities>,
    pub(super) tables: Vec<Table>,
    pub(super) late: Option<Table>,
}

/// A release as it is stored.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    spec: TrialSpec,
    enrolled: u64,
    propensities: Vec<Propensities>,
    tables: Vec<Table>,
    late: Option<Table>,
}

/// A stored release that no trial could have made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the release does not fit its plan: it is damaged, or not one")]
pub struct NoRelease;

impl TryFrom<Stored> for Release {
    type Error = NoRelease;

    fn try_from(stored: Stored) -> Result<Release, NoRelease> {
        let Stored { spec, enrolled, propensities, tables, late } = stored;
        let (strata, arms) = (spec.strata(), spec.arms());
        let epochs = Schedule::new(&spec).epochs();
        let begun = propensities.len();
        let fits = enrolled <= spec.draft().people
            && begun <= epochs
            && tables.len() <= begun
            && (late.is_none() || tables.len() == begun)
            && propensities.iter().all(|one| one.fits(strata, arms))
            && tables.iter().chain(&late).all(|table| table.cells() == strata * arms);
        fits.then_some(Release { spec, enrolled, propensities, tables, late }).ok_or(NoRelease)
    }
}

impl Release {
    pub(super) fn new(spec: TrialSpec) -> Release {
        Release { spec, enrolled: 0, propensities: Vec::new(), tables: Vec::new(), late: None }
    }

    /// The plan.
    pub fn spec(&self) -> &TrialSpec {
        &self.spec
    }

    /// When epochs end.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(&self.spec)
    }

    /// People enrolled so far: public, because epochs end by it.
    pub fn enrolled(&self) -> u64 {
        self.enrolled
    }

    /// Chances of the arms, for each epoch that has begun.
    pub fn propensities(&self) -> &[Propensities] {
        &self.propensities
    }

    /// Tables of the epochs that are closed.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The table of late outcomes, published when the trial stops.
    pub fn late(&self) -> Option<&Table> {
        self.late.as_ref()
    }

    /// Whether the trial was stopped.
    pub fn is_stopped(&self) -> bool {
        self.late.is_some()
    }

    /// Whether everyone who was planned was enrolled before the stop.
    pub fn is_complete(&self) -> bool {
        self.is_stopped() && self.enrolled == self.spec.draft().people
    }

    /// People of an epoch, which a stop may cut short.
    pub(super) fn length(&self, schedule: &Schedule, epoch: usize) -> f64 {
        (schedule.end(epoch).min(self.enrolled) - schedule.start(epoch).min(self.enrolled)) as f64
    }
}
