//! From a log to a released function.

use std::path::Path;

use reticent_curate::kernel::{Budget, Collector, Design, Population, Release, Setting, promise};
use reticent_privacy::{Delta, Epsilon};

use super::request::Request;
use super::{Log, Paid, Pilot, Purse, TuneError};
use crate::simulate::Progress;

/// What is to be released, and from what.
#[derive(Debug)]
pub struct Fit<'a> {
    /// The plan.
    pub setting: &'a Setting,
    /// Where contexts come from, as far as is public.
    pub population: &'a Population,
    /// The log's file.
    pub log: &'a Path,
    /// The release's loss.
    pub epsilon: Epsilon,
    /// Its failure probability.
    pub delta: Delta,
    /// Some people from whom length scales are learned first; `None` to take the plan's.
    pub pilot: Option<Pilot>,
    /// The log's account.
    pub purse: Purse<'a>,
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
    /// The expected root mean square error of the function, in rewards' units.
    pub expected_error: f64,
}

impl Fit<'_> {
    /// Counts the log, adds it up, pays and releases.
    pub fn run(&self, progress: &dyn Progress) -> Result<Fitted, TuneError> {
        let budget = Budget::new(self.epsilon, self.delta)?;
        let people = Log::new(self.log, self.setting).count(progress)?;
        let pair = (self.epsilon, self.delta);
        let mut request = Request::function(self.setting, self.population, self.log, people, pair);
        request.pilot = self.pilot.map(Pilot::every);
        let loss = promise(self.epsilon, self.delta).loss;
        let paid = self.purse.answer(&request.text(), loss, || {
            let (first, part) = match self.pilot {
                None => (self.collect(self.setting, people, budget, progress, Part::All)?, Part::All),
                Some(pilot) => {
                    let part = Part::Pilot(pilot);
                    (self.collect(self.setting, people, budget, progress, part)?, part)
                }
            };
            Ok(move || match part {
                Part::Pilot(pilot) => {
                    // Paid, so the pilot's noise may be drawn; the others then pay the same with their own release, not more.
                    let setting = first.release()?.with_likely_lengths(self.threads)?;
                    text(&self.collect(&setting, people, budget, progress, Part::Others(pilot))?.release()?)
                }
                _ => text(&first.release()?),
            })
        })?;
        let release: Release =
            serde_json::from_str(&paid.text).map_err(|error| TuneError::Stored(error.to_string()))?;
        let (setting, people, sigma) = (release.setting(), release.people(), budget.sigma());
        let design = Design::new(setting, self.population, people, sigma, self.threads)?;
        let expected_error = design.expected_error(sigma) * setting.half_range();
        Ok(Fitted { release, paid, expected_error })
    }

    /// Adds up the whole log, which must have this many rows.
    pub fn collect_all(
        &self,
        people: u64,
        budget: Budget,
        progress: &dyn Progress,
    ) -> Result<Collector, TuneError> {
        self.collect(self.setting, people, budget, progress, Part::All)
    }

    /// Adds up a part of the log, which must have this many rows in all.
    fn collect(
        &self,
        setting: &Setting,
        people: u64,
        budget: Budget,
        progress: &dyn Progress,
        part: Part,
    ) -> Result<Collector, TuneError> {
        let mut collector =
            Collector::new(setting, self.population, part.people(people), budget, self.threads)?;
        let add = |records: &_| Ok(collector.add(records)?);
        let now = Log::new(self.log, setting).each_of(people, progress, |row| part.holds(row), add)?;
        if now == people { Ok(collector) } else { Err(TuneError::Changed { before: people, now }) }
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

fn text(release: &Release) -> Result<String, TuneError> {
    serde_json::to_string(release).map_err(|error| TuneError::Stored(error.to_string()))
}
