//! The page for people: an empty shell for everybody, and what a key may read.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};

use super::insight;
use crate::http::access::Holder;
use crate::http::{App, Problem};
use crate::page;
use crate::store::Role;

/// The page runs its own script, which brings the style, and talks to nobody else. Nothing in its text is run.
const CONTENT: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
     form-action 'none'",
);

pub(super) async fn shell() -> Response {
    safe(Html(page::SHELL).into_response())
}

pub(super) async fn script() -> Response {
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    safe(([kind], page::SCRIPT).into_response())
}

pub(super) async fn read(State(app): State<App>, holder: Holder) -> Result<Response, Problem> {
    let mut known = Vec::new();
    for seat in app.service.seats() {
        if holder.must_be_for(Role::Read, seat.experiment().name()).is_ok() {
            known.push((seat.experiment().clone(), insight::of(&app, &seat).await?));
        }
    }
    if known.is_empty() {
        holder.must_be_for_any(Role::Read)?;
    }
    Ok(safe(Html(page::page(&known)).into_response()))
}

fn safe(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, CONTENT);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
