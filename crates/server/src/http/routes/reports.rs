//! Reports: taken once each, after the conventions of the IETF's DAP drafts.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use reticent_protocol::{Reason, ReportId};
use serde_json::{Value, json};

use crate::http::access::{Holder, Named};
use crate::http::body::{self, Media};
use crate::http::{App, Code, Problem};
use crate::service::{MOST_REPORTS, UploadError, read_bytes, read_json};
use crate::store::Role;

/// Nothing if all were taken; otherwise those that were not, in the order in which they came.
pub(super) async fn take(
    State(app): State<App>,
    Named(seat): Named,
    holder: Holder,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    holder.must_be_for(Role::Upload, seat.experiment().name())?;
    let media = body::media(&headers, &[Media::Json, Media::Bytes])?;
    let bytes = body::bytes(&app, body).await?;
    let read = if media == Media::Json { read_json(&bytes) } else { read_bytes(&bytes) };
    let received = read.map_err(|error| Problem::new(Code::Unreadable).with(error))?;
    let refused = app.service.upload(&seat, received).await?;
    if refused.is_empty() {
        return Ok(StatusCode::OK.into_response());
    }
    let one = |(id, refusal): &(ReportId, Reason)| json!({ "id": id.to_string(), "reason": refusal });
    let failures: Vec<Value> = refused.iter().map(one).collect();
    Ok(axum::Json(json!({ "failures": failures })).into_response())
}

impl From<UploadError> for Problem {
    fn from(error: UploadError) -> Problem {
        match error {
            UploadError::Busy => Problem::new(Code::Busy),
            UploadError::Store(error) => error.into(),
            UploadError::Central => Problem::new(Code::OtherKind).with(error),
            UploadError::Unknown => Problem::new(Code::NoSuchExperiment),
        }
    }
}

pub(super) fn body_schema() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["reports"],
        "properties": { "reports": { "type": "array", "maxItems": MOST_REPORTS, "items": {
            "type": "object", "additionalProperties": false, "required": ["id", "report"],
            "properties": {
                "id": { "type": "string", "pattern": "^[0-9a-f]{32}$" },
                "report": {}
            }
        } } }
    })
}

/// Those that were not taken.
pub(crate) fn failures_schema() -> Value {
    json!({
        "type": "object", "required": ["failures"],
        "properties": { "failures": { "type": "array", "items": {
            "type": "object", "required": ["id", "reason"],
            "properties": { "id": { "type": "string" }, "reason": { "enum": Reason::ALL } }
        } } }
    })
}
