//! A replay under the account of its table's people.

use std::path::Path;

use reticent_curate::trial::{DurableTrial, Release, Trial, TrialSpec};
use reticent_privacy::NoiseRng;
use reticent_store::accounts::{Key, Sighting};
use serde_json::json;

use super::{Drawn, Order, ReplayError, Table, TrialFile, replay, replay_durably};
use crate::account::{Asked, Paid, Purse, Question, RowMarks, Settled, written};
use crate::columns::TableFiles;

/// A table, and what it was seen to be.
#[derive(Debug)]
pub struct Seen {
    /// Its people.
    pub table: Table,
    /// What they are known by.
    pub(crate) sighting: Sighting,
    /// A mark of their order.
    order: u64,
}

impl Seen {
    /// Reads a table, and looks at its rows to know them again.
    pub fn read(
        files: &TableFiles,
        spec: &TrialSpec,
        file: &TrialFile,
        key: &Key,
    ) -> Result<Seen, ReplayError> {
        let layout = file.layout(spec)?;
        let mut marks = RowMarks::new(key, layout.names());
        let table = Table::read(files, spec, file, Some(&mut marks))?;
        let (sighting, order) = marks.finish(files.name());
        Ok(Seen { table, sighting, order })
    }
}

/// A private trial on a table.
#[derive(Debug)]
pub struct PaidReplay<'a> {
    /// The plan.
    pub spec: &'a TrialSpec,
    /// The plan's file, which says how the table is read.
    pub file: &'a TrialFile,
    /// The table.
    pub seen: &'a Seen,
    /// In which order people arrive.
    pub drawn: Drawn,
    /// The file that the trial is kept in, if it is.
    pub state: Option<&'a Path>,
    /// The curator's accounts.
    pub purse: Purse<'a>,
}

impl PaidReplay<'_> {
    /// The stored release of the same trial on the same table, which costs nothing; or everyone is enrolled,
    /// and the plan's epsilon is charged.
    pub fn run(&self, go_on: &dyn Fn(u64) -> bool) -> Result<(Release, Paid), ReplayError> {
        let text = self.question()?;
        let question = Question {
            seen: &self.seen.sighting,
            text: &text,
            loss: self.spec.guarantee().loss,
            what: "trial run",
            before: None,
            state: self.state,
        };
        let paid = match self.state {
            None => self.in_memory(question, go_on)?,
            Some(state) => self.in_file(question, state, go_on)?,
        };
        let release =
            serde_json::from_str(&paid.text).map_err(|error| ReplayError::Stored(error.to_string()))?;
        Ok((release, paid))
    }

    fn question(&self) -> Result<String, ReplayError> {
        let order = (self.drawn == Drawn::InOrder).then(|| format!("{:016x}", self.seen.order));
        Ok(json!({
            "what": "trial", "plan": self.spec, "shown": format!("{:?}", self.file.table()?), "order": order,
            "table": written(self.file.format()), "mark": self.seen.sighting.mark(),
        })
        .to_string())
    }

    fn order(&self) -> Result<Order, ReplayError> {
        let people = self.spec.draft().people;
        Ok(Order::new(self.drawn, self.seen.table.rows(), people, &mut NoiseRng::from_os()?))
    }

    /// The trial is drawn in memory, where an interruption or a crash takes it with it; then it is paid for, and
    /// only then it can be seen.
    fn in_memory(&self, question: Question, go_on: &dyn Fn(u64) -> bool) -> Result<Paid, ReplayError> {
        self.purse.answer(question, || {
            let mut trial = Trial::start(self.spec.clone())?;
            replay(&self.seen.table, &self.order()?, &mut trial, go_on)?;
            Ok(move || text(trial.release()))
        })
    }

    /// The file can be read while the trial runs: it is paid for first. An interrupted trial goes on in its file
    /// and pays no more.
    fn in_file(
        &self,
        question: Question,
        state: &Path,
        go_on: &dyn Fn(u64) -> bool,
    ) -> Result<Paid, ReplayError> {
        let asked = Asked::new(question);
        if let Some(paid) = self.purse.look_up(&asked)? {
            return Ok(paid);
        }
        // A file that cannot be used costs nothing.
        let trial = DurableTrial::open(state, self.spec.clone())?;
        let receipt = match self.purse.pay(&asked)? {
            Settled::Stored(paid) => return Ok(paid),
            Settled::Paid(receipt) => receipt,
        };
        match replay_durably(&self.seen.table, &self.order()?, trial, go_on) {
            Err(stopped @ ReplayError::Interrupted { .. }) => Err(stopped),
            done => Ok(receipt.settle(done.and_then(|trial| text(trial.release())))?),
        }
    }
}

pub(crate) fn text(release: &Release) -> Result<String, ReplayError> {
    serde_json::to_string(release).map_err(|error| ReplayError::Stored(error.to_string()))
}
