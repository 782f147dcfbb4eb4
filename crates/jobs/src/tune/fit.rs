//! From a log to a released function.

use std::path::Path;

use reticent_curate::kernel::{
    Collector, KernelSpec, People, Population, Release, ReleaseLoss, Surface, promise,
};
use reticent_privacy::{Delta, Epsilon};

use super::request::Request;
use super::{Counted, Log, Pilot, TuneError};
use crate::Progress;
use crate::account::{Before, Paid, Purse, Question};
use crate::columns::RawTable;

/// What is to be released, and from what.
#[derive(Debug)]
pub struct Fit<'a> {
    /// The plan.
    pub setting: &'a KernelSpec,
    /// Where contexts come from, as far as is public.
    pub population: &'a Population,
    /// The log.
    pub log: &'a RawTable,
    /// The release's loss.
    pub epsilon: Epsilon,
    /// Its failure probability.
    pub delta: Delta,
    /// Some people from whom length scales are learned first; `None` to take the plan's.
    pub pilot: Option<Pilot>,
    /// The curator's accounts.
    pub purse: Purse<'a>,
    /// The account's file that the first versions kept beside the log.
    pub old_account: Option<&'a Path>,
    /// Threads; the release does not depend on them.
    pub threads: usize,
}

/// A release that is paid for.
#[derive(Debug)]
pub struct Fitted {
    /// The release.
    pub release: Release,
    /// The account after it. Its text is the release's file.
    pub paid: Paid,
    /// The root mean square error of the function by its own posterior, in rewards' units.
    pub expected_error: f64,
    /// How the people of the log are beside what was declared; releases of earlier versions do not tell.
    pub people: Option<People>,
}

impl Fit<'_> {
    /// Counts the log, adds it up, pays and releases.
    pub fn run(&self, progress: &dyn Progress) -> Result<Fitted, TuneError> {
        let budget = ReleaseLoss::new(self.epsilon, self.delta)?;
        let (counted, seen) = Log::new(self.log, self.setting).look(self.purse.accounts.key(), progress)?;
        let pair = (self.epsilon, self.delta);
        let mut request = Request::function(self.setting, self.population, self.log, &seen, pair);
        request.pilot = self.pilot.map(Pilot::every);
        let loss = promise(self.epsilon, self.delta).loss;
        let (text, older) = (request.text(), request.older(self.log, counted).text());
        let before = self.old_account.map(|file| Before { file, text: &older });
        let question = Question { seen: &seen, text: &text, loss, what: "tune fit", before, state: None };
        let paid = self.purse.answer(question, || {
            let part = self.pilot.map_or(Part::All, Part::Pilot);
            let first = self.collect(self.setting, counted, budget, progress, part)?;
            Ok(move || match part {
                Part::Pilot(pilot) => {
                    // Paid, so the pilot's noise may be drawn. The others pay the same for their own release,
                    // not more. From here on nothing may stop it.
                    let setting = first.release()?.with_likely_lengths(self.threads)?;
                    let others = Part::Others(pilot);
                    let rest = self.collect(&setting, counted, budget, &Unstoppable(progress), others);
                    written(&rest.map_err(TuneError::after_payment)?.release()?)
                }
                _ => written(&first.release()?),
            })
        })?;
        let release: Release =
            serde_json::from_str(&paid.text).map_err(|error| TuneError::Stored(error.to_string()))?;
        let surface = Surface::read(&release, self.threads)?;
        Ok(Fitted {
            release,
            paid,
            expected_error: surface.typical_error(),
            people: surface.people().copied(),
        })
    }

    /// Adds up the whole log, which must be as it was counted.
    pub fn collect_all(
        &self,
        counted: Counted,
        budget: ReleaseLoss,
        progress: &dyn Progress,
    ) -> Result<Collector, TuneError> {
        self.collect(self.setting, counted, budget, progress, Part::All)
    }

    /// Adds up a part of the log, which must be as it was counted.
    fn collect(
        &self,
        setting: &KernelSpec,
        counted: Counted,
        budget: ReleaseLoss,
        progress: &dyn Progress,
        part: Part,
    ) -> Result<Collector, TuneError> {
        let mut collector =
            Collector::new(setting, self.population, part.people(counted.rows), budget, self.threads)?;
        let add = |records: &_| Ok(collector.add(records)?);
        let now = Log::new(self.log, setting).each_of(counted.rows, progress, |row| part.holds(row), add)?;
        if now == counted { Ok(collector) } else { Err(TuneError::Changed) }
    }
}

/// Some of a log's people.
#[derive(Debug, Clone, Copy)]
enum Part {
    All,
    Pilot(Pilot),
    Others(Pilot),
}

impl Part {
    fn holds(self, row: u64) -> bool {
        match self {
            Part::All => true,
            Part::Pilot(pilot) => pilot.holds(row),
            Part::Others(pilot) => !pilot.holds(row),
        }
    }

    fn people(self, all: u64) -> u64 {
        match self {
            Part::All => all,
            Part::Pilot(pilot) => pilot.people(all),
            Part::Others(pilot) => all - pilot.people(all),
        }
    }
}

/// Progress that does not listen: after payment, stopping would lose what was paid for.
struct Unstoppable<'a>(&'a dyn Progress);

impl Progress for Unstoppable<'_> {
    fn begin(&self, label: &str) {
        self.0.begin(label);
    }
    fn size(&self, people: u64) {
        self.0.size(people);
    }
    fn served(&self, people: u64) {
        self.0.served(people);
    }
    fn trial(&self, finished: usize, total: usize) {
        self.0.trial(finished, total);
    }
    fn stop(&self) -> bool {
        false
    }
}

fn written(release: &Release) -> Result<String, TuneError> {
    serde_json::to_string(release).map_err(|error| TuneError::Stored(error.to_string()))
}
