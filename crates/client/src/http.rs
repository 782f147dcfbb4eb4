//! The server over HTTP (`docs/service.md`).

use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::time::Duration;

use reticent_protocol::Report;
use serde::{Deserialize, Serialize};
use ureq::http::{Response, header};
use ureq::{Agent, Body};

use crate::{Fetched, Parcel, Reason, Refusal, Transport, Trouble};

/// A server over HTTP. Its agent keeps connections open between calls.
pub struct Http {
    agent: Agent,
    /// For events, which come whenever they come.
    patient: Agent,
    base: String,
    key: String,
}

/// Without the key.
impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Http").field("base", &self.base).finish_non_exhaustive()
    }
}

/// For a whole call.
const PATIENCE: Duration = Duration::from_secs(30);
/// A policy has a few kilobytes, a document a few more.
const LARGEST_BODY: u64 = 4 << 20;

impl Http {
    /// The server at this address, for whoever has this key.
    pub fn new(server: &str, key: &str) -> Http {
        let config = || Agent::config_builder().http_status_as_error(false).max_redirects(0);
        let agent = config().timeout_global(Some(PATIENCE)).build().into();
        let patient =
            config().timeout_connect(Some(PATIENCE)).timeout_recv_response(Some(PATIENCE)).build().into();
        Http { agent, patient, base: server.trim_end_matches('/').to_string(), key: key.to_string() }
    }

    fn url(&self, experiment: &str, what: &str) -> String {
        format!("{}/v1/experiments/{}{what}", self.base, escaped(experiment))
    }

    fn get(
        &self,
        agent: &Agent,
        url: &str,
        accept: &str,
        tag: Option<&str>,
    ) -> Result<Response<Body>, Trouble> {
        let mut request = agent.get(url).header(header::ACCEPT, accept);
        if !self.key.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.key));
        }
        if let Some(tag) = tag {
            request = request.header(header::IF_NONE_MATCH, tag);
        }
        request.call().map_err(|error| later(&error))
    }
}

impl Transport for Http {
    fn document(&self, experiment: &str) -> Result<String, Trouble> {
        let answer = self.get(&self.agent, &self.url(experiment, ""), "application/json", None)?;
        let shown: Shown = serde_json::from_slice(&accepted(answer)?.1)
            .map_err(|_| refused(200, "an answer that shows no experiment"))?;
        Ok(shown.experiment.to_string())
    }

    fn policy(&self, experiment: &str, tag: Option<&str>) -> Result<Fetched, Trouble> {
        let url = self.url(experiment, "/policy");
        let answer = self.get(&self.agent, &url, "application/octet-stream", tag)?;
        if answer.status().as_u16() == 304 {
            return Ok(Fetched::Same);
        }
        let (tag, bytes) = accepted(answer)?;
        Ok(Fetched::New { tag: tag.unwrap_or_default(), bytes })
    }

    fn upload(&self, experiment: &str, parcels: &[Parcel]) -> Result<Vec<Refusal>, Trouble> {
        let body =
            serde_json::to_vec(&Upload::of(parcels)).map_err(|_| refused(0, "a report that is none"))?;
        let request = self
            .agent
            .post(self.url(experiment, "/reports"))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key));
        let (_, body) = accepted(request.send(&body).map_err(|error| later(&error))?)?;
        if body.is_empty() {
            return Ok(Vec::new());
        }
        let failures: Failures =
            serde_json::from_slice(&body).map_err(|_| refused(200, "an answer that cannot be read"))?;
        Ok(failures.failures.iter().filter_map(Failure::refusal).collect())
    }

    fn listen(&self, experiment: &str, heard: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<(), Trouble> {
        let url = self.url(experiment, "/events");
        let answer = self.get(&self.patient, &url, "text/event-stream", None)?;
        if !answer.status().is_success() {
            return Err(problem(answer));
        }
        let lines = BufReader::new(answer.into_body().into_reader()).lines();
        for line in lines {
            let line =
                line.map_err(|error| Trouble::Later { what: error.kind().to_string(), after: None })?;
            let version = line.strip_prefix("id:").and_then(|rest| rest.trim().parse().ok());
            if let Some(version) = version
                && heard(version).is_break()
            {
                break;
            }
        }
        Ok(())
    }
}

/// What the server shows of an experiment, as much of it as is needed.
#[derive(Deserialize)]
struct Shown {
    experiment: serde_json::Value,
}

/// An upload's body.
#[derive(Serialize)]
struct Upload<'a> {
    reports: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Item<'a> {
    id: String,
    report: &'a Report,
}

impl<'a> Upload<'a> {
    fn of(parcels: &'a [Parcel]) -> Upload<'a> {
        let item = |parcel: &'a Parcel| Item { id: parcel.id.to_string(), report: &parcel.report };
        Upload { reports: parcels.iter().map(item).collect() }
    }
}

/// What was not taken.
#[derive(Deserialize)]
struct Failures {
    #[serde(default)]
    failures: Vec<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    id: String,
    reason: Reason,
}

impl Failure {
    fn refusal(&self) -> Option<Refusal> {
        Some(Refusal { id: self.id.parse().ok()?, reason: self.reason })
    }
}

/// The tag and body of an answer that is one.
fn accepted(answer: Response<Body>) -> Result<(Option<String>, Vec<u8>), Trouble> {
    if !answer.status().is_success() {
        return Err(problem(answer));
    }
    let tag = answer.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_string);
    let body = answer.into_body().with_config().limit(LARGEST_BODY).read_to_vec();
    Ok((tag, body.map_err(|error| later(&error))?))
}

/// A problem document (RFC 9457), as much of it as is needed.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Problem {
    title: String,
    detail: String,
}

/// What an answer that is no success means: whether to come back, and when.
fn problem(answer: Response<Body>) -> Trouble {
    let status = answer.status().as_u16();
    let after = answer.headers().get(header::RETRY_AFTER).and_then(|text| text.to_str().ok());
    let after = after.and_then(|text| text.parse().ok()).map(Duration::from_secs);
    let body = answer.into_body().with_config().limit(LARGEST_BODY).read_to_vec().unwrap_or_default();
    let Problem { title, detail } = serde_json::from_slice(&body).unwrap_or_default();
    let what = [title, detail].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
    let what = if what.is_empty() { format!("status {status}") } else { what };
    match status {
        408 | 425 | 429 | 500.. => Trouble::Later { what, after },
        _ => Trouble::Refused { status, what },
    }
}

fn refused(status: u16, what: &str) -> Trouble {
    Trouble::Refused { status, what: what.into() }
}

/// A connection that did not come about may the next time.
fn later(error: &ureq::Error) -> Trouble {
    Trouble::Later { what: error.to_string(), after: None }
}

/// A name as part of an address.
fn escaped(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
