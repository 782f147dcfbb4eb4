//! The service over HTTP, as clients see it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use http_body_util::BodyExt;
use reticent_server::http::{Code, Limits, router};
use reticent_server::store::{Memory, Role, Scope};
use reticent_server::{Log, NewKey, Service};
use serde_json::{Value, json};
use support::bench::{Bench, one, request};
use support::{SetClock, bandit, contextual, id, report};
use tower_service::Service as _;

#[tokio::test]
async fn reports_go_in_and_a_policy_comes_out() {
    let bench = Bench::new(Limits::default()).await;
    let first = bench.get("/v1/experiments/page/policy", None).await;
    assert_eq!(first.status, StatusCode::OK);
    let policy = reticent_protocol::mab::Policy::decode(&first.bytes).unwrap();
    assert_eq!(policy.experiment, bandit("page").digest());
    let tag = first.headers["etag"].to_str().unwrap();
    for known in [tag, &format!("W/{tag}"), &format!("\"other\", {tag}"), "*"] {
        let again = request("GET", "/v1/experiments/page/policy", None).header("if-none-match", known);
        let again = bench.ask(again.body(Body::empty()).unwrap()).await;
        assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0), "{known}");
    }

    let taken = bench.send((0..40).map(|n| one(n, 1)).collect()).await;
    assert_eq!((taken.status, taken.bytes.len()), (StatusCode::OK, 0));
    bench.folded(40).await;
    let json = request("GET", "/v1/experiments/page/policy", None).header("accept", "application/json");
    let json = bench.ask(json.body(Body::empty()).unwrap()).await;
    assert!(json.json()["version"].as_u64().unwrap() > 1, "learning made a new policy");
    assert_ne!(json.headers["etag"], tag);

    let insight = bench.get("/v1/experiments/page/insight", Some(&bench.admin)).await.json();
    assert_eq!((&insight["people"], &insight["kind"]), (&json!(40), &json!("bandit")));
    assert_eq!(insight["arms"].as_array().unwrap().len(), 3);
    let shown = bench.get("/v1/experiments/page", None).await.json();
    assert_eq!(insight["guarantee"], shown["guarantee"], "one guarantee from end to end");
    let told: Value = serde_json::from_str(first.headers["reticent-guarantee"].to_str().unwrap()).unwrap();
    assert_eq!(told, shown["guarantee"]);
}

/// What a body is said to be before it comes.
#[tokio::test]
async fn a_body_that_cannot_be_taken_is_refused_by_its_head() {
    let limits = Limits { request_bytes: 1_000, ..Limits::default() };
    let bench = Bench::new(limits).await;
    let post = || {
        let path = "/v1/experiments/page/reports";
        request("POST", path, Some(&bench.upload)).header("content-type", "application/json")
    };
    let packed = post().header("content-encoding", "gzip").body(Body::from("{}")).unwrap();
    bench.ask(packed).await.is(Code::OtherMediaType);
    let plain = post().header("content-encoding", "identity").body(Body::from(r#"{"reports": []}"#)).unwrap();
    assert_eq!(bench.ask(plain).await.status, StatusCode::OK);
    bench.ask(post().body(Body::new(Promised(1_001))).unwrap()).await.is(Code::TooLarge);
}

/// A body that never comes, and says how long it would be.
struct Promised(u64);

impl axum::body::HttpBody for Promised {
    type Data = axum::body::Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
        std::task::Poll::Pending
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        hyper::body::SizeHint::with_exact(self.0)
    }
}

#[tokio::test]
async fn refusals_come_in_order_and_with_reasons() {
    let bench = Bench::new(Limits::default()).await;
    assert_eq!(bench.send(json!([one(1, 1)])).await.bytes, b"");
    let other = report(&bandit("another"), 1, 0, true);
    let wild = json!({ "id": id(9).to_string(), "report": { "reward": 0.7 } });
    let arm = json!({ "id": id(10).to_string(), "report": report(&bandit("page"), 1, 7, true) });
    let other = json!({ "id": id(8).to_string(), "report": other });
    let answer = bench.send(json!([one(1, 1), one(2, 99), other, wild, arm, one(3, 1)])).await;
    assert_eq!(answer.status, StatusCode::OK);
    let reasons: Vec<Value> =
        answer.json()["failures"].as_array().unwrap().iter().map(|one| one["reason"].clone()).collect();
    assert_eq!(reasons, ["replayed", "too-early", "other-experiment", "not-an-answer", "not-an-answer"]);
    let paused = bench.post("/v1/experiments/page/pause", Some(&bench.admin), "").await;
    assert_eq!(paused.json()["phase"], "paused");
    assert_eq!(bench.send(json!([one(4, 1)])).await.json()["failures"][0]["reason"], "paused");
    assert_eq!(
        bench.post("/v1/experiments/page/resume", Some(&bench.admin), "").await.status,
        StatusCode::OK
    );
    assert_eq!(bench.send(json!([one(4, 1)])).await.bytes, b"");
    bench.folded(3).await;
    let refused = bench.get("/v1/experiments/page/insight", Some(&bench.admin)).await.json();
    assert_eq!(refused["refused_on_arrival"]["not-an-answer"], 2);
}

#[tokio::test]
async fn bytes_are_as_good_as_json() {
    let bench = Bench::new(Limits::default()).await;
    let send = async |numbers: std::ops::Range<u64>| {
        let mut body = Vec::new();
        for number in numbers {
            let bytes = report(&bandit("page"), 1, 0, true).encode();
            body.extend(id(number).0);
            body.extend((bytes.len() as u16).to_le_bytes());
            body.extend(bytes);
        }
        let request = request("POST", "/v1/experiments/page/reports", Some(&bench.upload));
        let request = request.header("content-type", "application/octet-stream");
        bench.ask(request.body(Body::from(body)).unwrap()).await
    };
    assert_eq!(send(0..5).await.bytes, b"");
    assert_eq!(send(3..7).await.json()["failures"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_winner_is_shipped_and_nothing_more_is_taken() {
    let bench = Bench::new(Limits::default()).await;
    let good = |n: u64| json!({ "id": id(n).to_string(), "report": report(&bandit("page"), 1, (n % 3) as u32, n % 3 == 2) });
    assert_eq!(bench.send((0..600).map(good).collect()).await.bytes, b"");
    bench.folded(600).await;
    assert_eq!(
        bench.post("/v1/experiments/page/freeze", Some(&bench.admin), "").await.status,
        StatusCode::OK
    );
    assert_eq!(bench.send(json!([one(900, 1)])).await.json()["failures"][0]["reason"], "closed");
    for attempt in 0.. {
        bench.service.refresh().await.unwrap();
        let bytes = bench.get("/v1/experiments/page/policy", None).await.bytes;
        let arms = reticent_protocol::mab::Policy::decode(&bytes).unwrap().arms.tickets();
        if arms == [(2, 1)] {
            break;
        }
        assert!(attempt < 200, "everybody gets the best arm: {arms:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    bench.post("/v1/experiments/page/resume", Some(&bench.admin), "").await.is(Code::WrongPhase);
    let deeds = bench.get("/v1/audit", Some(&bench.admin)).await.json();
    let actions: Vec<&str> =
        deeds["deeds"].as_array().unwrap().iter().map(|d| d["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["key.make", "experiment.create", "key.make", "experiment.freeze"]);
    let keys = bench.get("/v1/keys", Some(&bench.admin)).await.json();
    let admin = keys["keys"].as_array().unwrap().iter().find(|key| key["role"] == "admin").unwrap();
    let last = &deeds["deeds"][3];
    assert_eq!((&last["actor"], &last["subject"]), (&admin["id"], &json!("page")));
    assert_eq!(last["at"], "1970-01-12T13:46:40Z");
}

#[tokio::test]
async fn a_listener_hears_of_a_new_policy() {
    let bench = Bench::new(Limits::default()).await;
    let request = request("GET", "/v1/experiments/page/events", None).body(Body::empty()).unwrap();
    let response = bench.router.clone().call(request).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    let mut next = async || {
        let frame =
            tokio::time::timeout(Duration::from_secs(2), body.frame()).await.expect("within two seconds");
        String::from_utf8(frame.unwrap().unwrap().into_data().unwrap().to_vec()).unwrap()
    };
    assert!(next().await.contains("\"version\":1"));
    assert_eq!(bench.send((0..10).map(|n| one(n, 1)).collect()).await.bytes, b"");
    assert!(!next().await.contains("\"version\":1,"));
}

#[tokio::test]
async fn who_begins_to_listen_at_the_end_is_not_kept() {
    let bench = Bench::new(Limits::default()).await;
    bench.service.end_streams();
    let asked = bench.get("/v1/experiments/page/events", None);
    let ended = tokio::time::timeout(Duration::from_secs(1), asked).await.expect("within a second");
    assert_eq!((ended.status, ended.bytes.as_slice()), (StatusCode::OK, b"".as_slice()));
}

/// What every insight of devices' reports has.
const ALWAYS: [&str; 9] = [
    "people",
    "phase",
    "guarantee",
    "policy",
    "policy_age_seconds",
    "refused",
    "refused_on_arrival",
    "spent",
    "warnings",
];
const SALES: &str = r#"{"name": "sales", "epsilon": "2", "problem": {"kind": "pricing", "records": 1000,
        "context": {"columns": [{"name": "age", "low": "0", "high": "100"}]},
        "price": {"column": "price", "low": "1", "high": "9"},
        "outcome": {"column": "bought", "kind": "binary", "low": "0", "high": "1"}}}"#;
/// What programs and people are promised of each kind, in the insight and on the page.
#[tokio::test]
async fn an_insight_says_what_is_known_and_how_sure_it_is() {
    let bench = Bench::new(Limits::default()).await;
    let admin = Some(bench.admin.as_str());
    for document in [contextual("whom").to_json().unwrap(), SALES.into()] {
        let made = bench.post("/v1/experiments", admin, &document).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", String::from_utf8_lossy(&made.bytes));
    }
    bench.send((0..40).map(|n| one(n, 1)).collect()).await;
    bench.send(json!([one(1, 1), one(50, 99)])).await;
    bench.folded(40).await;
    for (name, own) in [
        ("page", ["arms", "undecided"].as_slice()),
        ("whom", ["arms", "undecided", "map"].as_slice()),
        ("sales", ["reports_by_question"].as_slice()),
    ] {
        let insight = bench.get(&format!("/v1/experiments/{name}/insight"), admin).await.json();
        for field in ALWAYS.iter().chain(own) {
            assert!(insight.get(field).is_some(), "{name} has no {field}: {insight}");
        }
        if name != "sales" {
            let arm = &insight["arms"][0];
            assert!(arm["interval"].is_array() && arm["probability_of_best"].is_number(), "{arm}");
            assert!((0.0..=1.0).contains(&insight["undecided"].as_f64().unwrap()));
        }
    }
    let page = String::from_utf8(bench.get("/page", admin).await.bytes).unwrap();
    for words in [
        "For 100 % of people no arm is best",
        "Not taken: 1 replayed, 1 too early",
        "Who gets which arm",
        "each report costs",
    ] {
        assert!(page.contains(words), "{words} in {page}");
    }
}

#[tokio::test]
async fn the_document_of_the_interface_is_made_from_the_routes() {
    let bench = Bench::new(Limits::default()).await;
    let document = bench.get("/openapi.json", None).await.json();
    assert_eq!(document["openapi"], "3.1.0");
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let path = path.replace("{id}", "page").replace("{code}", "no-key").replace("{key}", "none");
            if path.ends_with("/events") {
                continue;
            }
            let asked = request(&method.to_uppercase(), &path, None).body(Body::empty()).unwrap();
            let answer = bench.ask(asked).await;
            assert_ne!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            if answer.status == StatusCode::NOT_FOUND {
                assert_ne!(answer.json()["code"], "no-such-place", "{method} {path}");
            }
        }
    }
    // Every reference leads somewhere.
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}

/// Another server, which serves nothing yet.
async fn without_experiments(like: Bench) -> Bench {
    let store = Arc::new(Memory::new().unwrap());
    let service = Service::start(store, SetClock::at(5).shared(), Log::silent()).await.unwrap();
    let (admin, _) = service.make_key(NewKey::new(Role::Admin, Scope::All, "x"), "test").await.unwrap();
    let router = router(Arc::clone(&service), Limits::default());
    Bench { router, service, admin: admin.reveal().into(), ..like }
}

#[tokio::test]
async fn an_experiment_goes_on_elsewhere() {
    let bench = Bench::new(Limits::default()).await;
    assert_eq!(bench.send((0..50).map(|n| one(n, 1)).collect()).await.bytes, b"");
    bench.folded(50).await;
    let exported = bench.get("/v1/experiments/page/export", Some(&bench.admin)).await;
    let other = Bench::new(Limits::default()).await;
    let text = String::from_utf8(exported.bytes).unwrap();
    other
        .post("/v1/import", Some(&other.admin), &text.replace("\"red\"", "\"pink\""))
        .await
        .is(Code::Refused);
    let fresh = without_experiments(other).await;
    assert_eq!(fresh.post("/v1/import", Some(&fresh.admin), &text).await.status, StatusCode::CREATED);
    let insight = fresh.get("/v1/experiments/page/insight", Some(&fresh.admin)).await.json();
    assert_eq!(insight["people"], 50);
    fresh.post("/v1/import", Some(&fresh.admin), &text).await.is(Code::NameTaken);
    let policies = [
        bench.get("/v1/experiments/page/policy", None).await,
        fresh.get("/v1/experiments/page/policy", None).await,
    ];
    assert_eq!(policies[0].bytes, policies[1].bytes);
}

/// Its people would pay for reports that nobody counts.
#[tokio::test]
async fn what_is_over_is_over_elsewhere() {
    for (action, phase) in [("pause", "paused"), ("stop", "stopped"), ("freeze", "frozen")] {
        let bench = Bench::new(Limits::default()).await;
        bench.send((0..50).map(|n| one(n, 1)).collect()).await;
        bench.folded(50).await;
        let path = format!("/v1/experiments/page/{action}");
        assert_eq!(bench.post(&path, Some(&bench.admin), "").await.status, StatusCode::OK);
        let exported = bench.get("/v1/experiments/page/export", Some(&bench.admin)).await;
        let fresh = without_experiments(Bench::new(Limits::default()).await).await;
        let text = String::from_utf8(exported.bytes).unwrap();
        assert_eq!(fresh.post("/v1/import", Some(&fresh.admin), &text).await.status, StatusCode::CREATED);
        let insight = fresh.get("/v1/experiments/page/insight", Some(&fresh.admin)).await.json();
        assert_eq!(insight["phase"], phase);
    }
}

#[tokio::test]
async fn nothing_about_people_is_counted() {
    let bench = Bench::new(Limits::default()).await;
    bench.send(json!([one(1, 1)])).await;
    bench.folded(1).await;
    let metrics = String::from_utf8(bench.get("/metrics", None).await.bytes).unwrap();
    assert!(metrics.contains("reticent_reports_taken_total{experiment=\"page\"} 1"), "{metrics}");
    assert!(metrics.contains("route=\"/v1/experiments/{id}/reports\""));
    assert!(!metrics.contains("outcomes") && !metrics.contains("rk_"), "{metrics}");
    assert_eq!(bench.get("/healthz", None).await.status, StatusCode::OK);
    assert_eq!(bench.get("/readyz", None).await.status, StatusCode::OK);
}
