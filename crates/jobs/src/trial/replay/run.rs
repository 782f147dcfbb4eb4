//! One replay: everyone is assigned, and fares as the table says.

use reticent_curate::trial::{DurableTrial, Trial, TrialError, TrialSpec};
use reticent_privacy::Generator;

use super::{Order, ReplayError, Table};

/// After so many people somebody is told.
const TELL: u64 = 64;

/// So many people of a table share one flush of the file.
const GROUP: usize = 4096;

/// Enrols everyone and stops the trial. `go_on` hears how many people were enrolled and may say no.
pub fn replay<G: Generator>(
    table: &Table,
    order: &Order,
    trial: &mut Trial<G>,
    go_on: &dyn Fn(u64) -> bool,
) -> Result<(), ReplayError> {
    let spec = trial.release().spec().clone();
    for (place, &row) in (1..).zip(order.rows()) {
        let stratum = table.stratum(&spec, row).ok_or(TrialError::SpecChanged)?;
        let assignment = trial.assign(stratum)?;
        match table.outcome(row, assignment.arm) {
            Some(outcome) => trial.record(assignment.number, outcome)?,
            None => trial.missing(assignment.number)?,
        };
        tell(place, order, go_on)?;
    }
    Ok(trial.stop()?)
}

/// The same with a trial in a file, where a patient's name is the row's number from 1. Whoever is enrolled
/// already keeps their arm; whoever has no outcome yet gets it. Nobody sees anything of the trial before it is
/// over, or interrupted: so people are kept in groups, each with one flush of the file.
pub fn replay_durably<G: Generator>(
    table: &Table,
    order: &Order,
    mut trial: DurableTrial<G>,
    go_on: &dyn Fn(u64) -> bool,
) -> Result<DurableTrial<G>, ReplayError> {
    let spec = trial.release().spec().clone();
    let mut places = 1..;
    for group in order.rows().chunks(GROUP) {
        trial = trial.together(|trial| {
            for (&row, place) in group.iter().zip(&mut places) {
                enrol(table, &spec, row, trial)?;
                tell(place, order, go_on)?;
            }
            Ok::<_, ReplayError>(())
        })?;
    }
    trial.stop()?;
    Ok(trial)
}

fn enrol<G: Generator>(
    table: &Table,
    spec: &TrialSpec,
    row: u32,
    trial: &mut DurableTrial<G>,
) -> Result<(), ReplayError> {
    let patient = (u64::from(row) + 1).to_string();
    let assignment = match trial.assignment(&patient) {
        Some(assignment) => assignment,
        None => trial.assign(&patient, table.stratum(spec, row).ok_or(TrialError::SpecChanged)?)?,
    };
    match table.outcome(row, assignment.arm) {
        Some(outcome) => trial.record(&patient, outcome)?,
        None => trial.missing(&patient)?,
    };
    Ok(())
}

fn tell(enrolled: u64, order: &Order, go_on: &dyn Fn(u64) -> bool) -> Result<(), ReplayError> {
    let left = order.rows().len() as u64 - enrolled;
    let news = if left == 0 { (enrolled - 1) % TELL + 1 } else { TELL };
    if (left == 0 || enrolled.is_multiple_of(TELL)) && !go_on(news) {
        return Err(ReplayError::Interrupted { enrolled });
    }
    Ok(())
}
