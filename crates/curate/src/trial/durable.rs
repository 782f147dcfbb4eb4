//! A trial in a file: every step is on the disk before anybody sees it. Kill it between any two steps, open
//! it again, and go on.
//!
//! An assignment or a table that was drawn and lost in a crash was seen by nobody, so that drawing it again
//! repeats nothing. Whatever was seen is in the file, and is never drawn again.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use reticent_privacy::{Generator, NoiseRng, Provenance};
use reticent_store::{Head, Journal, JournalError, JournalKind};
use serde::{Deserialize, Serialize};

use super::books::{Books, Event, Recorded};
use super::enrol::{Assignment, Core, Keeper};
use super::spec::Stratum;
use super::{Release, TrialError, TrialSpec};

/// One line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Line {
    /// The first line: the plan, which cannot change.
    ReticentTrial { version: u32, spec: Box<TrialSpec>, noise: Provenance },
    /// The next person is assigned; the name is the clinic's own.
    Patient { name: String, event: Event },
    /// Any other step.
    Step(Event),
}

/// How every trial's file begins. Version 1, whose lines carry no checksum, is read, and goes on with lines
/// that do.
pub(super) const KIND: JournalKind = JournalKind { name: "reticent-trial", version: 2 };
const LONGEST_NAME: usize = 200;

/// Keeps steps in the file, a patient's name with their assignment.
struct InFile {
    journal: Journal<Line>,
    name: Option<String>,
    /// Whether lines wait for one flush of many.
    later: bool,
}

impl Keeper for InFile {
    fn keep(&mut self, event: &Event) -> Result<(), TrialError> {
        let event = event.clone();
        let name = if matches!(event, Event::Assigned { .. }) { self.name.take() } else { None };
        let line = match name {
            Some(name) => Line::Patient { name, event },
            None => Line::Step(event),
        };
        Ok(if self.later { self.journal.append_later(&line) } else { self.journal.append(&line) }?)
    }
}

/// A trial whose records are in a file. The file holds raw records: it belongs to the curator alone.
///
/// With an older copy of the file in its place, tables that are out would be drawn again, with other noise:
/// people in them would lose more than the plan says. That is noticed by a curator who keeps the
/// [`head`](DurableTrial::head) elsewhere, and by nobody else.
pub struct DurableTrial<G> {
    core: Core<G, InFile>,
    patients: BTreeMap<String, u64>,
}

impl<G> std::fmt::Debug for DurableTrial<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.core.books.shape("DurableTrial", f)
    }
}

impl DurableTrial<NoiseRng> {
    /// Starts a trial in a new file, or goes on with the one that is there. The plan must be the one it began with.
    pub fn open(path: &Path, spec: TrialSpec) -> Result<DurableTrial<NoiseRng>, TrialError> {
        DurableTrial::open_with(path, spec, NoiseRng::from_os()?)
    }

    /// Goes on with the trial that a file holds, by the plan in it. Makes no file where there is none.
    pub fn reopen(path: &Path) -> Result<DurableTrial<NoiseRng>, TrialError> {
        DurableTrial::reopen_with(path, NoiseRng::from_os()?)
    }

    /// The same, but if another process has the file open, waits for so long at the most: those who wait get it
    /// one after the other.
    pub fn reopen_waiting(path: &Path, patience: Duration) -> Result<DurableTrial<NoiseRng>, TrialError> {
        exists(path)?;
        DurableTrial::reopened(Journal::open_waiting(path, KIND, patience)?, NoiseRng::from_os()?)
    }

    /// The same for a file that has come at least as far as `head`, which was kept elsewhere; an older copy
    /// is refused.
    pub fn reopen_not_older_than(path: &Path, head: Head) -> Result<DurableTrial<NoiseRng>, TrialError> {
        DurableTrial::reopened(Journal::open_not_older_than(path, KIND, head)?, NoiseRng::from_os()?)
    }
}

impl<G: Generator> DurableTrial<G> {
    /// The same with the given generator: a seeded one is for simulation, and the file says so.
    pub fn open_with(path: &Path, spec: TrialSpec, rng: G) -> Result<DurableTrial<G>, TrialError> {
        let (mut journal, lines) = Journal::open(path, KIND)?;
        if lines.is_empty() {
            let noise = G::PROVENANCE;
            journal.append(&Line::ReticentTrial {
                version: KIND.version,
                spec: Box::new(spec.clone()),
                noise,
            })?;
            return DurableTrial::replayed(journal, spec, lines.into_iter(), rng);
        }
        let mut lines = lines.into_iter();
        let (kept, noise) = first(lines.next())?;
        if !kept.is_plan_of(&spec) || noise != G::PROVENANCE {
            return Err(TrialError::SpecChanged);
        }
        DurableTrial::replayed(journal, kept, lines, rng)
    }

    /// Goes on with the trial that a file holds, with the given generator.
    pub fn reopen_with(path: &Path, rng: G) -> Result<DurableTrial<G>, TrialError> {
        exists(path)?;
        DurableTrial::reopened(Journal::open(path, KIND)?, rng)
    }

    fn reopened((journal, lines): (Journal<Line>, Vec<Line>), rng: G) -> Result<DurableTrial<G>, TrialError> {
        let mut lines = lines.into_iter();
        let (spec, noise) = first(lines.next())?;
        if noise != G::PROVENANCE {
            let text =
                "its noise comes from another source (a seed, or the operating system); go on as it began";
            return Err(JournalError::from(std::io::Error::other(text)).into());
        }
        DurableTrial::replayed(journal, spec, lines, rng)
    }

    fn replayed(
        journal: Journal<Line>,
        spec: TrialSpec,
        lines: impl Iterator<Item = Line>,
        rng: G,
    ) -> Result<DurableTrial<G>, TrialError> {
        let mut books = Books::new(spec, G::PROVENANCE);
        let mut patients = BTreeMap::new();
        for (number, line) in lines.enumerate() {
            replay(&mut books, &mut patients, line).ok_or(TrialError::Damaged(number + 2))?;
        }
        let keeper = InFile { journal, name: None, later: false };
        Ok(DurableTrial { core: Core { books, rng, keeper }, patients })
    }

    /// Takes many steps, and keeps them with one flush of the file when all are taken or one has failed. Until
    /// this returns nothing that a step gave may be told or acted on: what a crash loses was then seen by
    /// nobody. If the file cannot be written the trial is gone with what it drew; open it again.
    pub fn together<E: From<TrialError>>(
        mut self,
        steps: impl FnOnce(&mut DurableTrial<G>) -> Result<(), E>,
    ) -> Result<DurableTrial<G>, E> {
        self.core.keeper.later = true;
        let taken = steps(&mut self);
        self.core.keeper.later = false;
        self.core.keeper.journal.flush().map_err(TrialError::from)?;
        taken.map(|()| self)
    }

    /// Assigns a new patient. One who is enrolled already is refused: [`assignment`](Self::assignment) tells theirs.
    pub fn assign(&mut self, patient: &str, stratum: Stratum) -> Result<Assignment, TrialError> {
        if patient.is_empty() || patient.len() > LONGEST_NAME {
            return Err(TrialError::PatientName);
        }
        if self.patients.contains_key(patient) {
            return Err(TrialError::DuplicatePatient);
        }
        self.core.keeper.name = Some(patient.to_string());
        let assigned = self.core.assign(stratum);
        self.core.keeper.name = None;
        let assignment = assigned?;
        self.patients.insert(patient.to_string(), assignment.number);
        Ok(assignment)
    }

    /// The assignment that a patient has: what to ask after a crash, instead of assigning again.
    pub fn assignment(&self, patient: &str) -> Option<Assignment> {
        let &number = self.patients.get(patient)?;
        let (stratum, arm, epoch) = self.core.books.assignment(number)?;
        let chance =
            self.core.books.release().propensities()[epoch as usize].share(stratum as usize, arm as usize);
        Some(Assignment { number, arm: arm as usize, chance, epoch: epoch as usize })
    }

    fn number(&self, patient: &str) -> Result<u64, TrialError> {
        self.patients.get(patient).copied().ok_or(TrialError::UnknownPatient)
    }

    /// Records a patient's outcome. One that is on record stays as it was, and a retry is safe: the answer
    /// does not tell whether it was the same.
    pub fn record(&mut self, patient: &str, outcome: f64) -> Result<Recorded, TrialError> {
        self.core.record(self.number(patient)?, outcome)
    }

    /// Records that a patient's outcome will never come.
    pub fn missing(&mut self, patient: &str) -> Result<Recorded, TrialError> {
        self.core.outcome(self.number(patient)?, None)
    }

    /// Closes the trial. Stopping again changes nothing.
    pub fn stop(&mut self) -> Result<(), TrialError> {
        self.core.stop()
    }

    /// How far the file has come: kept elsewhere, it tells an older copy.
    pub fn head(&self) -> Head {
        self.core.keeper.journal.head()
    }

    /// What anybody may see so far.
    pub fn release(&self) -> &Release {
        self.core.books.release()
    }
}

/// What a file's first line says.
pub(super) fn first(line: Option<Line>) -> Result<(TrialSpec, Provenance), TrialError> {
    match line {
        None => Err(no_trial()),
        Some(Line::ReticentTrial { spec, noise, .. }) => Ok((*spec, noise)),
        Some(_) => Err(TrialError::Damaged(1)),
    }
}

fn exists(path: &Path) -> Result<(), TrialError> {
    if path.try_exists().map_err(JournalError::from)? { Ok(()) } else { Err(no_trial()) }
}

fn no_trial() -> TrialError {
    let text = "no trial was started in it; start one first";
    JournalError::from(std::io::Error::new(std::io::ErrorKind::NotFound, text)).into()
}

pub(super) fn replay(books: &mut Books, patients: &mut BTreeMap<String, u64>, line: Line) -> Option<()> {
    let number = books.release().enrolled();
    match line {
        Line::Step(event) if !matches!(event, Event::Assigned { .. }) => books.apply(event),
        Line::Patient { name, event } if matches!(event, Event::Assigned { .. }) => {
            books.apply(event)?;
            patients.insert(name, number).is_none().then_some(())
        }
        _ => None,
    }
}
