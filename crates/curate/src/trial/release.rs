//! Everything about a trial that anybody may see. Analyses read this and nothing else: they are
//! post-processing by type.

use reticent_privacy::{Guarantee, Noise};
use serde::{Deserialize, Serialize};

use super::propensity::Propensities;
use super::table::Table;
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
    pub(super) late: Option<Table>,
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
    late: Option<Table>,
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
        let Stored { spec, enrolled, propensities, tables, late, .. } = stored;
        let (strata, arms) = (spec.strata(), spec.arms());
        let epochs = Schedule::new(&spec).epochs();
        let begun = propensities.len();
        let fits = enrolled <= spec.draft().people
            && begun <= epochs
            && tables.len() <= begun
            && (late.is_none() || tables.len() == begun)
            && propensities.iter().all(|one| one.fits(strata, arms))
            && tables.iter().chain(&late).all(|table| table.cells() == strata * arms);
        let release = Release { spec, noise, enrolled, propensities, tables, late };
        fits.then_some(release).ok_or(NoRelease::Damaged)
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
            (Some(Release::FORMAT), Some(Release::VERSION), Some(stated)) => {
                let drawn = stated.noise != Noise::NotDrawn;
                let agrees = stated.agrees_with(&self.spec.guarantee().made_with(stated.noise));
                if drawn && agrees { Ok(stated.noise) } else { Err(NoRelease::Guarantee) }
            }
            (Some(Release::FORMAT), Some(Release::VERSION), None) => Err(NoRelease::Guarantee),
            (Some(Release::FORMAT), ..) => Err(NoRelease::Damaged),
            _ => Err(NoRelease::Format),
        }
    }
}

impl From<Release> for Stored {
    fn from(release: Release) -> Stored {
        let guarantee = Some(release.guarantee());
        let Release { spec, enrolled, propensities, tables, late, .. } = release;
        let (format, version) = (Some(Release::FORMAT.into()), Some(Release::VERSION));
        Stored { format, version, guarantee, spec, enrolled, propensities, tables, late }
    }
}

impl Release {
    /// What a stored release says that it is.
    pub const FORMAT: &str = "reticent-trial-release";
    /// The version that is written. Version 1, which had no header, is read.
    pub const VERSION: u32 = 2;

    pub(super) fn new(spec: TrialSpec, noise: Noise) -> Release {
        Release { spec, noise, enrolled: 0, propensities: Vec::new(), tables: Vec::new(), late: None }
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
