//! A plan's file.

use std::path::Path;

use reticent_curate::kernel::{Draft, KernelSpec};

use super::TuneError;
use super::log::layout;
use crate::columns::TableFormat;
use crate::experiment_file::{NOT_BY_HAND, experiment};
use crate::plan_text::{PlanFault, PlanText, table_format};
use reticent_store::files;

/// A plan, and how its tables are written.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What is tuned.
    pub setting: KernelSpec,
    /// How a log of it is written.
    pub table: TableFormat,
}

/// Reads and checks a plan: the experiment's document, or a plan of version 1.
pub fn read_plan(path: &Path) -> Result<Plan, TuneError> {
    let file = path.display().to_string();
    let text = files::read_text(path)?;
    let wrong = |message| TuneError::PlanFile { file: file.clone(), message };
    let (setting, table) = if let Some(read) = experiment(&text) {
        let table = table_format(&text).map_err(|fault| wrong(fault.to_string()))?;
        (KernelSpec::of(&read.map_err(wrong)?), table)
    } else {
        let (draft, table) = parsed(&text).map_err(|fault| wrong(fault.to_string()))?;
        if draft.experiment.is_some() {
            return Err(wrong(NOT_BY_HAND.into()));
        }
        (KernelSpec::try_from(draft), table)
    };
    let setting = setting.map_err(|fault| TuneError::Draft { file: file.clone(), fault })?;
    let plan = setting.draft();
    let inputs = plan.actions.iter().chain(&plan.contexts).map(|input| input.column.as_str());
    let columns = inputs.chain([plan.reward.column.as_str()]);
    let sound = table.check_names(columns).and_then(|()| layout(&setting, &table));
    sound.map_err(|fault| wrong(fault.to_string()))?;
    Ok(Plan { setting, table })
}

fn parsed(text: &str) -> Result<(Draft, TableFormat), PlanFault> {
    let mut plan = PlanText::parse(text.trim_start_matches('\u{feff}'))?;
    let table = plan.table()?;
    Ok((plan.rest()?, table))
}
