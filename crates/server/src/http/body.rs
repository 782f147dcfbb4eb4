//! What a request brings, read within limits of size and time.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::{DeserializeOwned, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{App, Code, Problem};

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Media {
    Json,
    Toml,
    Bytes,
}

/// The body of a request.
pub(crate) async fn bytes(app: &App, body: Body) -> Result<Bytes, Problem> {
    let limit = app.limits.request_bytes;
    let large = || {
        Problem::new(Code::TooLarge).with(format!("a request has at most {limit} bytes (`request_bytes`)"))
    };
    // Who says beforehand that it is too large need not send it.
    if body.size_hint().lower() > limit as u64 {
        return Err(large());
    }
    let read = Limited::new(body, limit).collect();
    let time = Duration::from_secs(app.limits.request_seconds);
    match tokio::time::timeout(time, read).await {
        Err(_) => Err(Problem::new(Code::TooSlow)),
        Ok(Ok(read)) => Ok(read.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(large()),
        Ok(Err(_)) => Err(Problem::new(Code::Unreadable).with("the body ended early")),
    }
}

/// Which of these a body says it is.
pub(crate) fn media(headers: &HeaderMap, known: &[Media]) -> Result<Media, Problem> {
    if headers.get(header::CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
        return Err(
            Problem::new(Code::OtherMediaType).with("send the body as it is, without Content-Encoding")
        );
    }
    let said = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let said = said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let media = match said.as_str() {
        "application/json" => Some(Media::Json),
        "application/toml" => Some(Media::Toml),
        "application/octet-stream" => Some(Media::Bytes),
        _ => None,
    };
    media.filter(|media| known.contains(media)).ok_or_else(|| {
        let names = known.iter().map(|media| match media {
            Media::Json => "application/json",
            Media::Toml => "application/toml",
            Media::Bytes => "application/octet-stream",
        });
        let names: Vec<&str> = names.collect();
        Problem::new(Code::OtherMediaType).with(format!("say Content-Type: {}", names.join(" or ")))
    })
}

/// A body in JSON. What is wrong is said without quoting it.
pub(crate) async fn json<T: DeserializeOwned>(
    app: &App,
    headers: &HeaderMap,
    body: Body,
) -> Result<T, Problem> {
    media(headers, &[Media::Json])?;
    let bytes = bytes(app, body).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let place = format!("not as expected at line {}, column {}", error.line(), error.column());
        Problem::new(Code::Unreadable).with(format!("{place}{}", wanted(&error)))
    })
}

/// What would be right there: the library's words without what was sent.
fn wanted(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    if text.starts_with("missing field ") {
        return format!(": {text}");
    }
    text.rsplit_once(", expected ").map_or(String::new(), |(_, wanted)| format!(": expected {wanted}"))
}

/// A whole number, also if it is written `5.0`: to JSON that is the same.
pub(crate) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(from)? else { return Ok(None) };
    let whole = number as u32;
    let is_whole = f64::from(whole) == number;
    is_whole.then_some(Some(whole)).ok_or_else(|| D::Error::custom("no count, expected a whole number"))
}

/// Values by name, each name once: who says one twice means one of the two, and nobody knows which.
#[derive(Debug, Default)]
pub(crate) struct Values<T>(pub(crate) BTreeMap<String, T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Values<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Values<T>, D::Error> {
        from.deserialize_map(Names(PhantomData))
    }
}

struct Names<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Names<T> {
    type Value = Values<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Values<T>, A::Error> {
        let mut all = BTreeMap::new();
        while let Some((name, value)) = pairs.next_entry()? {
            if all.insert(name, value).is_some() {
                return Err(A::Error::custom("a name comes twice, expected each name once"));
            }
        }
        Ok(Values(all))
    }
}
