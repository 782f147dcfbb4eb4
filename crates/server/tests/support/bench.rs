//! The service in memory, asked as over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use reticent_server::http::{Code, Limits, router};
use reticent_server::store::{Memory, Role, Scope};
use reticent_server::{Log, NewKey, Seat, Service};
use serde_json::{Value, json};
use tower_service::Service as _;

use super::{SetClock, bandit, id, report};

/// A service in memory, with keys.
pub(crate) struct Bench {
    pub(crate) router: Router,
    pub(crate) service: Arc<Service>,
    pub(crate) clock: SetClock,
    pub(crate) admin: String,
    pub(crate) upload: String,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    /// Asserts that it is a problem of this code.
    pub(crate) fn is(&self, code: Code) {
        assert_eq!(self.status, code.status(), "{}", String::from_utf8_lossy(&self.bytes));
        assert_eq!(self.headers["content-type"], "application/problem+json");
        assert_eq!(self.json()["code"], code.name());
        assert_eq!(self.json()["status"], code.status().as_u16());
    }
}

impl Bench {
    pub(crate) async fn new(limits: Limits) -> Bench {
        let clock = SetClock::at(1_000_000);
        let store = Arc::new(Memory::new().unwrap());
        let service = Service::start(store, clock.shared(), Log::silent()).await.unwrap();
        let admin = NewKey::new(Role::Admin, Scope::All, "test");
        let (admin, _) = service.make_key(admin, "test").await.unwrap();
        let mut bench = Bench::on(service, clock, admin.reveal().into(), limits);
        let body = bandit("page").to_json().unwrap();
        let made = bench.post("/v1/experiments", Some(&bench.admin.clone()), &body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", String::from_utf8_lossy(&made.bytes));
        bench.upload = made.json()["upload_key"]["key"].as_str().unwrap().into();
        bench
    }

    /// A service that is there, asked with this key.
    pub(crate) fn on(service: Arc<Service>, clock: SetClock, admin: String, limits: Limits) -> Bench {
        let router = router(Arc::clone(&service), limits);
        Bench { router, service, clock, admin, upload: String::new() }
    }

    pub(crate) async fn ask(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().call(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        Answer { status: parts.status, headers: parts.headers, bytes }
    }

    pub(crate) async fn get(&self, path: &str, key: Option<&str>) -> Answer {
        self.ask(request("GET", path, key).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, key: Option<&str>, body: &str) -> Answer {
        let request = request("POST", path, key).header("content-type", "application/json");
        self.ask(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub(crate) async fn send(&self, reports: Value) -> Answer {
        let body = json!({ "reports": reports }).to_string();
        self.post("/v1/experiments/page/reports", Some(&self.upload), &body).await
    }

    /// Waits until so many reports are in the page's state, and all of every experiment that were taken.
    pub(crate) async fn folded(&self, count: u64) {
        for _ in 0..400 {
            self.service.refresh().await.unwrap();
            let marks = |seat: Arc<Seat>| seat.view().marks;
            let is_done = self.service.seats().into_iter().map(marks).all(|all| all.folded == all.appended);
            if is_done && marks(self.service.seat("page").unwrap()).folded == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("reports were not folded");
    }
}

pub(crate) fn request(method: &str, path: &str, key: Option<&str>) -> axum::http::request::Builder {
    let request = Request::builder().method(method).uri(path);
    match key {
        Some(key) => request.header("authorization", format!("Bearer {key}")),
        None => request,
    }
}

pub(crate) fn one(number: u64, policy: u64) -> Value {
    let report = report(&bandit("page"), policy, (number % 3) as u32, number.is_multiple_of(2));
    json!({ "id": id(number).to_string(), "report": report })
}
