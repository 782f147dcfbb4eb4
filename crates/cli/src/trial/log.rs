//! `reticent trial log`: who did what, and when. The curator's own.

use std::path::PathBuf;

use reticent_chart::page::Table;
use reticent_curate::trial::{Actor, Log, Logged, Step, log};
use reticent_store::JournalError;
use serde_json::json;

use super::show;
use crate::{CliError, output, print_table};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file that holds the trial; it is read, and not changed
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// The steps of this patient alone
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    patient: Option<String>,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let bytes =
        std::fs::read(&args.state).map_err(|error| CliError::Trial(JournalError::from(error).into()))?;
    let mut found = log(bytes)?;
    if let Some(patient) = &args.patient {
        found.steps.retain(|one| one.patient.as_ref() == Some(patient));
    }
    if args.json {
        return output::print_document("trial-log", &document(&found));
    }
    println!("{}: every step, for the curator alone", found.name);
    println!("  journal     {}", show::journal(&found.times));
    println!("  head        {}: kept elsewhere, it tells an older copy of the file", found.head);
    println!();
    print_table(&Table {
        head: ["line", "time", "actor", "step", "patient", "reason"].map(String::from).to_vec(),
        rows: found.steps.iter().map(|one| (cells(one), false)).collect(),
    });
    Ok(())
}

fn document(found: &Log) -> serde_json::Value {
    json!({
        "trial": found.name,
        "head": found.head.to_string(),
        "without_time": found.times.without_time,
        "without_author": found.times.without_author,
        "clock_went_back": found.times.went_back,
        "steps": found.steps,
    })
}

fn cells(one: &Logged) -> Vec<String> {
    let or_none = |text: Option<&str>| text.unwrap_or("\u{2013}").to_string();
    vec![
        one.line.to_string(),
        or_none(one.at.map(|at| at.to_string()).as_deref()),
        or_none(one.by.as_ref().map(Actor::name)),
        word(one.step).into(),
        or_none(one.patient.as_deref()),
        or_none(one.reason.as_deref()),
    ]
}

fn word(step: Step) -> &'static str {
    match step {
        Step::Started => "started",
        Step::Epoch => "epoch opened",
        Step::Assigned => "assigned",
        Step::Outcome => "outcome",
        Step::Missing => "no outcome will come",
        Step::Corrected => "corrected",
        Step::Withdrawn => "consent withdrawn",
        Step::Table => "table published",
        Step::Stopped => "stopped: last tables published",
        _ => "other",
    }
}
