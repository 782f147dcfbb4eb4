//! Tuning: records, fits, predictions.

use std::collections::BTreeMap;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use reticent_privacy::Epsilon;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::central::{Curated, Fitted, TuningDesk};
use crate::http::access::{Holder, Named};
use crate::http::{App, Code, Problem, body};
use crate::service::{MOST_REPORTS, Seat};
use crate::store::{Phase, Role};

fn desk(seat: &Seat) -> Result<&TuningDesk, Problem> {
    match &seat.curated {
        Curated::Tuning(desk) => Ok(desk),
        _ => Err(Problem::new(Code::OtherKind).with("the experiment is no tuning")),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Posted {
    records: Vec<One>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    id: String,
    values: BTreeMap<String, Value>,
}

pub(super) async fn records(
    State(app): State<App>,
    Named(seat): Named,
    holder: Holder,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Value>, Problem> {
    holder.must_be_for(Role::Upload, seat.experiment().name())?;
    let desk = desk(&seat)?;
    let Posted { records } = body::json(&app, &headers, body).await?;
    if records.len() > MOST_REPORTS {
        return Err(
            Problem::new(Code::Unreadable).with(format!("a request has at most {MOST_REPORTS} records"))
        );
    }
    if seat.view().marks.phase != Phase::Running {
        return Err(Problem::new(Code::WrongPhase).with("no records are taken now"));
    }
    let read =
        records.into_iter().map(|one| desk.read(one.id, &one.values)).collect::<Result<Vec<_>, _>>()?;
    let posted = read.len();
    let added = desk.add(&app.service.store, read).await?;
    Ok(Json(json!({ "posted": posted, "new": added })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    epsilon: Epsilon,
}

/// Paid for from the experiment's budget before the noise is drawn; the same again costs nothing.
pub(super) async fn fit(
    State(app): State<App>,
    Named(seat): Named,
    holder: Holder,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Value>, Problem> {
    holder.must_be_for(Role::Admin, seat.experiment().name())?;
    let desk = desk(&seat)?;
    let Wish { epsilon } = body::json(&app, &headers, body).await?;
    let Fitted { release, stored, spent } = desk.fit(&app.service.store, epsilon).await?;
    Ok(Json(json!({ "release": release, "stored": stored, "spent": spent })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    #[serde(default)]
    context: BTreeMap<String, Value>,
    action: Option<BTreeMap<String, Value>>,
}

/// Free: a released function can be asked for ever.
pub(super) async fn predict(
    State(app): State<App>,
    Named(seat): Named,
    holder: Holder,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Value>, Problem> {
    holder.must_be_for(Role::Read, seat.experiment().name())?;
    let desk = desk(&seat)?;
    let Asked { context, action } = body::json(&app, &headers, body).await?;
    let (context, action) = desk.asked(&context, action.as_ref())?;
    let prediction = desk.predict(&app.service.store, context, action).await?;
    Ok(Json(json!({ "prediction": prediction, "guarantee": seat.guarantee() })))
}
