//! `reticent trial correct` and `withdraw`: steps that change what is on record, and never what is published.

use reticent_curate::trial::Amended;
use serde_json::json;

use super::state::{ActorArgs, reopen};
use super::steps::{PatientArgs, number};
use crate::{CliError, output};

#[derive(clap::Args)]
pub(crate) struct WithdrawArgs {
    #[command(flatten)]
    patient: PatientArgs,
    /// Why, for the journal alone
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    actor: ActorArgs,
}

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("right").required(true).args(["outcome", "missing"])))]
pub(crate) struct CorrectArgs {
    #[command(flatten)]
    person: WithdrawArgs,
    /// The right outcome
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    outcome: Option<String>,
    /// There is no outcome: the one on record was never this patient's
    #[arg(long)]
    missing: bool,
}

/// Whether it was on record before is not told: whoever may correct could guess outcomes by it.
pub(super) fn correct(args: &CorrectArgs) -> Result<(), CliError> {
    let WithdrawArgs { patient, reason, actor } = &args.person;
    let outcome = args.outcome.as_deref().map(number).transpose()?;
    let mut trial = actor.sign(reopen(&patient.state)?)?;
    let amended = trial.correct(&patient.patient, outcome, reason.as_deref())?;
    let text = match amended {
        Amended::BeforeRelease => "corrected: what was given is on record, and will be in the table",
        Amended::AfterRelease => {
            "corrected on record. The table that this person is in is published, with what was on record then, and stands: \
             another one would cost everybody in it their loss again"
        }
    };
    print(patient.json, "correction", amended, text)
}

pub(super) fn withdraw(args: &WithdrawArgs) -> Result<(), CliError> {
    let WithdrawArgs { patient, reason, actor } = args;
    let mut trial = actor.sign(reopen(&patient.state)?)?;
    let amended = trial.withdraw(&patient.patient, reason.as_deref())?;
    let text = match amended {
        Amended::BeforeRelease => {
            "withdrawn: no outcome of this person will be in any table; they are counted as a person without one"
        }
        Amended::AfterRelease => {
            "withdrawn on record. The table that this person is in is published and stands: what it cost them cannot be \
             taken back, and is no more than the plan says"
        }
    };
    print(patient.json, "withdrawal", amended, text)
}

fn print(json: bool, step: &str, amended: Amended, text: &str) -> Result<(), CliError> {
    if json {
        let stands = amended == Amended::AfterRelease;
        output::print_document(
            "trial-amended",
            &json!({ "step": step, "after_release": stands, "told": text }),
        )?;
    } else {
        println!("{text}");
    }
    Ok(())
}
