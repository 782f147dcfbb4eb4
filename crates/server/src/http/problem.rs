//! Every error as a problem document (RFC 9457), with a code that stays the same.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::service::{CreateError, TransferError};
use crate::store::StoreError;

/// What went wrong. The names are part of the interface; `docs/service.md` lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "`title` says what each is")]
pub enum Code {
    NoSuchPlace,
    NoSuchExperiment,
    NoSuchKey,
    NoPolicy,
    MethodNotAllowed,
    NoKey,
    KeyRefused,
    NotAllowed,
    OriginNotAllowed,
    TooManyRequests,
    Busy,
    TooLarge,
    TooSlow,
    OtherMediaType,
    Unreadable,
    OtherDigest,
    OtherKind,
    NameTaken,
    PrefixTaken,
    WrongPhase,
    Contradiction,
    Refused,
    BudgetExhausted,
    StoreUnavailable,
    Internal,
}

impl Code {
    /// All of them.
    pub const ALL: [Code; 25] = [
        Code::NoSuchPlace,
        Code::NoSuchExperiment,
        Code::NoSuchKey,
        Code::NoPolicy,
        Code::MethodNotAllowed,
        Code::NoKey,
        Code::KeyRefused,
        Code::NotAllowed,
        Code::OriginNotAllowed,
        Code::TooManyRequests,
        Code::Busy,
        Code::TooLarge,
        Code::TooSlow,
        Code::OtherMediaType,
        Code::Unreadable,
        Code::OtherDigest,
        Code::OtherKind,
        Code::NameTaken,
        Code::PrefixTaken,
        Code::WrongPhase,
        Code::Contradiction,
        Code::Refused,
        Code::BudgetExhausted,
        Code::StoreUnavailable,
        Code::Internal,
    ];

    /// Name, status and title.
    fn row(self) -> (&'static str, StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Code::NoSuchPlace => ("no-such-place", S::NOT_FOUND, "There is nothing at this address."),
            Code::NoSuchExperiment => ("no-such-experiment", S::NOT_FOUND, "No experiment has this name."),
            Code::NoSuchKey => ("no-such-key", S::NOT_FOUND, "No key that is good has this id."),
            Code::NoPolicy => ("no-policy", S::NOT_FOUND, "Devices of this experiment need no policy."),
            Code::MethodNotAllowed => ("method-not-allowed", S::METHOD_NOT_ALLOWED, "Not by this method."),
            Code::NoKey => ("no-key", S::UNAUTHORIZED, "This needs a key."),
            Code::KeyRefused => ("key-refused", S::UNAUTHORIZED, "The key is unknown, over or revoked."),
            Code::NotAllowed => ("not-allowed", S::FORBIDDEN, "The key does not allow this."),
            Code::OriginNotAllowed => {
                ("origin-not-allowed", S::FORBIDDEN, "The key is not for this web page.")
            }
            Code::TooManyRequests => ("too-many-requests", S::TOO_MANY_REQUESTS, "Too many requests."),
            Code::Busy => ("busy", S::SERVICE_UNAVAILABLE, "The service has as much to do as it can."),
            Code::TooLarge => ("too-large", S::PAYLOAD_TOO_LARGE, "The request is too large."),
            Code::TooSlow => {
                ("too-slow", S::REQUEST_TIMEOUT, "The request took too long to come or to answer.")
            }
            Code::OtherMediaType => ("other-media-type", S::UNSUPPORTED_MEDIA_TYPE, "Not in this form."),
            Code::Unreadable => ("unreadable", S::BAD_REQUEST, "The request cannot be read."),
            Code::OtherDigest => ("other-digest", S::CONFLICT, "The experiment has another digest."),
            Code::OtherKind => ("other-kind", S::CONFLICT, "The experiment is of another kind."),
            Code::NameTaken => ("name-taken", S::CONFLICT, "Another experiment has this name."),
            Code::PrefixTaken => ("prefix-taken", S::CONFLICT, "Another experiment has this prefix."),
            Code::WrongPhase => ("wrong-phase", S::CONFLICT, "The experiment is not in a phase for this."),
            Code::Contradiction => {
                ("contradiction", S::CONFLICT, "Something else is on record under this id.")
            }
            Code::Refused => {
                ("refused", S::CONFLICT, "The request can be read, and cannot be done as it stands.")
            }
            Code::BudgetExhausted => {
                ("budget-exhausted", S::CONFLICT, "The privacy budget does not cover this.")
            }
            Code::StoreUnavailable => {
                ("store-unavailable", S::SERVICE_UNAVAILABLE, "The store cannot be used now.")
            }
            Code::Internal => ("internal", S::INTERNAL_SERVER_ERROR, "The service failed."),
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The status.
    pub fn status(self) -> StatusCode {
        self.row().1
    }

    /// What it means.
    pub fn title(self) -> &'static str {
        self.row().2
    }
}

/// An error as clients see it. Contains nothing of a report or a record.
#[derive(Debug, Clone)]
pub struct Problem {
    code: Code,
    detail: Option<String>,
    retry_after: Option<u32>,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(code: Code) -> Problem {
        let retry_after = match code {
            Code::TooManyRequests | Code::Busy | Code::StoreUnavailable => Some(1),
            _ => None,
        };
        Problem { code, detail: None, retry_after }
    }

    /// The same in more words.
    #[must_use]
    pub fn with(self, detail: impl std::fmt::Display) -> Problem {
        Problem { detail: Some(detail.to_string()), ..self }
    }

    /// What went wrong.
    pub fn code(&self) -> Code {
        self.code
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (name, status, title) = self.code.row();
        let mut body = json!({
            "type": format!("/problems/{name}"), "code": name, "title": title, "status": status.as_u16()
        });
        if let Some(detail) = self.detail {
            body["detail"] = detail.into();
        }
        let mut response = (status, body.to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        match error {
            // Where the store is and what it says of itself is the operator's.
            StoreError::Unavailable(_) => Problem::new(Code::StoreUnavailable),
            _ => Problem::new(Code::Internal),
        }
    }
}

impl From<CreateError> for Problem {
    fn from(error: CreateError) -> Problem {
        match error {
            CreateError::NameTaken | CreateError::Served => Problem::new(Code::NameTaken).with(error),
            CreateError::PrefixTaken => Problem::new(Code::PrefixTaken).with(error),
            CreateError::Document(text) => Problem::new(Code::Refused).with(text),
            CreateError::Store(error) => error.into(),
            CreateError::Learner(_) | CreateError::Entropy(_) => Problem::new(Code::Internal),
        }
    }
}

impl From<TransferError> for Problem {
    fn from(error: TransferError) -> Problem {
        match error {
            TransferError::Central => Problem::new(Code::OtherKind).with(error),
            TransferError::Document(text) => Problem::new(Code::Refused).with(text),
            TransferError::Create(error) => error.into(),
            TransferError::Store(error) => error.into(),
        }
    }
}
