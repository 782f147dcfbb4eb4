//! A trial step by step, each step a command: the state is in a file.

use std::path::PathBuf;
use std::time::Duration;

use reticent_curate::trial::{
    Assignment, DurableTrial, PersonError, Recorded, Stratum, TrialError, TrialSpec, analyse,
};
use reticent_jobs::trial::replay::TrialFile;
use reticent_jobs::trial::report;
use reticent_privacy::NoiseRng;
use reticent_store::JournalError;
use serde_json::json;

use super::show;
use crate::{CliError, caution, output};

#[derive(clap::Args)]
pub(crate) struct StartArgs {
    /// The plan; a section [replay] in it is not needed here
    #[arg(value_name = "SPEC.toml")]
    spec: PathBuf,
    /// The file that will hold the trial
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
}

/// The trial that a command is about.
#[derive(clap::Args)]
pub(crate) struct StateArgs {
    /// The file that holds the trial
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Wait at most so long while another command uses the file
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=3600))]
    wait: u64,
}

#[derive(clap::Args)]
pub(crate) struct PatientArgs {
    #[command(flatten)]
    state: StateArgs,
    /// The patient's name, the clinic's own
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    patient: String,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub(crate) struct AssignArgs {
    #[command(flatten)]
    patient: PatientArgs,
    /// A feature of the patient; one for each that the plan declares
    #[arg(long, value_name = "COLUMN=VALUE")]
    feature: Vec<String>,
}

#[derive(clap::Args)]
pub(crate) struct RecordArgs {
    #[command(flatten)]
    patient: PatientArgs,
    /// The outcome
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    outcome: String,
}

#[derive(clap::Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    state: StateArgs,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub(crate) struct StopArgs {
    #[command(flatten)]
    status: StatusArgs,
    /// Write the report into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replace: output::Replace,
}

pub(super) fn start(args: &StartArgs) -> Result<(), CliError> {
    let spec = TrialFile::read(&args.spec)?.spec()?;
    spec.epsilon().into_iter().for_each(caution::about);
    let begun = std::fs::metadata(&args.state).is_ok_and(|file| file.len() > 0);
    let trial = DurableTrial::open(&args.state, spec)?;
    let (name, enrolled) = (&trial.release().spec().draft().name, trial.release().enrolled());
    if begun {
        println!("{name}: already started, {enrolled} people enrolled; nothing was changed");
    } else {
        println!("{name}: started");
        println!("  outcome     {}", show::direction(trial.release().spec()));
        println!("  privacy     {}", show::privacy(trial.release().spec()));
    }
    Ok(())
}

/// Commands that come at once wait their turn; whoever waits for longer than this is told so.
const SHORT_WAIT: Duration = Duration::from_secs(2);

fn reopen(args: &StateArgs) -> Result<DurableTrial<NoiseRng>, CliError> {
    let whole = Duration::from_secs(args.wait);
    let short = whole.min(SHORT_WAIT);
    let in_use = |error: &TrialError| matches!(error, TrialError::Journal(JournalError::Locked { .. }));
    let mut opened = DurableTrial::reopen_waiting(&args.state, short);
    if opened.as_ref().is_err_and(in_use) && whole > short {
        let file = args.state.display();
        eprintln!("note: another command uses {file}; waiting for it, {} s at the most (--wait)", args.wait);
        opened = DurableTrial::reopen_waiting(&args.state, whole.saturating_sub(short));
    }
    Ok(opened.map_err(
        |error| if in_use(&error) { JournalError::Locked { waited: whole }.into() } else { error },
    )?)
}

pub(super) fn assign(args: &AssignArgs) -> Result<(), CliError> {
    let mut trial = reopen(&args.patient.state)?;
    let stratum = stratum(trial.release().spec(), &args.feature)?;
    let assignment = trial.assign(&args.patient.patient, stratum)?;
    print_assignment(&args.patient, &trial, assignment)
}

/// The stratum of `--feature` values. What was typed is not repeated: it is a person's.
fn stratum(spec: &TrialSpec, given: &[String]) -> Result<Stratum, CliError> {
    let features = &spec.draft().features;
    let declared = || {
        let columns: Vec<&str> = features.iter().map(|feature| feature.column.as_str()).collect();
        format!("the plan declares: {}", if columns.is_empty() { "none".into() } else { columns.join(", ") })
    };
    let mut cells = vec![None; features.len()];
    for one in given {
        let known = one.split_once('=').and_then(|(column, value)| {
            Some((features.iter().position(|feature| feature.column == column)?, value))
        });
        let Some((place, value)) = known else {
            let text = format!("--feature needs COLUMN=VALUE with a column of the plan; {}", declared());
            return Err(CliError::Usage(text));
        };
        if cells[place].replace(value).is_some() {
            let column = &features[place].column;
            return Err(CliError::Usage(format!("--feature {column} is given more than once")));
        }
    }
    let cells = cells.into_iter().zip(features).map(|(cell, feature)| {
        cell.ok_or_else(|| CliError::Trial(PersonError::NoValue(feature.column.clone()).into()))
    });
    Ok(spec.stratum(&cells.collect::<Result<Vec<_>, _>>()?).map_err(TrialError::from)?)
}

pub(super) fn assignment(args: &PatientArgs) -> Result<(), CliError> {
    let trial = reopen(&args.state)?;
    let assignment = trial.assignment(&args.patient).ok_or(TrialError::UnknownPatient)?;
    print_assignment(args, &trial, assignment)
}

fn print_assignment(
    args: &PatientArgs,
    trial: &DurableTrial<NoiseRng>,
    assignment: Assignment,
) -> Result<(), CliError> {
    let Assignment { number, arm, chance, epoch } = assignment;
    let name = &trial.release().spec().draft().arms[arm];
    if args.json {
        let document = json!({ "arm": name, "chance": chance, "epoch": epoch + 1, "number": number + 1 });
        output::print_document("trial-assignment", &document)?;
    } else {
        println!("{name}");
        println!("  chance      {chance:.4}");
        println!("  epoch       {}", epoch + 1);
        println!("  enrolment   {}", number + 1);
    }
    Ok(())
}

pub(super) fn record(args: &RecordArgs) -> Result<(), CliError> {
    let not_a_number = || CliError::Usage("--outcome is not a number; nothing was recorded".into());
    let outcome = args.outcome.trim().parse::<f64>().map_err(|_| not_a_number())?;
    let recorded = reopen(&args.patient.state)?.record(&args.patient.patient, outcome)?;
    print_recorded(&args.patient, recorded)
}

pub(super) fn missing(args: &PatientArgs) -> Result<(), CliError> {
    let recorded = reopen(&args.state)?.missing(&args.patient)?;
    print_recorded(args, recorded)
}

fn print_recorded(args: &PatientArgs, recorded: Recorded) -> Result<(), CliError> {
    let (word, text) = match recorded {
        Recorded::InTime => ("in-time", "recorded"),
        Recorded::TooLate => {
            ("too-late", "not recorded; its table is published, and by the plan it counts as missing")
        }
        Recorded::Late => ("late", "recorded; it came late, and will be in the last table"),
        Recorded::OnRecord => (
            "on-record",
            "an outcome, or that none will come, is on record for this person; it stays as it was",
        ),
    };
    if args.json {
        output::print_document("trial-recorded", &json!({ "recorded": word }))?;
    } else {
        println!("{text}");
    }
    Ok(())
}

pub(super) fn status(args: &StatusArgs) -> Result<(), CliError> {
    show_trial(&reopen(&args.state)?, args.json)
}

pub(super) fn stop(args: &StopArgs) -> Result<(), CliError> {
    if let Some(out) = &args.out {
        output::claim_in(out, &report::FILES, args.replace.force)?;
    }
    let mut trial = reopen(&args.status.state)?;
    trial.stop()?;
    if let Some(out) = &args.out {
        let release = trial.release();
        report::write(out, release, &analyse(release), None)?;
    }
    show_trial(&trial, args.status.json)
}

/// What anybody may see: everything here is computed from the release.
fn show_trial(trial: &DurableTrial<NoiseRng>, json: bool) -> Result<(), CliError> {
    let release = trial.release();
    let analysis = analyse(release);
    if json {
        println!("{}", serde_json::to_string_pretty(&report::document(release, &analysis, None))?);
    } else {
        show::summary(release, &analysis, None);
    }
    Ok(())
}
