//! Experiments: created, shown, paused, ended, carried over.

use axum::Json;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use reticent_jobs::experiment_file;
use serde_json::{Value, json};

use crate::central::Curated;
use crate::http::access::{Holder, Named};
use crate::http::body::{self, Media};
use crate::http::{App, Code, Problem};
use crate::keys::NewKey;
use crate::service::{Action, Seat};
use crate::store::{Role, Scope, Settings};

/// What everybody may know of an experiment.
pub(super) fn shown(seat: &Seat) -> Value {
    let (view, experiment) = (seat.view(), seat.experiment());
    json!({
        "name": experiment.name(),
        "kind": experiment.problem().kind(),
        "digest": experiment.digest(),
        "phase": view.marks.phase,
        "created": seat.entry().created,
        "guarantee": seat.guarantee(),
        "policy": view.policy.as_ref().map(|policy| json!({ "version": policy.version, "published": policy.at })),
        "experiment": experiment,
    })
}

pub(super) async fn show(Named(seat): Named) -> Json<Value> {
    Json(shown(&seat))
}

pub(super) async fn list(State(app): State<App>, holder: Holder) -> Result<Json<Value>, Problem> {
    // A key for some experiments sees these.
    let seats = app.service.seats();
    let mine = seats.iter().filter(|seat| holder.must_be_for(Role::Read, seat.experiment().name()).is_ok());
    let shown: Vec<Value> = mine.map(|seat| shown(seat)).collect();
    if shown.is_empty() {
        holder.must_be_for_any(Role::Read)?;
    }
    Ok(Json(json!({ "experiments": shown })))
}

/// Creates an experiment and a key for its devices, which is shown this once.
pub(super) async fn create(
    State(app): State<App>,
    holder: Holder,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let actor = holder.must_be(Role::Admin)?;
    let settings = settings(query.as_deref().unwrap_or_default())?;
    body::media(&headers, &[Media::Json, Media::Toml])?;
    let bytes = body::bytes(&app, body).await?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Problem::new(Code::Unreadable))?;
    let read = experiment_file::experiment(text)
        .unwrap_or_else(|| Err("this is no experiment: it has no problem".into()));
    let experiment = read.map_err(|fault| Problem::new(Code::Refused).with(fault))?;
    let name = experiment.name().to_string();
    let is_new = app.service.create(experiment, settings, actor).await?;
    let seat = app.service.seat(&name).ok_or_else(|| Problem::new(Code::StoreUnavailable))?;
    let mut answer = shown(&seat);
    if is_new {
        let scope = Scope::Experiments(vec![name]);
        let (secret, record) =
            app.service.make_key(NewKey::new(Role::Upload, scope, "devices"), actor).await?;
        answer["upload_key"] = json!({ "id": record.id, "key": secret.reveal() });
    }
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(answer)).into_response())
}

fn settings(query: &str) -> Result<Settings, Problem> {
    let mut settings = Settings::default();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let wrong =
            || Problem::new(Code::Unreadable).with("the query has batch and keep_reports_seconds alone");
        let (name, value) = pair.split_once('=').ok_or_else(wrong)?;
        let number: u64 = value.parse().map_err(|_| wrong())?;
        match name {
            "batch" if number > 0 => settings.batch = Some(number),
            "keep_reports_seconds" => settings.keep_reports_seconds = number,
            _ => return Err(wrong()),
        }
    }
    Ok(settings)
}

pub(super) async fn pause(app: State<App>, seat: Named, holder: Holder) -> Result<Json<Value>, Problem> {
    act(app, seat, holder, Action::Pause).await
}

pub(super) async fn resume(app: State<App>, seat: Named, holder: Holder) -> Result<Json<Value>, Problem> {
    act(app, seat, holder, Action::Resume).await
}

pub(super) async fn stop(app: State<App>, seat: Named, holder: Holder) -> Result<Json<Value>, Problem> {
    act(app, seat, holder, Action::Stop).await
}

pub(super) async fn freeze(app: State<App>, seat: Named, holder: Holder) -> Result<Json<Value>, Problem> {
    act(app, seat, holder, Action::Freeze).await
}

async fn act(
    State(app): State<App>,
    Named(seat): Named,
    holder: Holder,
    action: Action,
) -> Result<Json<Value>, Problem> {
    let actor = holder.must_be_for(Role::Admin, seat.experiment().name())?;
    match (&seat.curated, action) {
        (Curated::Nothing, Action::Freeze) if seat.view().policy.is_none() => {
            return Err(Problem::new(Code::OtherKind).with("a collection has no policy to freeze: stop it"));
        }
        (Curated::Nothing, _) => {}
        // Its last tables are out before it is stopped: if this is interrupted it can be stopped again.
        (Curated::Trial(desk), Action::Stop) => desk.stop(&app.service.store, actor).await?,
        (_, Action::Freeze) => {
            return Err(
                Problem::new(Code::OtherKind).with("an experiment of this kind has no policy to freeze")
            );
        }
        _ => {}
    }
    if app.service.act(&seat, action, actor).await? {
        Ok(Json(shown(&seat)))
    } else {
        let phase = seat.view().marks.phase.name();
        Err(Problem::new(Code::WrongPhase).with(format!("the experiment is {phase}")))
    }
}

pub(super) async fn export(
    State(app): State<App>,
    Named(seat): Named,
    holder: Holder,
) -> Result<Response, Problem> {
    let actor = holder.must_be_for(Role::Admin, seat.experiment().name())?;
    Ok(Json(app.service.export(&seat, actor).await?).into_response())
}

pub(super) async fn import(
    State(app): State<App>,
    holder: Holder,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let actor = holder.must_be(Role::Admin)?;
    body::media(&headers, &[Media::Json])?;
    let bytes = body::bytes(&app, body).await?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Problem::new(Code::Unreadable))?;
    let experiment = app.service.import(text, actor).await?;
    let seat = app.service.seat(experiment.name()).ok_or_else(|| Problem::new(Code::StoreUnavailable))?;
    Ok((StatusCode::CREATED, Json(shown(&seat))).into_response())
}

pub(super) fn exported_schema() -> Value {
    json!({
        "type": "object", "additionalProperties": false,
        "required": ["format", "version", "experiment", "settings", "state"],
        "properties": {
            "format": { "const": "reticent-exported-experiment" }, "version": { "const": 1 },
            "experiment": crate::http::openapi::experiment_schema(), "settings": { "type": "object" },
            "state": { "type": "string" }
        }
    })
}
