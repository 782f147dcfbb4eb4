//! What a trial's file says, step by step: who did what, and when. It is the curator's own. Arms and outcomes
//! are left out, so that whoever looks after the file is not unblinded.

use std::collections::BTreeMap;

use reticent_store::{Head, Journal, Memory, Moment};
use serde::Serialize;

use super::TrialError;
use super::author::Actor;
use super::books::Event;
use super::lines::{Entry, KIND, Line, Reading, Times};

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Step {
    /// The trial was started.
    Started,
    /// An epoch was opened, with its chances.
    Epoch,
    /// A patient was assigned an arm.
    Assigned,
    /// An outcome was recorded.
    Outcome,
    /// It was recorded that no outcome will come.
    Missing,
    /// An outcome was corrected.
    Corrected,
    /// Consent was withdrawn.
    Withdrawn,
    /// An epoch's table was published.
    Table,
    /// The last tables were published: the trial is over.
    Stopped,
}

/// One line of the file. Its `Debug` does not name anybody.
#[derive(Clone, PartialEq, Serialize)]
pub struct Logged {
    /// The line's number, from 1.
    pub line: u64,
    /// When; none before version 3.
    pub at: Option<Moment>,
    /// Who, if they were named.
    pub by: Option<Actor>,
    /// What.
    pub step: Step,
    /// Whose.
    pub patient: Option<String>,
    /// Why, if it was said.
    pub reason: Option<String>,
}

impl std::fmt::Debug for Logged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Logged").field("line", &self.line).finish_non_exhaustive()
    }
}

/// A file's steps in their order.
#[derive(Debug, Clone)]
pub struct Log {
    /// The trial's name.
    pub name: String,
    /// Each line.
    pub steps: Vec<Logged>,
    /// The same in short.
    pub times: Times,
    /// How far the file has come.
    pub head: Head,
}

/// Reads a trial's file to its end, as [`verify`](super::verify) does, and tells its steps.
pub fn log(bytes: Vec<u8>) -> Result<Log, TrialError> {
    let (journal, lines) = Journal::over(Memory::new(bytes), KIND, None)?;
    let steps = lines.iter().zip(1..).map(|(line, number)| logged(line, number)).collect::<Vec<_>>();
    let Reading { books, patients, times, .. } = Reading::of(lines)?;
    let names: BTreeMap<u64, String> = patients.into_iter().map(|(name, number)| (number, name)).collect();
    let named = |(mut one, whose): (Logged, Option<u64>)| {
        one.patient = one.patient.or_else(|| names.get(&whose?).cloned());
        one
    };
    let name = books.release().spec().draft().name.clone();
    Ok(Log { name, steps: steps.into_iter().map(named).collect(), times, head: journal.head() })
}

/// A line, and the number of the person whom it is about.
fn logged(line: &Line, number: u64) -> (Logged, Option<u64>) {
    let mut one =
        Logged { line: number, at: None, by: None, step: Step::Started, patient: None, reason: None };
    let event = match line {
        Line::ReticentTrial { at, by, .. } => {
            (one.at, one.by) = (*at, by.clone());
            return (one, None);
        }
        Line::Entry(Entry { at, by, patient, reason, event }) => {
            (one.at, one.by) = (Some(*at), by.clone());
            (one.patient, one.reason) = (patient.clone(), reason.clone());
            event
        }
        Line::Patient { name, event } => {
            one.patient = Some(name.clone());
            event
        }
        Line::Step(event) => event,
    };
    let (step, whose) = match event {
        Event::Epoch(_) => (Step::Epoch, None),
        Event::Assigned { .. } => (Step::Assigned, None),
        Event::Outcome { number, outcome: Some(_) } => (Step::Outcome, Some(*number)),
        Event::Outcome { number, outcome: None } => (Step::Missing, Some(*number)),
        Event::Corrected { number, .. } => (Step::Corrected, Some(*number)),
        Event::Withdrawn { number } => (Step::Withdrawn, Some(*number)),
        Event::Table(_) => (Step::Table, None),
        Event::Late(_) | Event::LateByEpoch(_) | Event::Whole(_) => (Step::Stopped, None),
    };
    one.step = step;
    (one, whose)
}
