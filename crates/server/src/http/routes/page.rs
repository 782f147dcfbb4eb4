//! The page for people: an empty shell for everybody, and what a key may read.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};

use super::insight;
use crate::http::access::Holder;
use crate::http::{App, Problem};
use crate::page;
use crate::store::Role;

/// The page has its own script and style, and talks to nobody else.
const CONTENT: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; \
     frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
);

pub(super) async fn shell() -> Response {
    safe(Html(page::SHELL).into_response())
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
