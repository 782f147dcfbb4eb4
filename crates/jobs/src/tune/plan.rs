//! A plan's file.

use std::path::Path;

use reticent_curate::kernel::{Draft, KernelSpec};

use super::TuneError;
use crate::experiment_file::{NOT_BY_HAND, experiment};
use reticent_store::files;

/// Reads and checks a plan: the experiment's document, or a plan of version 1.
pub fn read_plan(path: &Path) -> Result<KernelSpec, TuneError> {
    let file = path.display().to_string();
    let text = files::read_text(path)?;
    if let Some(read) = experiment(&text) {
        let read = read.map_err(|message| TuneError::PlanFile { file: file.clone(), message })?;
        return KernelSpec::of(&read).map_err(|fault| TuneError::Draft { file, fault });
    }
    let plan: Draft = toml::from_str(&text).map_err(|error| TuneError::PlanFile {
        file: file.clone(),
        // Without the excerpt: a log that is taken for a plan must not be quoted.
        message: place(&text, &error),
    })?;
    if plan.experiment.is_some() {
        return Err(TuneError::PlanFile { file, message: NOT_BY_HAND.into() });
    }
    KernelSpec::try_from(plan).map_err(|fault| TuneError::Draft { file, fault })
}

/// What is wrong, and in which line.
fn place(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count());
    let line = line.map_or(String::new(), |line| format!("line {line}: "));
    format!("{line}{}", error.message())
}
