//! Who asks, and whether they may.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::{App, Code, Problem};
use crate::keys::Allowed;
use crate::service::Seat;
use crate::store::Role;

/// Where a connection comes from. Counted by, and never written anywhere.
#[derive(Clone, Copy)]
pub(crate) struct Visitor(pub(crate) IpAddr);

/// What the request's key allows; none if it brings no key.
#[derive(Clone)]
pub(crate) struct Holder(pub(crate) Option<Allowed>);

impl<S: Send + Sync> FromRequestParts<S> for Holder {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Holder, Problem> {
        // The guard puts it there for every request.
        parts.extensions.get::<Holder>().cloned().ok_or_else(|| Problem::new(Code::Internal))
    }
}

impl Holder {
    /// The key's id, if it allows as much as this role, for all experiments.
    pub(crate) fn must_be(&self, role: Role) -> Result<&str, Problem> {
        let allowed = self.key(role)?;
        match allowed.key().scope {
            crate::store::Scope::All => Ok(&allowed.key().id),
            crate::store::Scope::Experiments(_) => {
                Err(Problem::new(Code::NotAllowed).with("the key is for some experiments alone"))
            }
        }
    }

    /// The key's id, if it allows as much as this role, for this experiment.
    pub(crate) fn must_be_for(&self, role: Role, experiment: &str) -> Result<&str, Problem> {
        let allowed = self.key(role)?;
        if allowed.key().scope.holds(experiment) {
            Ok(&allowed.key().id)
        } else {
            Err(Problem::new(Code::NotAllowed).with("the key is for other experiments"))
        }
    }

    /// Whether it allows as much as this role, somewhere.
    pub(crate) fn must_be_for_any(&self, role: Role) -> Result<(), Problem> {
        self.key(role).map(|_| ())
    }

    fn key(&self, role: Role) -> Result<&Allowed, Problem> {
        let allowed = self.0.as_ref().ok_or_else(|| {
            Problem::new(Code::NoKey).with("send a key as the header Authorization: Bearer rk_...")
        })?;
        if allowed.is(role) { Ok(allowed) } else { Err(Problem::new(Code::NotAllowed)) }
    }
}

/// The text of a request's key.
pub(crate) fn key_text(headers: &HeaderMap) -> Option<&str> {
    let said = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, key) = said.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

/// The experiment that a path names.
pub(crate) struct Named(pub(crate) Arc<Seat>);

impl FromRequestParts<App> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Named, Problem> {
        let name = Path::<String>::from_request_parts(parts, app).await;
        let seat = name.ok().and_then(|Path(name)| app.service.seat(&name));
        seat.map(Named).ok_or_else(|| Problem::new(Code::NoSuchExperiment))
    }
}
