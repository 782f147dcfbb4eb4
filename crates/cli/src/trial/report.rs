//! `reticent trial report`: what a published release says, again, and as tables.

use std::path::PathBuf;

use reticent_curate::trial::{Release, analyse};
use reticent_jobs::trial::report;
use reticent_store::files::FileError;

use super::show;
use crate::{CliError, output};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The release: release.json of `trial stop`, `run`, `analyse` or `simulate`
    #[arg(value_name = "RELEASE.json")]
    release: PathBuf,
    /// Write the report and its tables into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replace: output::Replace,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let [json, page, _] = report::FILES;
    if let Some(out) = &args.out {
        output::claim_in(out, &[json, page], args.replace.force)?;
        output::claim_in(out, &report::TABLES, args.replace.force)?;
    }
    let failed = |source| FileError::new("cannot read", &args.release, source);
    let text = std::fs::read_to_string(&args.release).map_err(failed)?;
    // What is no release is not quoted: it may be somebody's data.
    let release: Release = serde_json::from_str(&text).map_err(|_| {
        CliError::Usage(format!(
            "{} is no release of a trial, or is damaged; `reticent check` says more of a published file",
            args.release.display()
        ))
    })?;
    let analysis = analyse(&release);
    if let Some(out) = &args.out {
        let document = report::document(&release, &analysis, None);
        report::write_document(&out.join(json), &out.join(page), &document)?;
        report::write_tables(out, &document)?;
    }
    let told = show::Told { json: args.json, ..show::Told::default() };
    show::told(&release, &analysis, &told)?;
    if let Some(out) = args.out.as_ref().filter(|_| !args.json) {
        println!("  report      {}: {json}, {page}, {}", out.display(), report::TABLES.join(", "));
    }
    Ok(())
}
