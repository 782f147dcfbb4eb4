//! What can be wrong with an experiment, whatever its problem; the rest is checked by whoever uses it.

use std::collections::BTreeSet;

use reticent_privacy::LossError;

use super::{Draft, Problem};
use crate::CanonicalError;

/// Why an experiment was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// Not a document of this form.
    #[error("the experiment cannot be read: {0}")]
    Json(String),
    /// An invalid loss.
    #[error(transparent)]
    Loss(#[from] LossError),
    /// A name that cannot be shown.
    #[error(
        "{0} must have 1 to {MAX_NAME} characters, none of them a control or an invisible character, and no space at either end"
    )]
    Name(&'static str),
    /// A unit that cannot be shown.
    #[error("the unit must be one line of at most {MAX_UNIT} characters")]
    Unit,
    /// One name for two things.
    #[error("two {what} are called {name:?}")]
    Twice {
        /// Arms, columns or sources.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A window longer than anybody waits.
    #[error("report_window_days must be 1 to {MAX_WINDOW}, got {0}")]
    Window(u32),
    /// A column that is declared in no way, or in two.
    #[error("column {0:?}: give either low and high, or levels, or bins")]
    Column(String),
    /// The document has no canonical form.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

const MAX_NAME: usize = 100;
const MAX_UNIT: usize = 300;
const MAX_WINDOW: u32 = 365;

pub(super) fn draft(draft: &mut Draft) -> Result<(), ExperimentError> {
    name("the experiment's name", &draft.name)?;
    if draft.unit.as_ref().is_some_and(|unit| !is_plain(unit, MAX_UNIT)) {
        return Err(ExperimentError::Unit);
    }
    if draft.report_window_days.get() > MAX_WINDOW {
        return Err(ExperimentError::Window(draft.report_window_days.get()));
    }
    names("arms", draft.problem.arms().iter().map(String::as_str))?;
    let columns = match &draft.problem {
        Problem::Contextual(problem) => {
            names("sources", problem.sources.iter().map(|source| source.name.as_str()))?;
            problem.context.columns.as_slice()
        }
        Problem::Trial(problem) => &problem.features,
        Problem::Pricing(problem) => &problem.context.columns,
        _ => &[],
    };
    names("columns", columns.iter().map(|column| column.name.as_str()))?;
    let declared = |column: &&super::Column| column.field().is_none() && column.feature().is_none();
    match columns.iter().find(declared) {
        Some(column) => Err(ExperimentError::Column(column.name.clone())),
        None => Ok(()),
    }
}

fn names<'a>(what: &'static str, all: impl Iterator<Item = &'a str>) -> Result<(), ExperimentError> {
    let mut seen = BTreeSet::new();
    for one in all {
        name(what, one)?;
        if !seen.insert(one) {
            return Err(ExperimentError::Twice { what, name: one.into() });
        }
    }
    Ok(())
}

fn name(what: &'static str, text: &str) -> Result<(), ExperimentError> {
    if is_plain(text, MAX_NAME) { Ok(()) } else { Err(ExperimentError::Name(what)) }
}

/// Can be shown as it is, on one line, and looks like no other text.
fn is_plain(text: &str, most: usize) -> bool {
    let plain = text.trim() == text && !text.chars().any(|c| c.is_control() || is_invisible(c));
    plain && (1..=most).contains(&text.chars().count())
}

/// Characters without a width, and those that turn the direction of what follows.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
