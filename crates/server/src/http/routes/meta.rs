//! The service about itself.

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::http::{App, Code, Problem};

pub(super) async fn health() -> &'static str {
    "ok\n"
}

pub(super) async fn ready(State(app): State<App>) -> Result<&'static str, Problem> {
    app.service.store.check().await?;
    Ok("ready\n")
}

pub(super) async fn metrics(State(app): State<App>) -> Response {
    let text = app.metrics.text(&app.service);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

pub(super) async fn openapi(State(app): State<App>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], app.openapi.to_string()).into_response()
}

pub(super) async fn problem(code: Option<Path<String>>) -> Result<String, Problem> {
    let asked = code.map(|Path(code)| code).unwrap_or_default();
    let found = Code::ALL.into_iter().find(|code| code.name() == asked);
    found.map(|code| format!("{}\n", code.title())).ok_or_else(|| Problem::new(Code::NoSuchPlace))
}
