//! All routes in one list: the router is made from it, and so is the OpenAPI document.
#![allow(
    clippy::unused_async,
    clippy::needless_pass_by_value,
    reason = "handlers are async and own what they take"
)]

mod collected;
mod events;
mod experiments;
mod insight;
mod keys;
mod meta;
mod page;
mod policy;
pub(super) mod reports;
mod step;
mod trials;
mod tuning;

use axum::routing::{MethodRouter, delete, get, post};
use serde_json::{Value, json};

use super::App;
use crate::service::MOST_REPORTS;
use crate::store::Role;

/// A route, for the router and for people.
pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    /// The role that a key needs; none if it is public.
    pub(crate) role: Option<Role>,
    /// Media types of the body, each with its schema.
    pub(crate) body: Vec<(&'static str, Value)>,
    /// The good answer: status, media types with schemas.
    pub(crate) answer: (u16, Vec<(&'static str, Value)>),
    /// Names of parameters in the query, each with its schema.
    pub(crate) query: Vec<(&'static str, Value)>,
    /// What it makes is named by this field of the answer, and asked about under this path.
    pub(crate) leads_to: Option<(&'static str, &'static str)>,
    /// Whether it is about records that a curator sees: nothing of it is counted or logged.
    pub(crate) is_central: bool,
    pub(crate) handler: MethodRouter<App>,
}

impl Route {
    fn new(
        method: &'static str,
        path: &'static str,
        handler: MethodRouter<App>,
        summary: &'static str,
    ) -> Route {
        Route {
            method,
            path,
            summary,
            role: None,
            body: Vec::new(),
            answer: (200, Vec::new()),
            query: Vec::new(),
            leads_to: None,
            is_central: false,
            handler,
        }
    }

    fn key(self, role: Role) -> Route {
        Route { role: Some(role), ..self }
    }

    fn takes(mut self, media: &'static str, schema: Value) -> Route {
        self.body.push((media, schema));
        self
    }

    fn gives(mut self, media: &'static str, schema: Value) -> Route {
        self.answer.1.push((media, schema));
        self
    }

    fn status(mut self, status: u16) -> Route {
        self.answer.0 = status;
        self
    }

    fn makes(self, field: &'static str, within: &'static str) -> Route {
        Route { leads_to: Some((field, within)), ..self }
    }

    fn asks(mut self, name: &'static str, schema: Value) -> Route {
        self.query.push((name, schema));
        self
    }
}

const JSON: &str = "application/json";
const BYTES: &str = "application/octet-stream";

fn number() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX })
}

fn object() -> Value {
    json!({ "type": "object" })
}

/// Everything that the service answers to.
pub(crate) fn all() -> Vec<Route> {
    let mut all = experiments();
    all.extend(devices());
    all.extend(central());
    all.extend(keys());
    all.extend(meta());
    all
}

fn devices() -> Vec<Route> {
    let text = || json!({ "type": "string" });
    vec![
        Route::new("GET", "/v1/experiments/{id}/policy", get(policy::read), "The policy for the next people")
            .asks("digest", json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" }))
            .asks("source", json!({ "type": "integer", "minimum": 0, "maximum": 1000 }))
            .gives(BYTES, json!({ "type": "string", "format": "binary" }))
            .gives(JSON, object()),
        Route::new(
            "GET",
            "/v1/experiments/{id}/events",
            get(events::listen),
            "Says when there is a new policy",
        )
        .gives("text/event-stream", text()),
        Route::new(
            "GET",
            "/v1/experiments/{id}/log",
            get(collected::log),
            "A collection of sales, to learn prices from",
        )
        .key(Role::Read)
        .gives(BYTES, json!({ "type": "string", "format": "binary" })),
        Route::new(
            "POST",
            "/v1/experiments/{id}/reports",
            post(reports::take),
            "Takes reports, each once; empty, or Failures",
        )
        .key(Role::Upload)
        .takes(JSON, reports::body_schema())
        // Empty if all were taken, otherwise `Failures`: OpenAPI has no word for such an answer.
        .takes(BYTES, json!({ "type": "string", "format": "binary" })),
    ]
}

fn experiments() -> Vec<Route> {
    let act = |path, handler, summary| {
        Route::new("POST", path, handler, summary).key(Role::Admin).gives(JSON, object())
    };
    vec![
        Route::new("GET", "/v1/experiments", get(experiments::list), "All experiments that the key is for")
            .key(Role::Read)
            .gives(JSON, object()),
        Route::new("POST", "/v1/experiments", post(experiments::create), "Serves an experiment from now on")
            .key(Role::Admin)
            .takes(JSON, super::openapi::experiment_schema())
            .takes("application/toml", json!({ "type": "string" }))
            .asks("batch", json!({ "type": "integer", "minimum": 1, "maximum": u64::MAX }))
            .asks("keep_reports_seconds", number())
            .status(201)
            .makes("name", "/v1/experiments/{id}")
            .gives(JSON, object()),
        Route::new(
            "GET",
            "/v1/experiments/{id}",
            get(experiments::show),
            "The public document and its guarantee",
        )
        .gives(JSON, object()),
        Route::new("GET", "/v1/experiments/{id}/insight", get(insight::read), "What is known")
            .key(Role::Read)
            .gives(JSON, object()),
        act("/v1/experiments/{id}/pause", post(experiments::pause), "Takes no reports for now"),
        act("/v1/experiments/{id}/resume", post(experiments::resume), "Takes reports again"),
        act("/v1/experiments/{id}/stop", post(experiments::stop), "Takes no more reports"),
        act(
            "/v1/experiments/{id}/freeze",
            post(experiments::freeze),
            "Everybody gets what is best, from now on",
        ),
        Route::new(
            "GET",
            "/v1/experiments/{id}/export",
            get(experiments::export),
            "All that was learned, to import",
        )
        .key(Role::Admin)
        .gives(JSON, object()),
        Route::new("POST", "/v1/import", post(experiments::import), "Goes on with an exported experiment")
            .key(Role::Admin)
            .takes(JSON, experiments::exported_schema())
            .status(201)
            .makes("name", "/v1/experiments/{id}")
            .gives(JSON, object()),
    ]
}

/// Trials and tuning: whoever posts holds records, and an upload key of theirs is no public one.
fn central() -> Vec<Route> {
    let text = || json!({ "type": "string" });
    let person = |more: Value| {
        let mut schema = json!({
            "type": "object", "additionalProperties": false, "required": ["patient"],
            "properties": { "patient": text(), "reason": { "type": ["string", "null"] } }
        });
        if let (Some(all), Value::Object(more)) = (schema["properties"].as_object_mut(), more) {
            all.extend(more);
        }
        schema
    };
    let outcome =
        || person(json!({ "outcome": { "type": ["number", "null"] }, "missing": { "type": "boolean" } }));
    let step = |path, handler, role, body: Value, summary| {
        let route =
            Route::new("POST", path, handler, summary).key(role).takes(JSON, body).gives(JSON, object());
        Route { is_central: true, ..route }
    };
    let values = || json!({ "type": "object" });
    let records = json!({
        "type": "object", "additionalProperties": false, "required": ["records"],
        "properties": { "records": { "type": "array", "maxItems": MOST_REPORTS, "items": {
            "type": "object", "additionalProperties": false, "required": ["id", "values"],
            "properties": { "id": text(), "values": values() }
        } } }
    });
    let fit = json!({
        "type": "object", "additionalProperties": false, "required": ["epsilon"],
        "properties": { "epsilon": { "type": "number" } }
    });
    let ask = json!({
        "type": "object", "additionalProperties": false,
        "properties": { "context": values(), "action": { "type": ["object", "null"] } }
    });
    let features = json!({ "features": { "type": "object", "additionalProperties": text() } });
    let mut assign = person(features);
    if let Some(all) = assign["properties"].as_object_mut() {
        all.remove("reason");
    }
    vec![
        step(
            "/v1/experiments/{id}/assignments",
            post(trials::assign),
            Role::Upload,
            assign,
            "Assigns a patient; again, the same",
        ),
        step(
            "/v1/experiments/{id}/outcomes",
            post(trials::outcome),
            Role::Upload,
            outcome(),
            "Records an outcome, or that none will come",
        ),
        step(
            "/v1/experiments/{id}/corrections",
            post(trials::correct),
            Role::Upload,
            outcome(),
            "Corrects an outcome",
        ),
        step(
            "/v1/experiments/{id}/withdrawals",
            post(trials::withdraw),
            Role::Upload,
            person(json!({})),
            "Takes back a patient's consent",
        ),
        step(
            "/v1/experiments/{id}/records",
            post(tuning::records),
            Role::Upload,
            records,
            "Keeps records, each once",
        ),
        step(
            "/v1/experiments/{id}/fits",
            post(tuning::fit),
            Role::Admin,
            fit,
            "Releases what the records say, paid for first",
        ),
        step(
            "/v1/experiments/{id}/predictions",
            post(tuning::predict),
            Role::Read,
            ask,
            "What the released function expects",
        ),
    ]
}

fn keys() -> Vec<Route> {
    vec![
        Route::new("GET", "/v1/keys", get(keys::list), "All keys, without the keys themselves")
            .key(Role::Admin)
            .gives(JSON, object()),
        Route::new("POST", "/v1/keys", post(keys::make), "Makes a key, and shows it once")
            .key(Role::Admin)
            .takes(JSON, keys::body_schema())
            .status(201)
            .makes("id", "/v1/keys/{id}")
            .gives(JSON, object()),
        Route::new("DELETE", "/v1/keys/{id}", delete(keys::revoke), "Revokes a key")
            .key(Role::Admin)
            .status(204),
        Route::new("GET", "/v1/audit", get(keys::audit), "What was done, when, and with which key")
            .key(Role::Admin)
            .asks("from", number())
            .gives(JSON, object()),
    ]
}

fn meta() -> Vec<Route> {
    let text = || json!({ "type": "string" });
    vec![
        Route::new(
            "GET",
            "/",
            get(page::shell),
            "A page for people: put a key behind the address, as #rk_...",
        )
        .gives("text/html", text()),
        Route::new("GET", "/page.js", get(page::script), "The page's script")
            .gives("text/javascript", text()),
        Route::new("GET", "/page", get(page::read), "What the key may read, as a page")
            .key(Role::Read)
            .gives("text/html", text()),
        Route::new("GET", "/healthz", get(meta::health), "Whether the process runs")
            .gives("text/plain", text()),
        Route::new("GET", "/readyz", get(meta::ready), "Whether the store answers")
            .gives("text/plain", text()),
        Route::new("GET", "/metrics", get(meta::metrics), "Counts for Prometheus")
            .gives("text/plain", text()),
        Route::new("GET", "/openapi.json", get(meta::openapi), "This document").gives(JSON, object()),
        Route::new("GET", "/problems/{code}", get(meta::problem), "What a problem's code means")
            .gives("text/plain", text()),
    ]
}
