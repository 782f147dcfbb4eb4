//! One action for one context under pure epsilon.

use std::path::Path;

use reticent_curate::kernel::{Chooser, KernelSpec, Points, Population, ReleaseError};
use reticent_privacy::{Epsilon, Noise, NoiseRng};

use super::action::{Choice, ChosenAction};
use super::request::Request;
use super::{Log, TuneError};
use crate::Progress;
use crate::account::{Before, Paid, Purse, Question};
use crate::columns::RawTable;

/// What is to be chosen, and from what.
#[derive(Debug)]
pub struct Once<'a> {
    /// The plan.
    pub setting: &'a KernelSpec,
    /// Where contexts come from, as far as is public.
    pub population: &'a Population,
    /// The log.
    pub log: &'a RawTable,
    /// The context, in its own units.
    pub context: &'a [f64],
    /// The choice's loss.
    pub epsilon: Epsilon,
    /// The curator's accounts.
    pub purse: Purse<'a>,
    /// The account's file that the first versions kept beside the log.
    pub old_account: Option<&'a Path>,
    /// Threads; the choice does not depend on them.
    pub threads: usize,
}

/// A choice that is paid for.
#[derive(Debug)]
pub struct Chosen {
    /// The choice, with what it promises: what may be published.
    pub document: ChosenAction,
    /// The account after it.
    pub paid: Paid,
}

impl Once<'_> {
    /// Counts the log, adds it up, pays and chooses.
    pub fn run(&self, progress: &dyn Progress) -> Result<Chosen, TuneError> {
        let Once { setting, population, log, epsilon, .. } = *self;
        let (counted, seen) = Log::new(log, setting).look(self.purse.accounts.key(), progress)?;
        let people = counted.rows;
        let numbered = self.context.iter().enumerate();
        let context: Vec<f64> = numbered.map(|(i, &x)| setting.scaled(setting.actions() + i, x)).collect();
        let request = Request::action(setting, population, log, &seen, epsilon, Some(&context));
        let (text, older) = (request.text(), request.older(log, counted).text());
        let grid = Points::candidates(setting.actions());
        let made = Choice { setting, epsilon, people, candidates: grid.len(), context: self.context };
        let mut choice = Chooser::new(setting, population, people, epsilon, grid, self.threads)?;
        let made = &made;
        let loss = choice.guarantee().loss;
        let before = self.old_account.map(|file| Before { file, text: &older });
        let question =
            Question { seen: &seen, text: &text, loss, what: "tune fit --once", before, state: None };
        let paid = self.purse.answer(question, || {
            let now = Log::new(log, setting).each(people, progress, |records| Ok(choice.add(records)?))?;
            if now != counted {
                return Err(TuneError::Changed);
            }
            Ok(move || {
                let mut rng = NoiseRng::from_os().map_err(ReleaseError::from)?;
                let place = choice.choose(&context, &mut rng)?;
                let document = made.made(&place, choice.guarantee().noise);
                serde_json::to_string(&document).map_err(|error| TuneError::Stored(error.to_string()))
            })
        })?;
        let document = stored(&paid.text, made)?;
        Ok(Chosen { document, paid })
    }
}

/// The document that an account keeps. Version 1 kept the place alone, and not where its noise came from.
fn stored(text: &str, made: &Choice) -> Result<ChosenAction, TuneError> {
    let place: Result<Vec<f64>, _> = serde_json::from_str(text);
    match place {
        Ok(place) if place.len() == made.setting.actions() => Ok(made.made(&place, Noise::NotStated)),
        _ => serde_json::from_str(text).map_err(|error| TuneError::Stored(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use reticent_curate::kernel::Draft;

    use super::*;

    #[test]
    fn an_action_that_version_1_kept_is_given_again_and_says_nothing_of_its_noise() {
        let plan: Draft = toml::from_str(crate::tune::EXAMPLE).unwrap();
        let setting = KernelSpec::try_from(plan).unwrap();
        let epsilon = Epsilon::new(0.5).unwrap();
        let choice =
            Choice { setting: &setting, epsilon, people: 200, candidates: 101, context: &[40.0, 70.0] };
        let old = stored("[0.25]", &choice).unwrap();
        assert_eq!((old.action(), old.guarantee().protects()), (vec![2.5], None));
        assert!(old.guarantee().to_string().starts_with("0.5-DP, central model (where its noise"));
        let again = stored(&serde_json::to_string(&old).unwrap(), &choice).unwrap();
        assert_eq!(again, old);
        for damaged in ["[0.25,0.5]", "[]", "{}", "", "0.25"] {
            assert!(stored(damaged, &choice).is_err(), "{damaged}");
        }
    }
}
