//! `reticent experiment`.

use std::path::PathBuf;

use reticent_jobs::experiment_file::{complete, experiment};
use reticent_schema::experiment::json_schema;
use reticent_server::run::Remote;
use reticent_store::files;

use super::{CliError, caution};
use crate::remote::{Place, asked};

/// What a first experiment may look like.
const EXAMPLE: &str = include_str!("../../../examples/experiments/page.toml");

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// The experiment's document, in TOML or JSON
    #[arg(value_name = "FILE", required_unless_present_any = ["schema", "example"])]
    file: Option<PathBuf>,
    /// Print the document in its canonical form, with every choice that it leaves to the default
    #[arg(long)]
    json: bool,
    /// Print the JSON Schema of such documents instead
    #[arg(long, conflicts_with_all = ["file", "json"])]
    schema: bool,
    /// Print an example of such a document instead
    #[arg(long, conflicts_with_all = ["file", "json", "schema"])]
    example: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Have a running service serve an experiment, and make a key for its devices
    #[command(after_help = "Example:\n  reticent experiment create page.toml --data data")]
    Create(CreateArgs),
}

#[derive(clap::Args)]
struct CreateArgs {
    /// The experiment's document, in TOML or JSON
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Make a bandit's policy anew after so many reports [default: a tenth of all, at most 1,000]
    #[arg(long, value_name = "N")]
    batch: Option<std::num::NonZeroU64>,
    /// Keep reports for so many seconds after they were counted
    #[arg(long, value_name = "S", default_value_t = 0)]
    keep_reports: u64,
    #[command(flatten)]
    place: Place,
}

fn create(args: &CreateArgs) -> Result<(), CliError> {
    let text = files::read_text(&args.file)?;
    let media = if text.trim_start().starts_with('{') { "application/json" } else { "application/toml" };
    let batch = args.batch.map_or(String::new(), |batch| format!("&batch={batch}"));
    let path = format!("/v1/experiments?keep_reports_seconds={}{batch}", args.keep_reports);
    let answer = asked(&args.place.remote()?.ask("POST", &path, Some((media, text.as_bytes())))?)?;
    let said = |name: &str| answer[name].as_str().unwrap_or_default().to_string();
    println!("{} ({})", said("name"), said("kind"));
    println!("  digest      {}", said("digest"));
    println!("  guarantee   {}", answer["guarantee"]["unit"].as_str().unwrap_or_default());
    println!("  address     {}", Remote::experiment_path(&said("name"), ""));
    if let Some(key) = answer["upload_key"]["key"].as_str() {
        println!("  upload key  {key}  (shown this once)");
    } else {
        println!("  it was served before; `reticent key make` makes another key for its devices");
    }
    Ok(())
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    if let Some(Command::Create(args)) = &args.command {
        return create(args);
    }
    if args.example {
        print!("{EXAMPLE}");
        return Ok(());
    }
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
