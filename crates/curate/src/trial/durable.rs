//! A trial in a file: every step is on the disk before anybody sees it. Kill it between any two steps, open
//! it again, and go on.
//!
//! An assignment or a table that was drawn and lost in a crash was seen by nobody, so that drawing it again
//! repeats nothing. Whatever was seen is in the file, and is never drawn again.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use reticent_privacy::{Generator, NoiseRng};
use reticent_store::{Head, Journal, JournalError, Storage};

use super::author::{Author, is_plain};
use super::books::{Amended, Event, Recorded};
use super::enrol::{Assignment, Core, Keeper};
use super::lines::{Entry, KIND, Line, Reading, Times, no_trial};
use super::spec::Stratum;
use super::{Release, TrialError, TrialSpec};

const LONGEST_NAME: usize = 200;
const LONGEST_REASON: usize = 500;

/// Keeps steps in the file, with who takes them and when, a patient's name with their assignment, and why
/// something was changed.
struct InFile {
    journal: Journal<Line>,
    author: Author,
    name: Option<String>,
    reason: Option<String>,
    /// Whether lines wait for one flush of many.
    later: bool,
}

impl Keeper for InFile {
    fn keep(&mut self, event: &Event) -> Result<(), TrialError> {
        let event = event.clone();
        let patient = if matches!(event, Event::Assigned { .. }) { self.name.take() } else { None };
        let (at, by) = self.author.sign();
        let line = Line::Entry(Entry { at, by, patient, reason: self.reason.take(), event });
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
    times: Times,
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
        DurableTrial::open_by(path, spec, rng, Author::default())
    }

    /// The same, begun by somebody.
    pub fn open_by(
        path: &Path,
        spec: TrialSpec,
        rng: G,
        author: Author,
    ) -> Result<DurableTrial<G>, TrialError> {
        DurableTrial::opened(Journal::open(path, KIND)?, spec, rng, author)
    }

    /// The same in a storage of the caller's, which nobody else may write meanwhile.
    pub fn open_over(
        storage: impl Storage + 'static,
        spec: TrialSpec,
        rng: G,
        author: Author,
    ) -> Result<DurableTrial<G>, TrialError> {
        DurableTrial::opened(Journal::over(storage, KIND, None)?, spec, rng, author)
    }

    fn opened(
        (mut journal, lines): (Journal<Line>, Vec<Line>),
        spec: TrialSpec,
        rng: G,
        author: Author,
    ) -> Result<DurableTrial<G>, TrialError> {
        if lines.is_empty() {
            let ((at, by), version, noise) = (author.sign(), KIND.version, G::PROVENANCE);
            let first = Line::ReticentTrial { version, spec: Box::new(spec), noise, at: Some(at), by };
            journal.append(&first)?;
            return Ok(DurableTrial::read(journal, Reading::begin(Some(first))?, rng).by(author));
        }
        let reading = Reading::of(lines)?;
        if !reading.books.release().spec().is_plan_of(&spec) || reading.noise != G::PROVENANCE {
            return Err(TrialError::SpecChanged);
        }
        Ok(DurableTrial::read(journal, reading, rng).by(author))
    }

    /// Goes on with the trial that a file holds, with the given generator.
    pub fn reopen_with(path: &Path, rng: G) -> Result<DurableTrial<G>, TrialError> {
        exists(path)?;
        DurableTrial::reopened(Journal::open(path, KIND)?, rng)
    }

    fn reopened((journal, lines): (Journal<Line>, Vec<Line>), rng: G) -> Result<DurableTrial<G>, TrialError> {
        let reading = Reading::of(lines)?;
        if reading.noise != G::PROVENANCE {
            let text =
                "its noise comes from another source (a seed, or the operating system); go on as it began";
            return Err(JournalError::from(std::io::Error::other(text)).into());
        }
        Ok(DurableTrial::read(journal, reading, rng))
    }

    fn read(journal: Journal<Line>, reading: Reading, rng: G) -> DurableTrial<G> {
        let Reading { books, patients, times, .. } = reading;
        let keeper = InFile { journal, author: Author::default(), name: None, reason: None, later: false };
        DurableTrial { core: Core { books, rng, keeper }, patients, times }
    }

    /// Whoever takes the next steps.
    #[must_use]
    pub fn by(mut self, author: Author) -> DurableTrial<G> {
        self.core.keeper.author = author;
        self
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

    /// Corrects the outcome that a patient has on record, to none if it never came, and may say why. What is in
    /// a published table stands as it is. The same correction again changes nothing, and has the same answer.
    pub fn correct(
        &mut self,
        patient: &str,
        outcome: Option<f64>,
        reason: Option<&str>,
    ) -> Result<Amended, TrialError> {
        let number = self.number(patient)?;
        self.with_reason(reason, |core| core.correct(number, outcome))
    }

    /// A patient takes back their consent, and may say why: no outcome of theirs will be in any table that is not
    /// published yet. Again it changes nothing, and has the same answer.
    pub fn withdraw(&mut self, patient: &str, reason: Option<&str>) -> Result<Amended, TrialError> {
        let number = self.number(patient)?;
        self.with_reason(reason, |core| core.withdraw(number))
    }

    fn with_reason<T>(
        &mut self,
        reason: Option<&str>,
        step: impl FnOnce(&mut Core<G, InFile>) -> Result<T, TrialError>,
    ) -> Result<T, TrialError> {
        if reason.is_some_and(|text| !is_plain(text, LONGEST_REASON)) {
            return Err(TrialError::Reason);
        }
        self.core.keeper.reason = reason.map(String::from);
        let taken = step(&mut self.core);
        self.core.keeper.reason = None;
        taken
    }

    /// Closes the trial. Stopping again changes nothing.
    pub fn stop(&mut self) -> Result<(), TrialError> {
        self.core.stop()
    }

    /// How far the file has come: kept elsewhere, it tells an older copy.
    pub fn head(&self) -> Head {
        self.core.keeper.journal.head()
    }

    /// When the lines were written that the file had when it was opened: the curator's own.
    pub fn times(&self) -> &Times {
        &self.times
    }

    /// What anybody may see so far.
    pub fn release(&self) -> &Release {
        self.core.books.release()
    }
}

fn exists(path: &Path) -> Result<(), TrialError> {
    if path.try_exists().map_err(JournalError::from)? { Ok(()) } else { Err(no_trial()) }
}
