//! What every step of trials and tuning begins with: the experiment, the key, and what is said.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::HeaderMap;
use serde::de::DeserializeOwned;

use crate::central::{Curated, TrialDesk, TuningDesk};
use crate::http::access::{Holder, Named};
use crate::http::{App, Code, Problem, body};
use crate::service::Seat;
use crate::store::{Role, Store};

/// A step as it comes.
pub(super) struct Step {
    app: App,
    seat: Arc<Seat>,
    holder: Holder,
    headers: HeaderMap,
    body: Body,
}

impl FromRequest<App> for Step {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Step, Problem> {
        let (mut parts, body) = request.into_parts();
        let Named(seat) = Named::from_request_parts(&mut parts, app).await?;
        let holder = Holder::from_request_parts(&mut parts, app).await?;
        Ok(Step { app: app.clone(), seat, holder, headers: parts.headers, body })
    }
}

impl Step {
    /// What is said, by whoever has a key of this role.
    pub(super) async fn said<T: DeserializeOwned>(self, role: Role) -> Result<(Desk, T), Problem> {
        let actor = self.holder.must_be_for(role, self.seat.experiment().name())?.to_string();
        if matches!(self.seat.curated, Curated::Nothing) {
            return Err(other_kind());
        }
        let said = body::json(&self.app, &self.headers, self.body).await?;
        Ok((Desk { app: self.app, seat: self.seat, actor }, said))
    }
}

fn other_kind() -> Problem {
    Problem::new(Code::OtherKind).with("the experiment has no such steps")
}

/// Where the step is taken, and by whom.
pub(super) struct Desk {
    app: App,
    pub(super) seat: Arc<Seat>,
    /// The key's id.
    pub(super) actor: String,
}

impl Desk {
    pub(super) fn store(&self) -> &Arc<dyn Store> {
        &self.app.service.store
    }

    pub(super) fn trial(&self) -> Result<&TrialDesk, Problem> {
        match &self.seat.curated {
            Curated::Trial(desk) => Ok(desk),
            _ => Err(other_kind()),
        }
    }

    pub(super) fn tuning(&self) -> Result<&TuningDesk, Problem> {
        match &self.seat.curated {
            Curated::Tuning(desk) => Ok(desk),
            _ => Err(other_kind()),
        }
    }
}
