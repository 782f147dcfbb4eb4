//! A plan's file: the plan, and how a table shows its people.

use std::path::Path;

use reticent_curate::trial::{Draft, TrialSpec};
use serde::Deserialize;
use toml::de::{DeTable, Deserializer};

use super::ReplayError;
use crate::experiment_file::{NOT_BY_HAND, experiment};
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
    /// How a table is read, if the file says so.
    shown: Option<Shown>,
}

#[derive(Deserialize)]
struct Whole {
    replay: Option<Section>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    arm_column: Option<String>,
    arm_values: Option<Vec<String>>,
    outcome_columns: Option<Vec<String>>,
}

const TWO_KINDS: &str = "[replay] needs either `arm_column` and `arm_values` (a randomised table) or `outcome_columns` (a table of potential outcomes)";

impl TrialFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<TrialFile, ReplayError> {
        TrialFile::parse(&path.display().to_string(), &files::read_text(path)?)
    }

    /// Reads a file's text.
    pub fn parse(name: &str, text: &str) -> Result<TrialFile, ReplayError> {
        let wrong = |error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
            ReplayError::Syntax { file: name.into(), line, message: error.message().into() }
        };
        if let Some(read) = experiment(text) {
            let read = read.and_then(|read| TrialSpec::of(&read).map_err(|error| error.to_string()));
            let plan = read.map_err(|problem| ReplayError::Draft { file: name.into(), problem })?;
            let mut file = TrialFile { name: name.into(), plan: plan.draft().clone(), shown: None };
            // JSON has no such section.
            let replay = toml::from_str::<Whole>(text).ok().and_then(|whole| whole.replay);
            file.shown = replay.map(|section| file.shown(section)).transpose()?;
            return Ok(file);
        }
        let whole: Whole = toml::from_str(text).map_err(wrong)?;
        let mut root = DeTable::parse(text).map_err(wrong)?;
        root.get_mut().remove("replay");
        let plan = Draft::deserialize(Deserializer::from(root)).map_err(wrong)?;
        let mut file = TrialFile { name: name.into(), plan, shown: None };
        if file.plan.experiment.is_some() {
            return Err(file.problem(NOT_BY_HAND));
        }
        file.shown = whole.replay.map(|section| file.shown(section)).transpose()?;
        Ok(file)
    }

    fn problem(&self, problem: impl Into<String>) -> ReplayError {
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

    /// How a table is to be read. A randomised table needs the shares of its arms, which are known by its design.
    pub fn table(&self) -> Result<&Shown, ReplayError> {
        let none =
            || self.problem(format!("there is no [replay] section to say how a table is read. {TWO_KINDS}"));
        let shown = self.shown.as_ref().ok_or_else(none)?;
        match (shown, &self.plan.observed) {
            (Shown::Randomised { .. }, None) => Err(self.problem(
                "a randomised table needs `observed`: the share of each arm in its design, such as observed = [0.5, 0.5]",
            )),
            (Shown::Potential { .. }, Some(_)) => {
                Err(self.problem("a table of potential outcomes shows every outcome: leave `observed` out"))
            }
            _ => Ok(shown),
        }
    }
}
