//! The policy: public, cached, in bytes or JSON.

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use reticent_protocol::{contextual, mab};
use reticent_schema::experiment::Problem as Kind;

use crate::http::access::Named;
use crate::http::{App, Code, Problem};
use crate::service::Seat;
use crate::store::PublishedPolicy;

/// A listener hears of a new policy at once; who only asks now and then may be told an old one for a second.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=1");

pub(super) async fn read(
    State(_): State<App>,
    Named(seat): Named,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let asked = Asked::read(query.as_deref().unwrap_or_default())?;
    let digest = seat.experiment().digest().to_string();
    if asked.digest.is_some_and(|asked| asked != digest) {
        return Err(Problem::new(Code::OtherDigest).with("fetch the experiment's document again"));
    }
    let policy = match asked.source {
        None => seat.view().policy.clone(),
        Some(source) => seat.source_policy(source),
    };
    let policy = policy.ok_or_else(|| Problem::new(Code::NoPolicy))?;
    let json = wants_json(&headers);
    let source = asked.source.map_or(String::new(), |source| format!("-s{source}"));
    let tag = format!("\"{}-{}{source}{}\"", &digest[..8], policy.version, if json { "-json" } else { "" });
    let matches = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let mut response = if matches.is_some_and(|tags| is_among(&tag, tags)) {
        StatusCode::NOT_MODIFIED.into_response()
    } else if json {
        ([(header::CONTENT_TYPE, "application/json")], as_json(&seat, &policy)?).into_response()
    } else {
        ([(header::CONTENT_TYPE, "application/octet-stream")], policy.bytes.clone()).into_response()
    };
    let answer = response.headers_mut();
    answer.insert(header::CACHE_CONTROL, CACHE);
    answer.insert(header::VARY, HeaderValue::from_static("Accept"));
    let mut say = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            answer.insert(name, value);
        }
    };
    say("etag", &tag);
    say("reticent-experiment", &digest);
    say("reticent-policy-version", &policy.version.to_string());
    say("reticent-guarantee", &in_ascii(&serde_json::to_string(seat.guarantee()).unwrap_or_default()));
    Ok(response)
}

/// A proxy that compresses calls a tag weak; it is of the same policy.
fn is_among(tag: &str, tags: &str) -> bool {
    tags.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

/// Bytes, unless JSON is asked for by name.
fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accept.split(',').any(|one| one.split(';').next().is_some_and(|name| name.trim() == "application/json"))
}

fn as_json(seat: &Seat, policy: &PublishedPolicy) -> Result<String, Problem> {
    let text = match seat.experiment().problem() {
        Kind::Bandit(_) => {
            mab::Policy::decode(&policy.bytes).ok().and_then(|one| serde_json::to_string(&one).ok())
        }
        Kind::Contextual(_) => {
            contextual::Policy::decode(&policy.bytes).ok().and_then(|one| serde_json::to_string(&one).ok())
        }
        _ => None,
    };
    text.ok_or_else(|| Problem::new(Code::Internal))
}

/// What the query says.
#[derive(Default)]
struct Asked<'a> {
    digest: Option<&'a str>,
    source: Option<usize>,
}

impl Asked<'_> {
    fn read(query: &str) -> Result<Asked<'_>, Problem> {
        let mut asked = Asked::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let wrong = || Problem::new(Code::Unreadable).with("the query has digest and source alone");
            match pair.split_once('=').ok_or_else(wrong)? {
                ("digest", digest) if digest.parse::<reticent_schema::Digest>().is_ok() => {
                    asked.digest = Some(digest);
                }
                ("source", number) => asked.source = Some(number.parse().map_err(|_| wrong())?),
                _ => return Err(wrong()),
            }
        }
        Ok(asked)
    }
}

/// A header has no other characters; JSON can do without.
fn in_ascii(text: &str) -> String {
    use std::fmt::Write;
    let mut ascii = String::new();
    for c in text.chars() {
        if c.is_ascii() {
            ascii.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(ascii, "\\u{unit:04x}");
            }
        }
    }
    ascii
}
