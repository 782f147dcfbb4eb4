//! Keys and the audit log.

use std::net::Ipv6Addr;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use reticent_store::Moment;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::access::Holder;
use crate::http::{App, Code, Problem, body};
use crate::keys::NewKey;
use crate::store::{KeyRecord, Role, Scope};

const MOST_DEEDS: usize = 1_000;
const MOST_LABEL: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    role: Role,
    /// All experiments if it is left out.
    experiments: Option<Vec<String>>,
    #[serde(default)]
    label: String,
    expires: Option<String>,
    #[serde(default)]
    origins: Vec<String>,
    #[serde(default, deserialize_with = "body::whole")]
    rate: Option<u32>,
}

pub(super) fn body_schema() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["role"],
        "properties": {
            "role": { "enum": ["upload", "read", "admin"] },
            "experiments": { "type": ["array", "null"], "minItems": 1, "items": { "type": "string" } },
            "label": { "type": "string", "maxLength": MOST_LABEL, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" },
            "expires": { "type": ["string", "null"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" },
            "origins": { "type": "array", "items": { "type": "string", "pattern": "^https?://([-a-z0-9.]+|\\[[0-9a-f:]+\\])(:[0-9]{1,4})?$" } },
            "rate": { "type": ["integer", "null"], "minimum": 1, "maximum": u32::MAX }
        }
    })
}

fn shown(key: &KeyRecord) -> Value {
    json!({
        "id": key.id, "role": key.role, "scope": key.scope, "label": key.label, "created": key.created,
        "expires": key.expires, "revoked": key.revoked, "origins": key.origins, "rate": key.rate,
    })
}

pub(super) async fn make(
    State(app): State<App>,
    holder: Holder,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let actor = holder.must_be(Role::Admin)?;
    let Wish { role, experiments, label, expires, origins, rate } = body::json(&app, &headers, body).await?;
    let plain = label.chars().count() <= MOST_LABEL && !label.chars().any(char::is_control);
    let web = origins.iter().all(|origin| is_origin(origin));
    if !plain || !web {
        let text = "a label has at most 200 characters, and an origin is written as https://example.org";
        return Err(Problem::new(Code::Refused).with(text));
    }
    let refused = |text: &str| Err(Problem::new(Code::Refused).with(text));
    if rate == Some(0) {
        return refused("a key with a rate of 0 is of no use: say at least 1");
    }
    let Ok(expires) = expires.map(|text| text.parse::<Moment>()).transpose() else {
        return refused("no calendar has the day on which the key ends");
    };
    if expires.is_some_and(|end| end <= app.service.clock.now()) {
        return refused("the key would be over before it is used: say a later end");
    }
    let known = |name: &String| app.service.seat(name).is_some();
    if experiments.as_ref().is_some_and(|names| names.is_empty() || !names.iter().all(known)) {
        let text = "the key is for an experiment that is not served: create it first";
        return Err(Problem::new(Code::NoSuchExperiment).with(text));
    }
    let scope = experiments.map_or(Scope::All, Scope::Experiments);
    let new = NewKey { role, scope, label, expires, origins, rate };
    let (secret, record) = app.service.make_key(new, actor).await?;
    let mut answer = shown(&record);
    answer["key"] = secret.reveal().into();
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

/// Scheme and host, as browsers write them.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let Some(host) = host else { return false };
    let (is_host, port) =
        if let Some((number, rest)) = host.strip_prefix('[').and_then(|v6| v6.split_once(']')) {
            (number.parse::<Ipv6Addr>().is_ok(), rest)
        } else {
            let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b);
            (!name.is_empty() && name.bytes().all(plain), port)
        };
    is_host && (port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok()))
}

pub(super) async fn list(State(app): State<App>, holder: Holder) -> Result<Json<Value>, Problem> {
    holder.must_be(Role::Admin)?;
    let keys = app.service.store.keys().await?;
    Ok(Json(json!({ "keys": keys.iter().map(shown).collect::<Vec<_>>() })))
}

pub(super) async fn revoke(
    State(app): State<App>,
    holder: Holder,
    id: Option<Path<String>>,
) -> Result<StatusCode, Problem> {
    let actor = holder.must_be(Role::Admin)?;
    let id = id.map(|Path(id)| id).unwrap_or_default();
    if app.service.is_last_admin(&id).await? {
        return Err(
            Problem::new(Code::Refused).with("it is the last key that allows all: make another first")
        );
    }
    if app.service.revoke_key(&id, actor).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::new(Code::NoSuchKey))
    }
}

pub(super) async fn audit(
    State(app): State<App>,
    holder: Holder,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, Problem> {
    holder.must_be(Role::Admin)?;
    let from = match query.as_deref().filter(|query| !query.is_empty()) {
        None => 0,
        Some(query) => query
            .strip_prefix("from=")
            .and_then(|number| number.parse().ok())
            .ok_or_else(|| Problem::new(Code::Unreadable).with("the query has from alone"))?,
    };
    let deeds = app.service.store.deeds(from, MOST_DEEDS).await?;
    let next = from + deeds.len() as u64;
    Ok(Json(json!({ "deeds": deeds, "next": next })))
}
