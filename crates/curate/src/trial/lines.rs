//! The lines of a trial's file, and what they say together.

use std::collections::BTreeMap;

use reticent_privacy::Provenance;
use reticent_store::{JournalError, JournalKind, Moment};
use serde::{Deserialize, Serialize};

use super::author::Actor;
use super::books::{Books, Event};
use super::{TrialError, TrialSpec};

/// One line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Line {
    /// The first line: the plan, which cannot change; from version 3 on with when it was begun and by whom.
    ReticentTrial {
        version: u32,
        spec: Box<TrialSpec>,
        noise: Provenance,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Moment>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Actor>,
    },
    /// Any other step.
    Entry(Entry),
    /// An assignment as versions 1 and 2 wrote it.
    Patient { name: String, event: Event },
    /// Any other step, likewise.
    Step(Event),
}

/// A step, when it was taken, and by whom.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) at: Moment,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<Actor>,
    /// Who is assigned: the clinic's own name for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) patient: Option<String>,
    /// Why something was corrected or withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    pub(super) event: Event,
}

/// How every trial's file begins. Version 1, whose lines carry no checksum, and version 2, whose lines have no
/// time and no author, are read, and go on with lines that do.
pub(super) const KIND: JournalKind = JournalKind { name: "reticent-trial", version: 3 };
/// The first version whose lines say when and by whom.
const SIGNED: u32 = 3;

/// When a file's lines were written and by whom, in short. It is the curator's own: it follows the records.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Times {
    /// The version of the file's first line.
    pub version: u32,
    /// When the trial was begun, and by whom; none in a file from before version 3.
    pub begun: Option<(Moment, Option<Actor>)>,
    /// The last line's moment.
    pub last: Option<Moment>,
    /// Lines without a time, from before version 3.
    pub without_time: u64,
    /// Lines with a time and without an author: nobody was named.
    pub without_author: u64,
    /// How often a line is earlier than the one before it: a clock was put back, or is wrong.
    pub went_back: u64,
}

/// When the last step was taken, and how many there were, follows people's outcomes.
impl std::fmt::Debug for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Times").field("version", &self.version).finish_non_exhaustive()
    }
}

impl Times {
    fn signed(&mut self, at: Moment, by: Option<&Actor>) {
        self.went_back += u64::from(self.last.is_some_and(|last| at < last));
        self.without_author += u64::from(by.is_none());
        self.last = Some(at);
    }
}

/// A file as far as it was read.
pub(super) struct Reading {
    pub(super) books: Books,
    pub(super) patients: BTreeMap<String, u64>,
    pub(super) times: Times,
    pub(super) noise: Provenance,
}

impl Reading {
    /// A file that begins with this line.
    pub(super) fn begin(first: Option<Line>) -> Result<Reading, TrialError> {
        match first {
            None => Err(no_trial()),
            Some(Line::ReticentTrial { version, spec, noise, at, by }) => {
                let mut times = Times { version, ..Times::default() };
                match at {
                    Some(at) => times.signed(at, by.as_ref()),
                    None if version >= SIGNED => return Err(TrialError::Damaged(1)),
                    None => times.without_time = 1,
                }
                times.begun = at.map(|at| (at, by));
                Ok(Reading { books: Books::new(*spec, noise), patients: BTreeMap::new(), times, noise })
            }
            Some(_) => Err(TrialError::Damaged(1)),
        }
    }

    /// All lines of a file.
    pub(super) fn of(lines: impl IntoIterator<Item = Line>) -> Result<Reading, TrialError> {
        let mut lines = lines.into_iter();
        let mut reading = Reading::begin(lines.next())?;
        for (number, line) in lines.enumerate() {
            reading.take(line).ok_or(TrialError::Damaged(number + 2))?;
        }
        Ok(reading)
    }

    /// The next line; none if it does not fit those before it.
    pub(super) fn take(&mut self, line: Line) -> Option<()> {
        let (patient, event) = match line {
            Line::ReticentTrial { .. } => return None,
            Line::Entry(Entry { at, by, patient, event, .. }) => {
                self.times.signed(at, by.as_ref());
                (patient, event)
            }
            // After a line with a time none without can follow.
            Line::Patient { .. } | Line::Step(_) if self.times.last.is_some() => return None,
            Line::Patient { name, event } => (Some(name), event),
            Line::Step(event) => (None, event),
        };
        self.times.without_time += u64::from(self.times.last.is_none());
        let (number, assigned) = (self.books.release().enrolled(), matches!(event, Event::Assigned { .. }));
        self.books.apply(event)?;
        match patient {
            Some(name) if assigned => self.patients.insert(name, number).is_none().then_some(()),
            None if !assigned => Some(()),
            _ => None,
        }
    }
}

pub(super) fn no_trial() -> TrialError {
    let text = "no trial was started in it; start one first";
    JournalError::from(std::io::Error::new(std::io::ErrorKind::NotFound, text)).into()
}
