//! Server-sent events: who listens hears of each new policy within moments.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{self, Stream};
use serde_json::json;

use crate::http::access::Named;
use crate::http::{App, Code, Problem};
use crate::service::View;

const STILL_THERE: Duration = Duration::from_secs(15);

pub(super) async fn listen(
    State(app): State<App>,
    Named(seat): Named,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    if !seat.takes_reports() {
        return Err(Problem::new(Code::NoPolicy));
    }
    let mut view = seat.watch();
    view.mark_changed();
    let start = (view, app.service.stopping(), None::<(u64, &'static str)>);
    let events = stream::unfold(start, |(mut view, mut stop, mut last)| async move {
        loop {
            tokio::select! {
                // Also for who began to listen when it was over already.
                biased;
                _ = stop.wait_for(|over| *over) => return None,
                changed = view.changed() => changed.ok()?,
            }
            let now = view.borrow_and_update().clone();
            let seen = (now.marks.newest, now.marks.phase.name());
            if last.replace(seen) != Some(seen) {
                return Some((Ok(event(&now)), (view, stop, last)));
            }
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(STILL_THERE)))
}

fn event(view: &View) -> Event {
    let policy = view.policy.as_ref();
    let data = json!({
        "version": policy.map(|policy| policy.version),
        "published": policy.map(|policy| policy.at),
        "phase": view.marks.phase.name(),
    });
    Event::default().event("policy").id(view.marks.newest.to_string()).data(data.to_string())
}
