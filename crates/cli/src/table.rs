//! Tables that commands read, and how they are written.

use std::path::{Path, PathBuf};

use reticent_jobs::columns::{RawTable, TableFiles, TableFormat};
use reticent_jobs::plan_text::table_format;
use reticent_store::files;

use crate::CliError;

/// What commands take that read a table of contexts without its plan.
#[derive(clap::Args)]
pub(super) struct Written {
    /// Read tables as the section [table] of this plan says [default: plain CSV or Parquet]
    #[arg(long = "table", value_name = "PLAN.toml")]
    plan: Option<PathBuf>,
}

impl Written {
    /// The table at this place.
    pub(super) fn table(&self, place: &Path) -> Result<RawTable, CliError> {
        let format = match &self.plan {
            None => TableFormat::default(),
            Some(plan) => table_format(&files::read_text(plan)?)
                .map_err(|fault| CliError::Usage(format!("{}: {fault}", plan.display())))?,
        };
        Ok(RawTable { files: TableFiles::one(place)?, format })
    }
}
