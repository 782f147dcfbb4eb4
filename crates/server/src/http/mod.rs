//! The service over HTTP: routes, who may use them, and how much.

mod access;
mod body;
mod guard;
mod limits;
mod metrics;
mod openapi;
mod patient;
mod problem;
mod routes;
mod serve;
mod tls;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;

pub use limits::Limits;
pub use problem::{Code, Problem};
pub use serve::{ServeError, Server};
pub use tls::{Tls, TlsError};

use crate::service::Service;
use limits::Visitors;
use metrics::Metrics;

/// What every handler has.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) service: Arc<Service>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) visitors: Arc<Visitors>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) openapi: Arc<str>,
}

/// The service as a router: what tests call without a connection.
pub fn router(service: Arc<Service>, limits: Limits) -> Router {
    let routes = routes::all();
    let openapi = openapi::document(&routes).to_string().into();
    let app = App {
        visitors: Arc::new(Visitors::new(&limits)),
        metrics: Arc::new(Metrics::new(&routes, limits.requests_at_once)),
        limits: Arc::new(limits),
        service,
        openapi,
    };
    let mut router = Router::new();
    for route in routes {
        router = router.route(route.path, route.handler);
    }
    router
        .fallback(|| async { Problem::new(Code::NoSuchPlace) })
        .method_not_allowed_fallback(|| async { Problem::new(Code::MethodNotAllowed) })
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}
