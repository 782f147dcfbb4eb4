//! A plan's file.

use std::path::Path;

use reticent_curate::kernel::{Plan, Setting};

use super::TuneError;
use crate::files;

/// Reads and checks a plan.
pub fn read_plan(path: &Path) -> Result<Setting, TuneError> {
    let file = path.display().to_string();
    let text = files::read_text(path)?;
    let plan: Plan = toml::from_str(&text).map_err(|error| TuneError::PlanFile {
        file: file.clone(),
        message: error.to_string().trim_end().to_string(),
    })?;
    Setting::try_from(plan).map_err(|fault| TuneError::Plan { file, fault })
}
