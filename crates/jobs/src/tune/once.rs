//! One action for one context under pure epsilon.

use std::path::Path;

use reticent_curate::kernel::{Chooser, KernelSpec, Points, Population, ReleaseError};
use reticent_privacy::{Epsilon, Guarantee, NoiseRng};

use super::request::Request;
use super::{AccountFile, Log, Paid, TuneError};
use crate::Progress;

/// What is to be chosen, and from what.
#[derive(Debug)]
pub struct Once<'a> {
    /// The plan.
    pub setting: &'a KernelSpec,
    /// Where contexts come from, as far as is public.
    pub population: &'a Population,
    /// The log's file.
    pub log: &'a Path,
    /// The context, in its own units.
    pub context: &'a [f64],
    /// The choice's loss.
    pub epsilon: Epsilon,
    /// The log's account.
    pub purse: AccountFile<'a>,
    /// Threads; the choice does not depend on them.
    pub threads: usize,
}

/// A choice that is paid for.
#[derive(Debug)]
pub struct Chosen {
    /// The action, in its own units.
    pub action: Vec<f64>,
    /// What it promises.
    pub guarantee: Guarantee,
    /// How many people it was chosen from.
    pub people: u64,
    /// How many actions there were to choose from.
    pub candidates: usize,
    /// The account after it.
    pub paid: Paid,
}

impl Once<'_> {
    /// Counts the log, adds it up, pays and chooses.
    pub fn run(&self, progress: &dyn Progress) -> Result<Chosen, TuneError> {
        let Once { setting, population, log, epsilon, .. } = *self;
        let counted = Log::new(log, setting).count(progress)?;
        let people = counted.rows;
        let numbered = self.context.iter().enumerate();
        let context: Vec<f64> = numbered.map(|(i, &x)| setting.scaled(setting.actions() + i, x)).collect();
        let request = Request::action(setting, population, log, counted, epsilon, Some(&context)).text();
        let grid = Points::candidates(setting.actions());
        let count = grid.len();
        let mut choice = Chooser::new(setting, population, people, epsilon, grid, self.threads)?;
        let guarantee = choice.guarantee();
        let paid = self.purse.answer(&request, guarantee.loss, || {
            let now = Log::new(log, setting).each(people, progress, |records| Ok(choice.add(records)?))?;
            if now != counted {
                return Err(TuneError::Changed);
            }
            Ok(move || {
                let mut rng = NoiseRng::from_os().map_err(ReleaseError::from)?;
                let place = choice.choose(&context, &mut rng)?;
                serde_json::to_string(&place).map_err(|error| TuneError::Stored(error.to_string()))
            })
        })?;
        let place: Vec<f64> =
            serde_json::from_str(&paid.text).map_err(|error| TuneError::Stored(error.to_string()))?;
        let action = place.iter().enumerate().map(|(i, &x)| setting.unscaled(i, x)).collect();
        Ok(Chosen { action, guarantee, people, candidates: count, paid })
    }
}
