//! Trials: assign, outcome, correct, withdraw; what is released.

use axum::Json;
use reticent_curate::trial::{Amended, Recorded, Release, TrialError, analyse};
use serde::Deserialize;
use serde_json::{Value, json};

use super::step::Step;
use crate::central::CentralError;
use crate::http::body::Values;
use crate::http::{Code, Problem};
use crate::store::{Phase, Role};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Person {
    patient: String,
    #[serde(default)]
    features: Values<String>,
}

/// The same patient again gets the same assignment.
pub(super) async fn assign(step: Step) -> Result<Json<Value>, Problem> {
    let (desk, Person { patient, features }) = step.said(Role::Upload).await?;
    let trial = desk.trial()?;
    let stratum = trial.stratum(&features.0)?;
    let given = if desk.seat.view().marks.phase == Phase::Running {
        trial.assign(desk.store(), &desk.actor, patient, stratum).await?
    } else {
        // Who is enrolled keeps their arm: its answer may have been lost on its way.
        let known = trial.assignment(desk.store(), patient).await?;
        known.ok_or_else(|| Problem::new(Code::WrongPhase).with("nobody new is assigned now"))?
    };
    let arm = desk.seat.experiment().problem().arms().get(given.arm);
    Ok(Json(json!({ "number": given.number, "arm": arm, "chance": given.chance, "epoch": given.epoch })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    patient: String,
    outcome: Option<f64>,
    #[serde(default)]
    missing: bool,
    reason: Option<String>,
}

impl Said {
    /// An outcome, or that none will come: one of the two.
    fn read(&self) -> Result<Option<f64>, Problem> {
        if self.outcome.is_some() == self.missing {
            return Err(Problem::new(Code::Refused).with("say either outcome or \"missing\": true"));
        }
        Ok(self.outcome)
    }
}

pub(super) async fn outcome(step: Step) -> Result<Json<Value>, Problem> {
    let (desk, said) = step.said::<Said>(Role::Upload).await?;
    let outcome = said.read()?;
    let recorded = desk.trial()?.record(desk.store(), &desk.actor, said.patient, outcome).await?;
    let name = match recorded {
        Recorded::InTime => "in-time",
        Recorded::Late => "late",
        Recorded::TooLate => "too-late",
        Recorded::OnRecord => "on-record",
    };
    Ok(Json(json!({ "recorded": name })))
}

pub(super) async fn correct(step: Step) -> Result<Json<Value>, Problem> {
    let (desk, said) = step.said::<Said>(Role::Upload).await?;
    let outcome = (said.read()?, said.reason);
    let amended = desk.trial()?.correct(desk.store(), &desk.actor, said.patient, outcome).await?;
    Ok(Json(json!({ "amended": amended_name(amended) })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Withdrawal {
    patient: String,
    reason: Option<String>,
}

pub(super) async fn withdraw(step: Step) -> Result<Json<Value>, Problem> {
    let (desk, Withdrawal { patient, reason }) = step.said(Role::Upload).await?;
    let amended = desk.trial()?.withdraw(desk.store(), &desk.actor, patient, reason).await?;
    Ok(Json(json!({ "amended": amended_name(amended) })))
}

fn amended_name(amended: Amended) -> &'static str {
    match amended {
        Amended::BeforeRelease => "before-release",
        Amended::AfterRelease => "after-release",
    }
}

/// What is known of a trial: what was released, and what follows from it.
pub(super) fn insight(release: &Release) -> Value {
    let analysis = (release.published() > 0).then(|| analyse(release));
    json!({ "people": release.enrolled(), "release": release, "analysis": analysis, "warnings": [] })
}

impl From<CentralError> for Problem {
    fn from(error: CentralError) -> Problem {
        match error {
            CentralError::Busy => Problem::new(Code::Busy),
            CentralError::Store(error) => error.into(),
            CentralError::Contradiction => Problem::new(Code::Contradiction).with(error),
            CentralError::Trial(TrialError::Stopped | TrialError::Stopping | TrialError::Full(_)) => {
                Problem::new(Code::WrongPhase).with(error)
            }
            CentralError::Account(reticent_store::AccountError::Exhausted { .. }) => {
                Problem::new(Code::BudgetExhausted).with(error)
            }
            CentralError::Trial(TrialError::Entropy(_) | TrialError::Damaged(_))
            | CentralError::Account(_)
            | CentralError::Function(_)
            | CentralError::Interrupted => Problem::new(Code::Internal),
            CentralError::Trial(_) | CentralError::Refused(_) => Problem::new(Code::Refused).with(error),
            CentralError::NothingReleased => Problem::new(Code::WrongPhase).with(error),
        }
    }
}
