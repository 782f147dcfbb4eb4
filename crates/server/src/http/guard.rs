//! What every request passes: limits, its key, where it comes from, and one line about it.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::{Instant, timeout};

use super::access::{Holder, Visitor, key_text};
use super::limits::WRONG_KEY;
use super::{App, Code, Problem};
use crate::log::Said;

/// Lets a request through, or says why not.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("unknown", |path| app.metrics.name_of(path.as_str()));
    let method = request.method().clone();
    let origin = request.headers().get(header::ORIGIN).cloned();
    let mut response = match admit(&app, request, next).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    };
    share(&mut response, origin.as_ref());
    response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let (status, time) = (response.status(), start.elapsed());
    app.metrics.request(route, status, time);
    if app.metrics.is_counted(route) {
        let said = Said::note("request").with("method", method).with("route", route);
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        app.service.log.say(said.count("status", status.as_u16().into()).count("ms", millis));
    }
    response
}

async fn admit(app: &App, mut request: Request, next: Next) -> Result<Response, Problem> {
    let visitor = visitor(app, &request);
    let now = app.service.clock.now();
    let headers = request.headers();
    if let Some(answer) = preflight(app, request.method(), headers) {
        return within(app, visitor, "", None, 1).map(|()| answer);
    }
    let holder = key_text(headers).map(|text| app.service.keys.find(text, now));
    if matches!(holder, Some(None)) {
        within(app, visitor, "", None, WRONG_KEY)?;
        return Err(Problem::new(Code::KeyRefused));
    }
    let holder = holder.flatten();
    let (id, rate) =
        holder.as_ref().map_or(("", None), |allowed| (allowed.key().id.as_str(), allowed.key().rate));
    within(app, visitor, id, rate, 1)?;
    if let (Some(origin), Some(allowed)) = (headers.get(header::ORIGIN), &holder)
        && !allowed.key().origins.iter().any(|known| known.as_bytes() == origin.as_bytes())
    {
        return Err(Problem::new(Code::OriginNotAllowed));
    }
    let keyed = holder.is_some();
    request.extensions_mut().insert(Holder(holder));
    let mut response = answered(app, request, next).await?;
    response.extensions_mut().insert(Keyed(keyed));
    Ok(response)
}

/// Whether a key was good for the page that a request came from.
#[derive(Clone, Copy)]
struct Keyed(bool);

fn within(app: &App, visitor: IpAddr, key: &str, rate: Option<u32>, cost: u32) -> Result<(), Problem> {
    let allowed = app.visitors.allows(visitor, key, rate, cost, || app.service.clock.now());
    if allowed { Ok(()) } else { Err(Problem::new(Code::TooManyRequests)) }
}

/// Answers within the limits of how many at once and how long; who only listens is not counted.
async fn answered(app: &App, request: Request, next: Next) -> Result<Response, Problem> {
    if request.uri().path().ends_with("/events") {
        return Ok(next.run(request).await);
    }
    let _permit = app.metrics.at_once.try_acquire().map_err(|_| Problem::new(Code::Busy))?;
    let time = Duration::from_secs(2 * app.limits.request_seconds);
    timeout(time, next.run(request)).await.map_err(|_| Problem::new(Code::TooSlow))
}

/// A proxy that is trusted says who asks; otherwise the connection does.
fn visitor(app: &App, request: &Request) -> IpAddr {
    let told = app.limits.visitor_header.as_ref().and_then(|name| {
        // The last address is the one that the trusted proxy saw itself.
        request.headers().get(name)?.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    });
    let connected = request.extensions().get::<Visitor>().map(|visitor| visitor.0);
    told.or(connected).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

/// Before a page sends a key, its browser asks whether it may: yes to pages that some key is for.
fn preflight(app: &App, method: &Method, headers: &HeaderMap) -> Option<Response> {
    headers.get(header::ACCESS_CONTROL_REQUEST_METHOD).filter(|_| method == Method::OPTIONS)?;
    let origin = headers.get(header::ORIGIN)?;
    if !origin.to_str().is_ok_and(|origin| app.service.keys.knows_origin(origin)) {
        return Some(Problem::new(Code::OriginNotAllowed).into_response());
    }
    let mut response = (StatusCode::NO_CONTENT, Body::empty()).into_response();
    let answer = response.headers_mut();
    answer.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    answer.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    answer.insert(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static("authorization, content-type, if-none-match"),
    );
    answer.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    answer.insert(header::VARY, HeaderValue::from_static("Origin"));
    Some(response)
}

/// Tells a browser who may read the answer: the key's own pages, or, without a key, everybody.
fn share(response: &mut Response, origin: Option<&HeaderValue>) {
    let keyed = response.extensions().get::<Keyed>().copied();
    let headers = response.headers_mut();
    if headers.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN) {
        return;
    }
    match keyed {
        Some(Keyed(true)) => {
            headers.append(header::VARY, HeaderValue::from_static("Origin"));
            let Some(origin) = origin else { return };
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        }
        // Said to everybody: a cache may give what it has to a page later.
        Some(Keyed(false)) => {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        }
        None => return,
    }
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("etag, retry-after, reticent-policy-version, reticent-experiment"),
    );
}
