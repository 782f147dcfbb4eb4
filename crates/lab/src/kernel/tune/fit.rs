//! From a log to a released function.

use std::path::Path;

use reticent_curate::kernel::{Budget, Collector, Design, Population, Release, Setting, promise};
use reticent_privacy::{Delta, Epsilon};

use super::request::Request;
use super::{Log, Paid, Purse, TuneError};
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
        let request = Request::function(self.setting, self.population, self.log, people, pair).text();
        let mut error = None;
        let paid = self.purse.answer(&request, promise(self.epsilon, self.delta).loss, || {
            let collector = self.collect(people, budget, progress)?;
            error = Some(collector.design().expected_error(budget.sigma()));
            Ok(move || text(&collector.release()?))
        })?;
        let release =
            serde_json::from_str(&paid.text).map_err(|error| TuneError::Stored(error.to_string()))?;
        let error = match error {
            Some(error) => error,
            None => Design::new(self.setting, self.population, people, budget.sigma(), self.threads)?
                .expected_error(budget.sigma()),
        };
        Ok(Fitted { release, paid, expected_error: error * self.setting.half_range() })
    }

    /// Adds up the log, which must have this many rows.
    pub fn collect(
        &self,
        people: u64,
        budget: Budget,
        progress: &dyn Progress,
    ) -> Result<Collector, TuneError> {
        let mut collector = Collector::new(self.setting, self.population, people, budget, self.threads)?;
        let add = |records: &_| Ok(collector.add(records)?);
        let now = Log::new(self.log, self.setting).each(people, progress, add)?;
        if now == people { Ok(collector) } else { Err(TuneError::Changed { before: people, now }) }
    }
}

fn text(release: &Release) -> Result<String, TuneError> {
    serde_json::to_string(release).map_err(|error| TuneError::Stored(error.to_string()))
}
