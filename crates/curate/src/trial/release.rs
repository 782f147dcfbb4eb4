//! Everything about a trial that anybody may see. Analyses read this and nothing else: they are
//! post-processing by type.

use reticent_privacy::{Guarantee, Noise};
use serde::{Deserialize, Serialize};

use super::propensity::Propensities;
use super::table::{Cell, Table};
use super::whole::Whole;
use super::{Schedule, TrialSpec};

/// The published part of a trial, as far as it has come. It says where its noise came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Release {
    pub(super) spec: TrialSpec,
    pub(super) noise: Noise,
    pub(super) enrolled: u64,
    pub(super) propensities: Vec<Propensities>,
    pub(super) tables: Vec<Table>,
    pub(super) last: Option<Last>,
}

/// What the end of a trial publishes.
#[derive(Debug, Clone, PartialEq)]
pub enum Last {
    /// Outcomes that came after their epoch's table had closed, and who had none, by epoch.
    Late(Vec<Table>),
    /// The same with all epochs in one table, as plans from before `better` have it.
    Pooled(Table),
    /// The only table, of everyone.
    Whole(Box<Whole>),
}

/// A release as it is stored. Version 1 had neither a header nor a guarantee.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    version: Option<u32>,
    #[serde(default)]
    guarantee: Option<Guarantee>,
    spec: TrialSpec,
    enrolled: u64,
    propensities: Vec<Propensities>,
    tables: Vec<Table>,
    #[serde(default)]
    late: Option<Table>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    late_by_epoch: Option<Vec<Table>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    whole: Option<Whole>,
}

/// Why a stored release cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoRelease {
    /// Something else.
    #[error("this is no release of a trial: its format is not \"{}\"", Release::FORMAT)]
    Format,
    /// Made by a later version.
    #[error(
        "the release has version {0}, and this program knows up to {known}; read it with a later one",
        known = Release::VERSION
    )]
    Version(u32),
    /// Parts that do not fit together.
    #[error("the release does not fit its plan: it is damaged, or not one")]
    Damaged,
    /// A guarantee that is not the plan's.
    #[error("the release states another guarantee than its plan gives: it was changed, or is not one")]
    Guarantee,
}

impl TryFrom<Stored> for Release {
    type Error = NoRelease;

    fn try_from(stored: Stored) -> Result<Release, NoRelease> {
        let noise = stored.noise()?;
        let Stored { spec, enrolled, propensities, tables, late, late_by_epoch, whole, .. } = stored;
        let last = match (late, late_by_epoch, whole) {
            (None, None, None) => None,
            (Some(table), None, None) => Some(Last::Pooled(table)),
            (None, Some(tables), None) => Some(Last::Late(tables)),
            (None, None, Some(whole)) => Some(Last::Whole(Box::new(whole))),
            _ => return Err(NoRelease::Damaged),
        };
        let (strata, arms) = (spec.strata(), spec.arms());
        let epochs = Schedule::new(&spec).epochs();
        let begun = propensities.len();
        let fits = enrolled <= spec.draft().people
            && begun <= epochs
            && tables.len() <= begun
            && propensities.iter().all(|one| one.fits(strata, arms))
            && tables.iter().all(|table| table.cells() == strata * arms);
        let release = Release { spec, noise, enrolled, propensities, tables, last };
        (fits && release.last_fits()).then_some(release).ok_or(NoRelease::Damaged)
    }
}

impl Stored {
    /// Where the noise came from, if the header is one.
    fn noise(&self) -> Result<Noise, NoRelease> {
        match (self.format.as_deref(), self.version, &self.guarantee) {
            (None, None, None) => Ok(Noise::NotStated),
            (Some(Release::FORMAT), Some(later), _) if later > Release::VERSION => {
                Err(NoRelease::Version(later))
            }
            (Some(Release::FORMAT), Some(2..=Release::VERSION), Some(stated)) => {
                let drawn = stated.noise != Noise::NotDrawn;
                let agrees = stated.agrees_with(&self.spec.guarantee().made_with(stated.noise));
                if drawn && agrees { Ok(stated.noise) } else { Err(NoRelease::Guarantee) }
            }
            (Some(Release::FORMAT), Some(2..=Release::VERSION), None) => Err(NoRelease::Guarantee),
            (Some(Release::FORMAT), ..) => Err(NoRelease::Damaged),
            _ => Err(NoRelease::Format),
        }
    }
}

impl From<Release> for Stored {
    fn from(release: Release) -> Stored {
        let guarantee = Some(release.guarantee());
        let Release { spec, enrolled, propensities, tables, last, .. } = release;
        let (format, version) = (Some(Release::FORMAT.into()), Some(Release::VERSION));
        let (late, late_by_epoch, whole) = match last {
            None => (None, None, None),
            Some(Last::Pooled(table)) => (Some(table), None, None),
            Some(Last::Late(tables)) => (None, Some(tables), None),
            Some(Last::Whole(whole)) => (None, None, Some(*whole)),
        };
        Stored {
            format,
            version,
            guarantee,
            spec,
            enrolled,
            propensities,
            tables,
            late,
            late_by_epoch,
            whole,
        }
    }
}

impl Release {
    /// What a stored release says that it is.
    pub const FORMAT: &str = "reticent-trial-release";
    /// The version that is written. Versions 1, which had no header, 2, without one table for a whole trial or late
    /// outcomes by epoch, and 3, without what strata vary by themselves, are read.
    pub const VERSION: u32 = 4;

    pub(super) fn new(spec: TrialSpec, noise: Noise) -> Release {
        Release { spec, noise, enrolled: 0, propensities: Vec::new(), tables: Vec::new(), last: None }
    }

    /// What it promises everyone in the trial: nothing, if its noise came from a seed.
    pub fn guarantee(&self) -> Guarantee {
        self.spec.guarantee().made_with(self.noise)
    }

    /// Where its noise came from.
    pub fn noise(&self) -> Noise {
        self.noise
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

    /// What the end of the trial published.
    pub fn last(&self) -> Option<&Last> {
        self.last.as_ref()
    }

    /// Tables of late outcomes, published when the trial stops: by epoch, or one for all in an old trial.
    pub fn late(&self) -> &[Table] {
        match &self.last {
            Some(Last::Late(tables)) => tables,
            Some(Last::Pooled(table)) => std::slice::from_ref(table),
            _ => &[],
        }
    }

    /// The only table of a trial that has one.
    pub fn whole(&self) -> Option<&Whole> {
        match &self.last {
            Some(Last::Whole(whole)) => Some(whole),
            _ => None,
        }
    }

    /// The late outcomes of an epoch, where they were published by epoch.
    pub(super) fn late_of(&self, epoch: usize) -> Option<&Table> {
        match &self.last {
            Some(Last::Late(tables)) => tables.get(epoch),
            _ => None,
        }
    }

    /// An epoch's cell, with its late outcomes if they are asked for and published, and from how many tables.
    pub(super) fn cell(&self, epoch: usize, cell: usize, late: bool) -> (Cell, f64) {
        let in_time = self.tables[epoch].cell(cell);
        match self.late_of(epoch).filter(|_| late) {
            Some(table) => (in_time.plus(table.cell(cell)), 2.0),
            None => (in_time, 1.0),
        }
    }

    /// How many tables were published.
    pub fn published(&self) -> usize {
        self.tables.len() + self.late().len() + usize::from(self.whole().is_some())
    }

    /// Whether the last table is of the kind that the plan has, and of the right size.
    pub(super) fn last_fits(&self) -> bool {
        let (strata, arms, begun) = (self.spec.strata(), self.spec.arms(), self.propensities.len());
        let of_cells = |table: &Table| table.cells() == strata * arms;
        match &self.last {
            None => true,
            Some(Last::Pooled(table)) => self.spec.is_old() && self.tables.len() == begun && of_cells(table),
            Some(Last::Late(tables)) => {
                !self.spec.is_old()
                    && !self.spec.has_one_table()
                    && self.tables.len() == begun
                    && tables.len() == if self.spec.draft().late_is_missing { 0 } else { begun }
                    && tables.iter().all(of_cells)
            }
            Some(Last::Whole(whole)) => {
                self.spec.has_one_table()
                    && self.tables.is_empty()
                    && whole.enrolled() == self.enrolled
                    && whole.fits(&self.spec)
            }
        }
    }

    /// Whether the trial was stopped.
    pub fn is_stopped(&self) -> bool {
        self.last.is_some()
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
