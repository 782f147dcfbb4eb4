//! Who was assigned what, and how they fared: the raw records, which only the curator holds.
//!
//! Every change is an [`Event`]. A trial that crashed is the same events applied again.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::propensity::Propensities;
use super::release::Last;
use super::spec::Steps;
use super::table::{Sums, Table, weights};
use super::whole::{Form, Row, Whole, WholeSums};
use super::{Release, Schedule, TrialError, TrialSpec};

/// One step of a trial. Noise is drawn before the event is made, and an event is kept before anybody sees what it says.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Event {
    /// An epoch begins, with these chances.
    Epoch(Propensities),
    /// The next person, of a stratum, gets an arm.
    Assigned { stratum: u32, arm: u32 },
    /// A person's outcome; none if it will never come.
    Outcome { number: u64, outcome: Option<Steps> },
    /// The outcome on record was wrong: this is the right one; none if it will never come.
    Corrected { number: u64, outcome: Option<Steps> },
    /// A person takes back their consent.
    Withdrawn { number: u64 },
    /// The next epoch's table.
    Table(Table),
    /// The last table of an old plan: the trial is over.
    Late(Table),
    /// Late outcomes by epoch: the trial is over.
    LateByEpoch(Vec<Table>),
    /// The only table: the trial is over.
    Whole(Box<Whole>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Pending,
    Missing,
    /// Counts as missing, for ever.
    Withdrawn,
    Known(Steps),
}

#[derive(Clone, Copy)]
struct Person {
    stratum: u32,
    arm: u32,
    epoch: u32,
    status: Status,
    counted: bool,
}

impl Person {
    fn amended(&self) -> Amended {
        if self.counted { Amended::AfterRelease } else { Amended::BeforeRelease }
    }
}

/// What is due before the next person can be assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    Table,
    Epoch,
    Nothing,
}

/// What became of an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// It will be in its epoch's table.
    InTime,
    /// Its epoch's table is published: it will be in the last one.
    Late,
    /// Its epoch's table is published, and by the plan it counts as missing: it is not kept.
    TooLate,
    /// An outcome, or that none will come, is on record for this person, and stays as it was. Whether it is
    /// the one just given is not told: whoever may record could guess until it is.
    OnRecord,
}

/// What a correction or a withdrawal does to what is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amended {
    /// The person is in no published table yet: theirs will be as if it had been so from the start.
    BeforeRelease,
    /// The person's table is published, and stands as it is. The file has it right from now on.
    AfterRelease,
}

impl Recorded {
    /// Whether the outcome just given is kept.
    pub(super) fn is_kept(self) -> bool {
        matches!(self, Recorded::InTime | Recorded::Late)
    }
}

pub(super) struct Books {
    release: Release,
    schedule: Schedule,
    people: Vec<Person>,
}

impl Books {
    pub(super) fn new(spec: TrialSpec, noise: reticent_privacy::Provenance) -> Books {
        let schedule = Schedule::new(&spec);
        Books { release: Release::new(spec, noise.into()), schedule, people: Vec::new() }
    }

    /// What `Debug` of a trial shows: public counts.
    pub(super) fn shape(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Release { spec, enrolled, tables, .. } = &self.release;
        let mut shown = f.debug_struct(name);
        shown.field("people", &spec.draft().people).field("enrolled", enrolled);
        shown.field("tables", &tables.len()).field("stopped", &self.release.is_stopped());
        shown.finish_non_exhaustive()
    }

    pub(super) fn release(&self) -> &Release {
        &self.release
    }

    pub(super) fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The chances of the epoch that is open.
    pub(super) fn open(&self) -> Option<&Propensities> {
        let epoch = self.schedule.epoch_of(self.release.enrolled);
        self.release.propensities.get(epoch)
    }

    /// Whether another person can be assigned.
    pub(super) fn check_open(&self) -> Result<(), TrialError> {
        let (release, people) = (&self.release, self.release.spec.draft().people);
        if release.is_stopped() {
            Err(TrialError::Stopped)
        } else if release.enrolled >= people {
            Err(TrialError::Full(people))
        } else if release.tables.len().checked_sub(1).is_some_and(|last| self.closes(last) > release.enrolled)
        {
            // Only a stop publishes a table before its time.
            Err(TrialError::Stopping)
        } else {
            Ok(())
        }
    }

    /// A person's arm and epoch.
    pub(super) fn assignment(&self, number: u64) -> Option<(u32, u32, u32)> {
        self.people.get(number as usize).map(|person| (person.stratum, person.arm, person.epoch))
    }

    pub(super) fn due(&self) -> Due {
        let release = &self.release;
        if release.is_stopped() {
            return Due::Nothing;
        }
        let next = release.tables.len();
        let one = release.spec.has_one_table();
        if !one && next < self.schedule.epochs() && release.enrolled >= self.closes(next) {
            return Due::Table;
        }
        let open = self.schedule.epoch_of(release.enrolled);
        if open < self.schedule.epochs() && release.propensities.len() == open {
            Due::Epoch
        } else {
            Due::Nothing
        }
    }

    /// So many must be enrolled before an epoch's table is due.
    fn closes(&self, epoch: usize) -> u64 {
        self.schedule.end(epoch) + self.release.spec.draft().follow_up
    }

    /// Exact sums of the next epoch: of those whose outcome, or its absence, is known by now.
    pub(super) fn sums(&self) -> Sums {
        let epoch = self.release.tables.len();
        self.sum(|person| self.closes_with(person, epoch))
    }

    /// Whether a person is in an epoch's table: their outcome, or its absence, is known, or the plan does not wait.
    fn closes_with(&self, person: &Person, epoch: usize) -> bool {
        let known = person.status != Status::Pending || self.release.spec.draft().late_is_missing;
        person.epoch as usize == epoch && known
    }

    /// Exact sums of everyone who is in no table yet. An outcome that has not come is missing.
    pub(super) fn late_sums(&self) -> Sums {
        self.sum(|_| true)
    }

    /// The same, for the people of one epoch.
    pub(super) fn late_sums_of(&self, epoch: usize) -> Sums {
        self.sum(|person| person.epoch as usize == epoch)
    }

    /// Exact sums of everyone, for the only table.
    pub(super) fn whole_sums(&self) -> WholeSums {
        let spec = &self.release.spec;
        let mut sums = WholeSums::new(Form::new(spec), spec);
        for person in &self.people {
            let outcome = if let Status::Known(outcome) = person.status { Some(outcome) } else { None };
            sums.add(Row { stratum: person.stratum as usize, arm: person.arm as usize, outcome });
        }
        sums
    }

    fn sum(&self, takes: impl Fn(&Person) -> bool) -> Sums {
        let arms = self.release.spec.arms();
        let mut sums = Sums::new(self.release.spec.strata() * arms);
        for person in self.uncounted().filter(|person| takes(person)) {
            let outcome = if let Status::Known(outcome) = person.status { Some(outcome) } else { None };
            sums.add(person.stratum as usize * arms + person.arm as usize, weights(outcome));
        }
        sums
    }

    fn uncounted(&self) -> impl Iterator<Item = &Person> {
        self.people.iter().filter(|person| !person.counted)
    }

    /// Whether a person's outcome may be recorded, and what becomes of it. What it is does not matter here,
    /// so that it cannot be compared with the one on record.
    pub(super) fn check_outcome(&self, number: u64) -> Result<Recorded, TrialError> {
        let person = self.people.get(number as usize).ok_or(TrialError::NeverAssigned)?;
        match person.status {
            Status::Withdrawn => Err(TrialError::Withdrawn),
            Status::Missing | Status::Known(_) => Ok(Recorded::OnRecord),
            Status::Pending if self.release.is_stopped() => Err(TrialError::Stopped),
            Status::Pending if (person.epoch as usize) < self.release.tables.len() => {
                let lost = self.release.spec.draft().late_is_missing;
                Ok(if lost { Recorded::TooLate } else { Recorded::Late })
            }
            Status::Pending => Ok(Recorded::InTime),
        }
    }

    /// Whether a person's outcome may be corrected, and whether that changes anything: the latter is not for
    /// others to know, who could guess an outcome by it.
    pub(super) fn check_correction(
        &self,
        number: u64,
        outcome: Option<Steps>,
    ) -> Result<(Amended, bool), TrialError> {
        let person = self.people.get(number as usize).ok_or(TrialError::NeverAssigned)?;
        match person.status {
            Status::Withdrawn => Err(TrialError::Withdrawn),
            Status::Pending => Err(TrialError::NothingOnRecord),
            status => Ok((person.amended(), status != outcome.map_or(Status::Missing, Status::Known))),
        }
    }

    /// What a person's withdrawal does, and whether it is the first.
    pub(super) fn check_withdrawal(&self, number: u64) -> Result<(Amended, bool), TrialError> {
        let person = self.people.get(number as usize).ok_or(TrialError::NeverAssigned)?;
        Ok((person.amended(), person.status != Status::Withdrawn))
    }

    /// Takes a step; none if it does not fit those before it.
    pub(super) fn apply(&mut self, event: Event) -> Option<()> {
        let (strata, arms) = (self.release.spec.strata(), self.release.spec.arms());
        match event {
            Event::Corrected { number, outcome } => {
                let range = &self.release.spec.draft().outcome;
                outcome.is_none_or(|steps| range.has(steps)).then_some(())?;
                self.check_correction(number, outcome).ok().filter(|(_, changes)| *changes)?;
                self.people[number as usize].status = outcome.map_or(Status::Missing, Status::Known);
            }
            Event::Withdrawn { number } => {
                self.check_withdrawal(number).ok().filter(|(_, changes)| *changes)?;
                self.people[number as usize].status = Status::Withdrawn;
            }
            _ if self.release.is_stopped() => return None,
            Event::Epoch(propensities) => {
                let fits = self.due() == Due::Epoch && propensities.fits(strata, arms);
                fits.then(|| self.release.propensities.push(propensities))?;
            }
            Event::Assigned { stratum, arm } => {
                let epoch = self.schedule.epoch_of(self.release.enrolled) as u32;
                let open = self.due() == Due::Nothing && self.check_open().is_ok();
                if !open || stratum as usize >= strata || arm as usize >= arms {
                    return None;
                }
                self.people.push(Person { stratum, arm, epoch, status: Status::Pending, counted: false });
                self.release.enrolled += 1;
            }
            Event::Outcome { number, outcome } => {
                let range = &self.release.spec.draft().outcome;
                outcome.is_none_or(|steps| range.has(steps)).then_some(())?;
                self.check_outcome(number).ok().filter(|recorded| recorded.is_kept())?;
                self.people[number as usize].status = outcome.map_or(Status::Missing, Status::Known);
            }
            Event::Table(table) => {
                let epoch = self.release.tables.len();
                let one = self.release.spec.has_one_table();
                if one || epoch >= self.release.propensities.len() || table.cells() != strata * arms {
                    return None;
                }
                let counted: Vec<bool> = self.people.iter().map(|one| self.closes_with(one, epoch)).collect();
                for (person, counted) in self.people.iter_mut().zip(counted) {
                    person.counted |= counted;
                }
                self.release.tables.push(table);
            }
            Event::Late(table) => self.end(Last::Pooled(table))?,
            Event::LateByEpoch(tables) => self.end(Last::Late(tables))?,
            Event::Whole(whole) => self.end(Last::Whole(whole))?,
        }
        Some(())
    }

    /// The trial is over, if its last table is one.
    fn end(&mut self, last: Last) -> Option<()> {
        self.release.last = Some(last);
        if !self.release.last_fits() {
            self.release.last = None;
            return None;
        }
        self.people.iter_mut().for_each(|person| person.counted = true);
        Some(())
    }
}
