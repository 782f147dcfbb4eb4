//! A plan of any kind that reads tables, from its file.

use std::path::Path;

use reticent_curate::trial::TrialSpec;
use reticent_schema::experiment::Problem;
use reticent_store::files;

use crate::columns::{FormatError, Layout};
use crate::experiment_file::experiment;
use crate::plan_text::{PlanFault, PlanText, is_plan};
use crate::price::{Market, PricingFileError, read_market};
use crate::trial::replay::{self, ReplayError, TrialFile};
use crate::tune::{self, TuneError, read_plan};

/// A plan that is sound.
#[derive(Debug)]
#[non_exhaustive]
pub enum Plan {
    /// For `price`.
    Market(Box<Market>),
    /// For `tune`.
    Tuning(Box<tune::Plan>),
    /// For `trial`.
    Trial(Box<(TrialFile, TrialSpec)>),
    /// An experiment on devices, which reads no table.
    Devices(&'static str),
}

/// Why a plan does not pass.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A market.
    #[error(transparent)]
    Market(#[from] PricingFileError),
    /// A plan of tuning.
    #[error(transparent)]
    Tuning(#[from] TuneError),
    /// A plan of a trial.
    #[error(transparent)]
    Trial(#[from] ReplayError),
    /// A plan of nothing that is known.
    #[error("{file}: {fault}")]
    Unknown {
        /// The file.
        file: String,
        /// What is wrong.
        fault: PlanFault,
    },
    /// How tables are written.
    #[error("{file}: {fault}")]
    Format {
        /// The file.
        file: String,
        /// What is wrong.
        fault: FormatError,
    },
}

/// A longer file is no plan that a person wrote.
const LONGEST: u64 = 1 << 20;

/// Reads a plan; none if the file is something else.
pub fn read_any(path: &Path) -> Result<Option<Plan>, PlanError> {
    if !std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= LONGEST) {
        return Ok(None);
    }
    let Ok(text) = files::read_text(path) else { return Ok(None) };
    let text = text.trim_start_matches('\u{feff}');
    match experiment(text) {
        Some(Ok(read)) => of_problem(path, read.problem()).map(Some),
        // A published document is in JSON too.
        Some(Err(_)) if text.trim_start().starts_with('{') => Ok(None),
        Some(Err(message)) => {
            let fault = PlanFault { line: None, message };
            Err(PlanError::Unknown { file: path.display().to_string(), fault })
        }
        None if is_plan(text) => of_sections(path, text).map(Some),
        None => Ok(None),
    }
}

fn of_problem(path: &Path, problem: &Problem) -> Result<Plan, PlanError> {
    match problem {
        Problem::Pricing(_) => market(path),
        Problem::Tuning(_) => tuning(path),
        Problem::Trial(_) => trial(path),
        other => Ok(Plan::Devices(other.kind())),
    }
}

/// Version 1 of a plan says by its sections what it is for.
fn of_sections(path: &Path, text: &str) -> Result<Plan, PlanError> {
    let unknown = |fault| PlanError::Unknown { file: path.display().to_string(), fault };
    let plan = PlanText::parse(text).map_err(unknown)?;
    if plan.has("price") {
        market(path)
    } else if plan.has("action") || plan.has("reward") {
        tuning(path)
    } else if plan.has("arms") || plan.has("feature") {
        trial(path)
    } else {
        let message = "neither a market ([price]), nor what is tuned ([[action]]), nor a trial (arms)".into();
        Err(unknown(PlanFault { line: None, message }))
    }
}

fn market(path: &Path) -> Result<Plan, PlanError> {
    Ok(Plan::Market(Box::new(read_market(path)?)))
}

fn tuning(path: &Path) -> Result<Plan, PlanError> {
    Ok(Plan::Tuning(Box::new(read_plan(path)?)))
}

fn trial(path: &Path) -> Result<Plan, PlanError> {
    let file = TrialFile::read(path)?;
    let spec = file.spec()?;
    Ok(Plan::Trial(Box::new((file, spec))))
}

impl Plan {
    /// What it is, in words.
    pub fn kind(&self) -> String {
        match self {
            Plan::Market(_) => "market".into(),
            Plan::Tuning(_) => "plan of tuning".into(),
            Plan::Trial(_) => "plan of a trial".into(),
            Plan::Devices(kind) => format!("{kind} experiment"),
        }
    }

    /// How its tables are read; none for an experiment without tables.
    pub fn layout(&self, file: &Path) -> Result<Option<Layout>, PlanError> {
        let layout = match self {
            Plan::Market(market) => market.layout(false),
            Plan::Tuning(plan) => tune::layout(&plan.setting, &plan.table),
            Plan::Trial(trial) => {
                replay::layout(&trial.1, trial.0.table()?, trial.0.covariates(), trial.0.format())
            }
            Plan::Devices(_) => return Ok(None),
        };
        let failed = |fault| PlanError::Format { file: file.display().to_string(), fault };
        layout.map(Some).map_err(failed)
    }
}
