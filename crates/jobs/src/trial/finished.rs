//! One release of a finished trial's table, under the account of its people.

use reticent_curate::trial::{Adjust, Finished, Release, TrialError, TrialSpec};
use reticent_privacy::{Generator, NoiseRng};
use serde_json::json;

use super::replay::{Drawn, Moved, Order, ReplayError, Seen, Table, TrialFile, text};
use crate::account::{Paid, Purse, Question, written};

/// The plan by which the table is released: with as many people as it has, and its arms' shares. Arms and the
/// number of people are public.
pub fn finished_plan(spec: &TrialSpec, table: &Table) -> Result<TrialSpec, ReplayError> {
    let on_arms = table.on_arms().ok_or(ReplayError::NotRandomised)?;
    Ok(spec.finished(&on_arms).map_err(TrialError::from)?)
}

/// The same with its effect adjusted for covariates, which the table must have been read with.
pub fn adjusted_plan(spec: &TrialSpec, adjust: &Adjust) -> Result<TrialSpec, ReplayError> {
    Ok(spec.adjusted(adjust.clone()).map_err(TrialError::from)?)
}

/// Releases the people of the order, once, by a plan that [`finished_plan`] or [`adjusted_plan`] made.
pub fn release_finished<G: Generator>(
    spec: &TrialSpec,
    table: &Table,
    order: &Order,
    rng: &mut G,
) -> Result<Release, ReplayError> {
    let person = |&row: &u32| -> Result<Finished, ReplayError> {
        let arm = table.given(row).ok_or(ReplayError::NotRandomised)?;
        let stratum = table.stratum(spec, row).ok_or(TrialError::SpecChanged)?;
        Ok(Finished { stratum, arm, outcome: table.outcome(row, arm) })
    };
    if spec.draft().adjust.is_some() {
        let with = |row: &u32| Ok((person(row)?, table.covariates(*row).to_vec()));
        let people: Vec<(Finished, Vec<f64>)> =
            order.rows().iter().map(with).collect::<Result<_, ReplayError>>()?;
        return Ok(Release::of_adjusted(spec.clone(), &people, rng)?);
    }
    let people: Vec<Finished> = order.rows().iter().map(person).collect::<Result<_, _>>()?;
    Ok(Release::of_finished(spec.clone(), people, rng)?)
}

/// Releases an adjusted table of the order's people with arms given anew: a simulation.
pub fn release_moved<G: Generator>(
    moved: &Moved<'_>,
    (spec, table): (&TrialSpec, &Table),
    order: &Order,
    rng: &mut G,
) -> Result<Release, ReplayError> {
    let person = |(place, &row): (usize, &u32)| -> Result<(Finished, Vec<f64>), ReplayError> {
        let (arm, stratum) = (moved.arm(place), table.stratum(spec, row).ok_or(TrialError::SpecChanged)?);
        Ok((Finished { stratum, arm, outcome: moved.outcome(row, arm) }, table.covariates(row).to_vec()))
    };
    let people: Vec<_> = order.rows().iter().enumerate().map(person).collect::<Result<_, _>>()?;
    Ok(Release::of_adjusted(spec.clone(), &people, rng)?)
}

/// Everyone, as in the file.
pub fn everyone(table: &Table) -> Result<Order, ReplayError> {
    Ok(Order::new(Drawn::InOrder, table.rows(), table.rows().into(), &mut NoiseRng::from_os()?))
}

/// A private release of a finished trial.
#[derive(Debug)]
pub struct PaidFinished<'a> {
    /// The plan that [`finished_plan`] made.
    pub spec: &'a TrialSpec,
    /// The plan's file, which says how the table is read.
    pub file: &'a TrialFile,
    /// The table.
    pub seen: &'a Seen,
    /// The curator's accounts.
    pub purse: Purse<'a>,
}

impl PaidFinished<'_> {
    /// The stored release of the same plan on the same table, which costs nothing; or a new one, for which the
    /// plan's epsilon is charged.
    pub fn run(&self) -> Result<(Release, Paid), ReplayError> {
        let asked = json!({
            "what": "finished trial", "plan": self.spec, "shown": format!("{:?}", self.file.table()?),
            "table": written(self.file.format()), "mark": self.seen.sighting.mark(),
        })
        .to_string();
        let question = Question {
            seen: &self.seen.sighting,
            text: &asked,
            loss: self.spec.guarantee().loss,
            what: "trial analyse",
            before: None,
            state: None,
        };
        // Drawn in memory; paid for; and only then it can be seen.
        let paid = self.purse.answer(question, || {
            let (table, mut rng) = (&self.seen.table, NoiseRng::from_os()?);
            let release = release_finished(self.spec, table, &everyone(table)?, &mut rng)?;
            Ok(move || text(&release))
        })?;
        let release =
            serde_json::from_str(&paid.text).map_err(|error| ReplayError::Stored(error.to_string()))?;
        Ok((release, paid))
    }
}
