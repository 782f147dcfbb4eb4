//! `reticent experiment`.

use std::path::PathBuf;

use reticent_jobs::experiment_file::{complete, experiment};
use reticent_schema::experiment::json_schema;
use reticent_store::files;

use super::{CliError, caution};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The experiment's document, in TOML or JSON
    #[arg(value_name = "FILE", required_unless_present = "schema")]
    file: Option<PathBuf>,
    /// Print the document in its canonical form, with every choice that it leaves to the default
    #[arg(long)]
    json: bool,
    /// Print the JSON Schema of such documents instead
    #[arg(long, conflicts_with_all = ["file", "json"])]
    schema: bool,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let Some(path) = args.file.as_deref().filter(|_| !args.schema) else {
        print!("{}", json_schema());
        return Ok(());
    };
    let text = files::read_text(path)?;
    let wrong = |what: String| CliError::Usage(format!("{}: {what}", path.display()));
    let read = experiment(&text)
        .ok_or_else(|| wrong("this is no experiment: it has no [problem]".into()))?
        .and_then(complete)
        .map_err(wrong)?;
    caution::about(read.epsilon());
    if args.json {
        println!("{}", read.to_json().map_err(|error| CliError::Usage(error.to_string()))?);
        return Ok(());
    }
    println!("{} ({})", read.name(), read.problem().kind());
    println!("  digest      {}", read.digest());
    println!("  prefix      {}  (what reports carry)", read.prefix());
    println!("  epsilon     {} for {}", read.epsilon(), read.unit());
    if !read.problem().arms().is_empty() {
        println!("  arms        {}", read.problem().arms().join(", "));
    }
    println!("  window      reports count for {} days", read.report_window_days());
    Ok(())
}
