//! A plan's file: the plan, and how a table shows its people.

use std::path::Path;

use reticent_curate::trial::{Adjust, Covariate, Draft, TrialSpec};
use serde::Deserialize;

use super::ReplayError;
use crate::columns::TableFormat;
use crate::experiment_file::{NOT_BY_HAND, experiment};
use crate::plan_text::{PlanFault, PlanText, json_fault, table_format};
use reticent_store::files;

/// How a table shows outcomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// One arm a person: the value of the arm column for each arm, in the plan's order.
    Randomised {
        /// The arm column.
        column: String,
        /// Its value for each arm.
        values: Vec<String>,
    },
    /// All arms: one column each, in the plan's order.
    Potential {
        /// The columns.
        columns: Vec<String>,
    },
}

/// What a plan's file says.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialFile {
    /// Its name, for messages.
    name: String,
    /// The plan, not yet checked: epsilon may be given elsewhere.
    pub plan: Draft,
    /// By what a finished table's effect may be adjusted, if the file says so.
    pub adjust: Option<Adjust>,
    /// How a table is read, if the file says so.
    shown: Option<Shown>,
    /// How it is written.
    format: TableFormat,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    arm_column: Option<String>,
    arm_values: Option<Vec<String>>,
    outcome_columns: Option<Vec<String>>,
    /// Of a document that has no place for it.
    observed: Option<Vec<f64>>,
}

/// The section of an experiment's document in TOML or JSON.
fn section(text: &str) -> Result<Option<Section>, PlanFault> {
    if !text.trim_start().starts_with('{') {
        return PlanText::parse(text)?.take("replay");
    }
    let whole: serde_json::Value = serde_json::from_str(text).map_err(|error| json_fault(&error))?;
    let section = whole.get("replay").map(|section| serde_json::from_value(section.clone()));
    section.transpose().map_err(|_| PlanFault { line: None, message: TWO_KINDS.into() })
}

const TWO_KINDS: &str = "[replay] needs either `arm_column` and `arm_values` (a randomised table) or `outcome_columns` (a table of potential outcomes)";

impl TrialFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<TrialFile, ReplayError> {
        TrialFile::parse(&path.display().to_string(), &files::read_text(path)?)
    }

    /// Reads a file's text.
    pub fn parse(name: &str, text: &str) -> Result<TrialFile, ReplayError> {
        let wrong = |fault| ReplayError::Syntax { file: name.into(), fault };
        let text = text.trim_start_matches('\u{feff}');
        if let Some(read) = experiment(text) {
            let read = read.and_then(|read| TrialSpec::of(&read).map_err(|error| error.to_string()));
            let plan = read.map_err(|problem| ReplayError::Draft { file: name.into(), problem })?;
            let format = table_format(text).map_err(wrong)?;
            let section = section(text).map_err(wrong)?;
            return TrialFile::with(name, (plan.draft().clone(), None), section, format);
        }
        let mut whole = PlanText::parse(text).map_err(wrong)?;
        let format = whole.table().map_err(wrong)?;
        let section = whole.take("replay").map_err(wrong)?;
        let adjust = whole.take("adjust").map_err(wrong)?;
        let plan: Draft = whole.rest().map_err(wrong)?;
        if plan.experiment.is_some() {
            return Err(ReplayError::Draft { file: name.into(), problem: NOT_BY_HAND.into() });
        }
        if plan.finished {
            let problem =
                "`finished` is not written by hand: `reticent trial analyse` takes a finished table".into();
            return Err(ReplayError::Draft { file: name.into(), problem });
        }
        TrialFile::with(name, (plan, adjust), section, format)
    }

    fn with(
        name: &str,
        (plan, adjust): (Draft, Option<Adjust>),
        section: Option<Section>,
        format: TableFormat,
    ) -> Result<TrialFile, ReplayError> {
        let mut file = TrialFile { name: name.into(), plan, adjust, shown: None, format };
        if let Some(observed) = section.as_ref().and_then(|section| section.observed.clone()) {
            file.plan.observed = Some(observed);
        }
        file.shown = section.map(|section| file.shown(section)).transpose()?;
        file.check_format()?;
        Ok(file)
    }

    /// Whether every column that is written in a special way is declared.
    fn check_format(&self) -> Result<(), ReplayError> {
        let features = self.plan.features.iter().map(|feature| feature.column.as_str());
        let mut names: Vec<&str> = features.chain([self.plan.outcome.column.as_str()]).collect();
        names.extend(self.covariates().iter().map(|one| one.column.as_str()));
        match &self.shown {
            Some(Shown::Randomised { column, .. }) => names.push(column),
            Some(Shown::Potential { columns }) => names.extend(columns.iter().map(String::as_str)),
            None => {}
        }
        self.format.check_names(names).map_err(|fault| self.problem(fault.to_string()))
    }

    /// The covariates by which the effect is adjusted.
    pub fn covariates(&self) -> &[Covariate] {
        self.adjust.as_ref().map_or(&[], |adjust| &adjust.covariates)
    }

    /// How its tables are written.
    pub fn format(&self) -> &TableFormat {
        &self.format
    }

    pub(super) fn problem(&self, problem: impl Into<String>) -> ReplayError {
        ReplayError::Draft { file: self.name.clone(), problem: problem.into() }
    }

    fn shown(&self, section: Section) -> Result<Shown, ReplayError> {
        let arms = self.plan.arms.len();
        let each = |name: &str, list: &Vec<String>| {
            let mut sorted = list.clone();
            sorted.sort();
            sorted.dedup();
            if sorted.len() == arms && list.len() == arms {
                return Ok(());
            }
            Err(self.problem(format!(
                "`replay.{name}` needs one entry for each of the {arms} arms, all different"
            )))
        };
        match (section.arm_column, section.arm_values, section.outcome_columns) {
            (Some(column), Some(values), None) => {
                each("arm_values", &values)?;
                Ok(Shown::Randomised { column, values })
            }
            (None, None, Some(columns)) => {
                each("outcome_columns", &columns)?;
                Ok(Shown::Potential { columns })
            }
            _ => Err(self.problem(TWO_KINDS)),
        }
    }

    /// The plan, checked.
    pub fn spec(&self) -> Result<TrialSpec, ReplayError> {
        TrialSpec::new(self.plan.clone()).map_err(|error| self.problem(error.to_string()))
    }

    fn has_one_table(&self) -> bool {
        self.spec().is_ok_and(|spec| spec.has_one_table())
    }

    /// How a table is to be read. A randomised table needs the shares of its arms, which are known by its design,
    /// if chances follow the tables; with one table at the end arms are counted.
    pub fn table(&self) -> Result<&Shown, ReplayError> {
        let none =
            || self.problem(format!("there is no [replay] section to say how a table is read. {TWO_KINDS}"));
        let shown = self.shown.as_ref().ok_or_else(none)?;
        match (shown, &self.plan.observed) {
            (Shown::Randomised { .. }, None) if !self.has_one_table() => Err(self.problem(
                "a randomised table needs `observed`: the share of each arm in its design, such as observed = [0.5, 0.5]",
            )),
            (Shown::Potential { .. }, Some(_)) => {
                Err(self.problem("a table of potential outcomes shows every outcome: leave `observed` out"))
            }
            _ => Ok(shown),
        }
    }
}
