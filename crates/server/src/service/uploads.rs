//! Reports as they come: read, checked, kept, answered.

use reticent_protocol::{Reason, Report, ReportId};
use serde::Deserialize;
use serde_json::Value;

use super::{Seat, Service};
use crate::store::{Arrival, Fate, StoreError, Upload};

/// Reports in one request.
pub const MOST_REPORTS: usize = 1_000;

/// A report as it came, or what is wrong with it.
#[derive(Debug)]
pub struct Received {
    /// Its id.
    pub id: ReportId,
    /// What it says; none if its bytes are no report.
    pub report: Option<Report>,
}

/// Why a whole request cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// Neither of the two forms.
    #[error("the body is no list of reports, each with an id of 32 hexadecimal digits")]
    Form,
    /// Too many.
    #[error("a request has at most {MOST_REPORTS} reports; send the rest in another")]
    Many,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    reports: Vec<One>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    id: String,
    report: Value,
}

/// Reports in JSON: `{"reports": [{"id": "32 digits", "report": {...}}]}`.
pub fn read_json(bytes: &[u8]) -> Result<Vec<Received>, Unreadable> {
    let body: Body = serde_json::from_slice(bytes).map_err(|_| Unreadable::Form)?;
    if body.reports.len() > MOST_REPORTS {
        return Err(Unreadable::Many);
    }
    let received = |one: One| {
        let id = one.id.parse().map_err(|_| Unreadable::Form)?;
        Ok(Received { id, report: serde_json::from_value(one.report).ok() })
    };
    body.reports.into_iter().map(received).collect()
}

/// Reports in bytes: for each its id (16 bytes), its length (two bytes, the lower first) and its bytes.
pub fn read_bytes(mut bytes: &[u8]) -> Result<Vec<Received>, Unreadable> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let take = || {
            let (id, rest) = bytes.split_first_chunk::<16>()?;
            let (length, rest) = rest.split_first_chunk::<2>()?;
            let (report, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
            Some((*id, report, rest))
        };
        let (id, report, rest) = take().ok_or(Unreadable::Form)?;
        all.push(Received { id: ReportId(id), report: Report::decode(report).ok() });
        if all.len() > MOST_REPORTS {
            return Err(Unreadable::Many);
        }
        bytes = rest;
    }
    Ok(all)
}

/// Why an upload has no answer.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum UploadError {
    /// Too much waits.
    #[error("too many reports wait to be kept; try again")]
    Busy,
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its records are the curator's.
    #[error("experiments of this kind take no reports from devices")]
    Central,
    /// There is none.
    #[error("no experiment has this name")]
    Unknown,
}

impl Service {
    /// The same for an experiment by its name: what a program calls that has the service inside.
    pub async fn take(
        &self,
        experiment: &str,
        received: Vec<Received>,
    ) -> Result<Vec<(ReportId, Reason)>, UploadError> {
        let seat = self.seat(experiment).ok_or(UploadError::Unknown)?;
        self.upload(&seat, received).await
    }

    /// Keeps reports, and says which were not taken and why, in their order.
    pub(crate) async fn upload(
        &self,
        seat: &Seat,
        received: Vec<Received>,
    ) -> Result<Vec<(ReportId, Reason)>, UploadError> {
        let gate = seat.gate().ok_or(UploadError::Central)?;
        // Those that the gate lets through, and of all what it says.
        let (mut reports, mut checked) = (Vec::with_capacity(received.len()), Vec::new());
        for Received { id, report } in received {
            let arrival = report
                .ok_or(Reason::NotAnAnswer)
                .and_then(|report| Ok(Arrival { id, policy: gate.check(&report)?, bytes: report.encode() }));
            checked.push((id, arrival.map(|arrival| reports.push(arrival)).err()));
        }
        let mut fates = Vec::new();
        if !reports.is_empty() {
            let upload = Upload { experiment: seat.prefix(), at: self.clock.now(), reports };
            fates = self.appender.append(upload).await.map_err(|_| UploadError::Busy)??;
            seat.nudge.notify_one();
        }
        let mut fates = fates.into_iter();
        let refused = checked.into_iter().filter_map(|(id, refusal)| {
            let refusal = match refusal {
                Some(refusal) => refusal,
                None => refusal_of(fates.next()?)?,
            };
            seat.refuse(refusal);
            Some((id, refusal))
        });
        Ok(refused.collect())
    }
}

fn refusal_of(fate: Fate) -> Option<Reason> {
    match fate {
        Fate::Taken => None,
        Fate::Replayed => Some(Reason::Replayed),
        Fate::TooEarly => Some(Reason::TooEarly),
        Fate::TooLate => Some(Reason::TooLate),
        Fate::Paused => Some(Reason::Paused),
        Fate::Closed => Some(Reason::Closed),
    }
}
