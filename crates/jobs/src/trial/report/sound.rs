//! Whether a stored report can have been made by a trial.

use reticent_curate::trial::Schedule;
use reticent_privacy::{Noise, Provenance};

use super::{Document, FORMAT, VERSION};

/// Why a document is no sound report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportFault {
    /// Something else.
    #[error("this is no report of a trial: its format is not \"{FORMAT}\"")]
    Format,
    /// Made by a later version.
    #[error("the report has version {0}, and this program knows up to {VERSION}; use a later one")]
    Version(u32),
    /// Parts that do not fit together.
    #[error("the report is damaged or was changed: its {0} does not fit the rest")]
    Damaged(&'static str),
}

impl Document {
    /// Whether its parts fit together, and its guarantee is that of its plan.
    pub fn check(&self) -> Result<(), ReportFault> {
        if self.format != FORMAT {
            return Err(ReportFault::Format);
        }
        if self.version > VERSION {
            return Err(ReportFault::Version(self.version));
        }
        let parts = [
            ("version", self.version > 0),
            ("guarantee", self.guarantee_fits()),
            ("noise in a count", close(self.noise_in_a_count, self.spec.noise_in_a_count())),
            ("number of people", self.people_fit()),
            ("list of epochs", self.epochs_fit()),
            ("list of strata", self.strata_fit()),
            ("list of effects", self.effects_fit()),
            ("flow of people", self.flow_fits()),
        ];
        match parts.iter().find(|(_, fits)| !fits) {
            Some((part, _)) => Err(ReportFault::Damaged(part)),
            None => Ok(()),
        }
    }

    fn guarantee_fits(&self) -> bool {
        if self.version < 2 {
            return true;
        }
        let noise = self.guarantee.noise;
        let said = match noise {
            // What is not private has other words for it.
            Noise::Drawn(Provenance::SystemEntropy) if self.spec.epsilon().is_none() => "not private",
            noise => noise.label(),
        };
        noise != Noise::NotDrawn
            && self.guarantee.agrees_with(&self.spec.guarantee().made_with(noise))
            && self.noise.starts_with(said)
    }

    fn people_fit(&self) -> bool {
        let planned = self.spec.draft().people;
        self.enrolled <= planned && self.complete == (self.stopped && self.enrolled == planned)
    }

    fn epochs_fit(&self) -> bool {
        let schedule = Schedule::new(&self.spec);
        let cells = self.spec.strata() * self.spec.arms();
        self.epochs.len() <= schedule.epochs()
            && self.epochs.iter().enumerate().all(|(place, epoch)| {
                epoch.start == schedule.start(place)
                    && epoch.end == schedule.end(place).min(self.enrolled)
                    && epoch.cells.len() == cells
                    && epoch.cells.iter().all(|cell| cell.people.is_some() == epoch.closed)
            })
    }

    fn strata_fit(&self) -> bool {
        let arms = &self.spec.draft().arms;
        self.strata.len() == self.spec.strata()
            && self.strata.iter().enumerate().all(|(place, stratum)| {
                stratum.name == self.spec.stratum_name(place)
                    && stratum.arms.iter().map(|one| &one.arm).eq(arms)
            })
    }

    /// Everybody who was enrolled is in it, and every arm.
    fn flow_fits(&self) -> bool {
        let arms = self.flow.arms.iter().map(|one| &one.arm);
        self.version < 4
            || self.flow.enrolled == self.enrolled
                && self.flow.tabled <= self.enrolled
                && arms.eq(&self.spec.draft().arms)
    }

    /// For each arm but the control, everyone and then each stratum; planned intervals at the planned end alone.
    fn effects_fit(&self) -> bool {
        let arms = &self.spec.draft().arms;
        let expected = arms[1..].iter().flat_map(|arm| {
            let strata = (0..self.spec.strata()).map(|place| Some(self.spec.stratum_name(place)));
            std::iter::once(None).chain(strata).map(move |stratum| (arm, stratum))
        });
        let said = self.effects.iter().map(|row| (&row.arm, row.stratum.clone()));
        said.eq(expected)
            && self.effects.iter().all(|row| {
                row.against == arms[0]
                    && row.planned.is_some() == self.complete
                    && row.anytime.low <= row.anytime.high
            })
    }
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * other.abs()
}
