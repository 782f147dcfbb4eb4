//! What a collection of sales has, as a privatised log that `reticent price fit` reads.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::http::access::{Holder, Named};
use crate::http::{App, Code, Problem};
use crate::learner::Learner;
use crate::store::Role;

pub(super) async fn log(
    State(app): State<App>,
    Named(seat): Named,
    holder: Holder,
) -> Result<Response, Problem> {
    holder.must_be_for(Role::Read, seat.experiment().name())?;
    let other = || Problem::new(Code::OtherKind).with("only collections of sales have a log");
    if !seat.takes_reports() {
        return Err(other());
    }
    let known = app.service.store.learned(seat.prefix()).await?;
    let (_, learned) = known.ok_or_else(|| Problem::new(Code::NoSuchExperiment))?;
    // Many reports take a while to write.
    let write = move || Learner::load(&learned.state).and_then(|learner| learner.log());
    let log = tokio::task::spawn_blocking(write).await.map_err(|_| Problem::new(Code::Internal))?;
    let log = log.map_err(|_| Problem::new(Code::Internal))?.ok_or_else(other)?;
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], log).into_response())
}
