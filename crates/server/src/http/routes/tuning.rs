//! Tuning: records, fits, predictions.

use axum::Json;
use reticent_privacy::Epsilon;
use serde::Deserialize;
use serde_json::{Value, json};

use super::step::Step;
use crate::central::Fitted;
use crate::http::body::Values;
use crate::http::{Code, Problem};
use crate::service::MOST_REPORTS;
use crate::store::{Phase, Role};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Posted {
    records: Vec<One>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    id: String,
    values: Values<Value>,
}

pub(super) async fn records(step: Step) -> Result<Json<Value>, Problem> {
    let (desk, Posted { records }) = step.said(Role::Upload).await?;
    let tuning = desk.tuning()?;
    if records.len() > MOST_REPORTS {
        return Err(
            Problem::new(Code::Unreadable).with(format!("a request has at most {MOST_REPORTS} records"))
        );
    }
    if desk.seat.view().marks.phase != Phase::Running {
        return Err(Problem::new(Code::WrongPhase).with("no records are taken now"));
    }
    let read =
        records.into_iter().map(|one| tuning.read(one.id, &one.values.0)).collect::<Result<Vec<_>, _>>()?;
    let posted = read.len();
    let added = tuning.add(desk.store(), read).await?;
    Ok(Json(json!({ "posted": posted, "new": added })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    epsilon: f64,
}

/// Paid for from the experiment's budget before the noise is drawn; the same again costs nothing.
pub(super) async fn fit(step: Step) -> Result<Json<Value>, Problem> {
    let (desk, Wish { epsilon }) = step.said(Role::Admin).await?;
    let epsilon = Epsilon::new(epsilon).map_err(|error| Problem::new(Code::Refused).with(error))?;
    let Fitted { release, stored, spent } = desk.tuning()?.fit(desk.store(), epsilon).await?;
    Ok(Json(json!({ "release": release, "stored": stored, "spent": spent })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    #[serde(default)]
    context: Values<Value>,
    action: Option<Values<Value>>,
}

/// Free: a released function can be asked for ever.
pub(super) async fn predict(step: Step) -> Result<Json<Value>, Problem> {
    let (desk, Asked { context, action }) = step.said(Role::Read).await?;
    let tuning = desk.tuning()?;
    let (context, action) = tuning.asked(&context.0, action.as_ref().map(|action| &action.0))?;
    let (prediction, warnings) = tuning.predict(desk.store(), context, action).await?;
    let guarantee = desk.seat.guarantee();
    Ok(Json(json!({ "prediction": prediction, "guarantee": guarantee, "warnings": warnings })))
}
