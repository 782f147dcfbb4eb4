//! A trial step by step, each step a command: the state is in a file.

use std::path::PathBuf;

use reticent_curate::trial::{
    Assignment, DurableTrial, PersonError, Recorded, Release, Stratum, TrialError, TrialSpec, analyse,
};
use reticent_jobs::trial::replay::TrialFile;
use reticent_jobs::trial::report;
use reticent_privacy::NoiseRng;
use serde_json::json;

use super::show;
use super::state::{ActorArgs, StateArgs, reopen};
use crate::{CliError, caution, output};

#[derive(clap::Args)]
pub(crate) struct StartArgs {
    /// The plan; a section [replay] in it is not needed here
    #[arg(value_name = "SPEC.toml")]
    spec: PathBuf,
    /// The file that will hold the trial
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    #[command(flatten)]
    actor: ActorArgs,
}

#[derive(clap::Args)]
pub(crate) struct PatientArgs {
    #[command(flatten)]
    pub(super) state: StateArgs,
    /// The patient's name, the clinic's own
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(super) patient: String,
    /// Print one JSON document and nothing else
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(clap::Args)]
pub(crate) struct MissingArgs {
    #[command(flatten)]
    patient: PatientArgs,
    #[command(flatten)]
    actor: ActorArgs,
}

#[derive(clap::Args)]
pub(crate) struct AssignArgs {
    #[command(flatten)]
    patient: PatientArgs,
    /// A feature of the patient; one for each that the plan declares
    #[arg(long, value_name = "COLUMN=VALUE")]
    feature: Vec<String>,
    #[command(flatten)]
    actor: ActorArgs,
}

#[derive(clap::Args)]
pub(crate) struct RecordArgs {
    #[command(flatten)]
    patient: PatientArgs,
    /// The outcome
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    outcome: String,
    #[command(flatten)]
    actor: ActorArgs,
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
    /// Stop although the trial is far from its plan
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    actor: ActorArgs,
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
    let noise = NoiseRng::from_os().map_err(TrialError::from)?;
    let trial = DurableTrial::open_by(&args.state, spec, noise, args.actor.author()?)?;
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

pub(super) fn assign(args: &AssignArgs) -> Result<(), CliError> {
    let mut trial = args.actor.sign(reopen(&args.patient.state)?)?;
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
    let outcome = number(&args.outcome)?;
    let mut trial = args.actor.sign(reopen(&args.patient.state)?)?;
    print_recorded(&args.patient, trial.record(&args.patient.patient, outcome)?)
}

/// An outcome as it was typed, which is not repeated: it is a person's.
pub(super) fn number(text: &str) -> Result<f64, CliError> {
    let not_a_number = |_| CliError::Usage("--outcome is not a number; nothing was recorded".into());
    text.trim().parse().map_err(not_a_number)
}

pub(super) fn missing(args: &MissingArgs) -> Result<(), CliError> {
    let mut trial = args.actor.sign(reopen(&args.patient.state)?)?;
    print_recorded(&args.patient, trial.missing(&args.patient.patient)?)
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
    let trial = reopen(&args.state)?;
    show_trial(&trial, args.json)?;
    if !args.json {
        println!("  journal     {}", show::journal(trial.times()));
    }
    Ok(())
}

pub(super) fn stop(args: &StopArgs) -> Result<(), CliError> {
    if let Some(out) = &args.out {
        output::claim_in(out, &report::FILES, args.replace.force)?;
    }
    let mut trial = args.actor.sign(reopen(&args.status.state)?)?;
    if let Some(why) = far_from_plan(trial.release()).filter(|_| !args.yes) {
        return Err(CliError::Usage(why));
    }
    trial.stop()?;
    if let Some(out) = &args.out {
        let release = trial.release();
        report::write(out, release, &analyse(release), None)?;
    }
    show_trial(&trial, args.status.json)
}

/// Why a stop should be thought over. It rests on what is public: whose outcomes are still to come must not
/// decide when a trial stops.
fn far_from_plan(release: &Release) -> Option<String> {
    let (enrolled, planned) = (release.enrolled(), release.spec().draft().people);
    let one_table = release.spec().has_one_table();
    // The intervals of a trial with several tables are for the planned end alone.
    let near = if one_table { 10 * enrolled >= 9 * planned } else { enrolled == planned };
    if release.is_stopped() || near {
        return None;
    }
    let lost = if one_table { "" } else { " Only intervals that hold at all times will be shown." };
    Some(format!(
        "{enrolled} of {planned} planned people are enrolled, and a trial that is stopped cannot go on: outcomes that are \
         not recorded by then count as missing, for ever.{lost} Nothing was changed; say --yes to stop all the same"
    ))
}

/// What anybody may see: everything here is computed from the release.
fn show_trial(trial: &DurableTrial<NoiseRng>, json: bool) -> Result<(), CliError> {
    let release = trial.release();
    show::told(release, &analyse(release), &show::Told { json, ..show::Told::default() })
}
