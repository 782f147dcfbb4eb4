//! Trials and tuning through the service: every step is kept, every release is paid for.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use reticent_server::http::{Limits, router};
use reticent_server::store::{Fault, JournalName, Journals, Memory, Role, Scope, Store};
use reticent_server::{Log, NewKey, Service, SharedClock};
use serde_json::{Value, json};
use support::SetClock;
use tower_service::Service as _;

const TRIAL: &str = r#"{"name": "clinic", "epsilon": "2", "problem": {"kind": "trial", "arms": ["usual", "new"],
    "people": 40, "better": "higher", "outcome": {"column": "well", "kind": "binary", "low": "0", "high": "1"},
    "features": [{"name": "site", "levels": ["north", "south"]}]}}"#;
const TUNING: &str = r#"{"name": "dose", "epsilon": "2", "problem": {"kind": "tuning",
    "actions": [{"name": "dose", "low": "0", "high": "10"}], "context": [{"name": "age", "low": "18", "high": "90"}],
    "outcome": {"column": "response", "kind": "number", "low": "0", "high": "1"}, "kernel": {"rank": 12}}}"#;

struct Clinic {
    store: Memory,
    router: Router,
    key: String,
    /// What the service said.
    said: Arc<Mutex<String>>,
}

impl Clinic {
    /// A server on this store: several may be.
    async fn on(store: Memory) -> Clinic {
        let limits = Limits { visitor_requests_per_second: 100_000, ..Limits::default() };
        let shared: Arc<dyn Store> = Arc::new(store.clone());
        let said = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&said);
        let log = Log::new(SharedClock::default(), move |line| heard.lock().unwrap().push_str(line));
        let service = Service::start(shared, SetClock::at(1_000_000).shared(), log).await.unwrap();
        let (key, _) = service.make_key(NewKey::new(Role::Admin, Scope::All, "test"), "test").await.unwrap();
        Clinic { store, router: router(service, limits), key: key.reveal().into(), said }
    }

    async fn ask(&self, method: &str, path: &str, body: &str) -> (StatusCode, Value) {
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        let request = request.header("authorization", format!("Bearer {}", self.key));
        let response =
            self.router.clone().call(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
        let status = response.status();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let text = || String::from_utf8_lossy(&bytes).into_owned().into();
        (status, serde_json::from_slice(&bytes).unwrap_or_else(|_| text()))
    }

    async fn step(&self, part: &str, body: Value) -> (StatusCode, Value) {
        self.ask("POST", &format!("/v1/experiments/{part}"), &body.to_string()).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trial_runs_from_the_first_patient_to_the_release() {
    let clinic = Clinic::on(Memory::new().unwrap()).await;
    assert_eq!(clinic.ask("POST", "/v1/experiments", TRIAL).await.0, StatusCode::CREATED);
    let person = |n: usize| json!({ "patient": format!("p{n}"), "features": { "site": if n.is_multiple_of(2) { "north" } else { "south" } } });
    let mut arms = Vec::new();
    for n in 0..40 {
        let (status, given) = clinic.step("clinic/assignments", person(n)).await;
        assert_eq!(status, StatusCode::OK, "{given}");
        arms.push(given["arm"].clone());
    }
    // Another server on the same store, which has seen none of it.
    let other = Clinic::on(clinic.store.clone()).await;
    for n in [0, 7, 39] {
        assert_eq!(
            other.step("clinic/assignments", person(n)).await.1["arm"],
            arms[n],
            "the same assignment again"
        );
    }
    let (status, full) = other.step("clinic/assignments", person(40)).await;
    assert_eq!((status, &full["code"]), (StatusCode::CONFLICT, &json!("wrong-phase")));
    for (n, arm) in arms.iter().enumerate().take(39) {
        let server = if n.is_multiple_of(2) { &clinic } else { &other };
        let outcome = json!({ "patient": format!("p{n}"), "outcome": f64::from(u8::from(arm == "new")) });
        let (status, recorded) = server.step("clinic/outcomes", outcome).await;
        assert_eq!(status, StatusCode::OK, "{recorded}");
    }
    let missing = clinic.step("clinic/outcomes", json!({ "patient": "p39", "missing": true })).await;
    assert_eq!(missing.0, StatusCode::OK);
    let again = clinic.step("clinic/outcomes", json!({ "patient": "p39", "outcome": 1 })).await;
    assert_eq!(again.1["recorded"], "on-record");
    // Which of the two is meant nobody knows: the writer's program or the reader's.
    let twice = r#"{"patient": "twice", "features": {"site": "north", "site": "south"}}"#;
    let (status, problem) = clinic.ask("POST", "/v1/experiments/clinic/assignments", twice).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(problem["detail"].as_str().unwrap().ends_with("expected each name once"), "{problem}");
    let unknown = clinic.step("clinic/outcomes", json!({ "patient": "Ada", "outcome": 1 })).await;
    assert_eq!(unknown.1["code"], "refused");
    assert!(!unknown.1.to_string().contains("Ada"));
    assert_eq!(clinic.ask("POST", "/v1/experiments/clinic/stop", "").await.0, StatusCode::OK);
    assert_eq!(
        clinic.ask("POST", "/v1/experiments/clinic/stop", "").await.0,
        StatusCode::OK,
        "again is the same"
    );
    let (_, insight) = other.ask("GET", "/v1/experiments/clinic/insight", "").await;
    assert_eq!(insight["people"], 40);
    assert!(insight["analysis"]["effects"].is_array(), "{insight}");
    assert_eq!(
        insight["guarantee"]["loss"]["pure"]["epsilon"],
        insight["spent"]["all_people"]["pure"]["epsilon"]
    );
    assert_eq!(
        clinic.step("clinic/outcomes", json!({ "patient": "p1", "outcome": 1 })).await.0,
        StatusCode::OK
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_assignment_that_was_not_kept_was_seen_by_nobody() {
    let clinic = Clinic::on(Memory::new().unwrap()).await;
    clinic.ask("POST", "/v1/experiments", TRIAL).await;
    // The first step begins the journal, and its epoch.
    clinic.step("clinic/assignments", json!({ "patient": "first", "features": { "site": "south" } })).await;
    for (number, fault) in [(1, Fault::Before), (2, Fault::After)] {
        let person = json!({ "patient": format!("p{number}"), "features": { "site": "north" } });
        clinic.store.plan_faults([fault]);
        let (status, problem) = clinic.step("clinic/assignments", person.clone()).await;
        assert_eq!(
            (status, &problem["code"]),
            (StatusCode::SERVICE_UNAVAILABLE, &json!("busy")),
            "{problem}"
        );
        let (status, given) = clinic.step("clinic/assignments", person.clone()).await;
        assert_eq!(
            (status, &given["number"]),
            (StatusCode::OK, &json!(number)),
            "one, however often it was asked for"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_function_is_paid_for_once_and_asked_for_ever() {
    let clinic = Clinic::on(Memory::new().unwrap()).await;
    let (status, made) = clinic.ask("POST", "/v1/experiments", TUNING).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let record = |n: u32| {
        let (dose, age) = (f64::from(n % 11), f64::from(18 + n % 70));
        let response = 1.0 - (dose - 4.0).abs() / 10.0;
        json!({ "id": n.to_string(), "values": { "dose": dose, "age": age, "response": response } })
    };
    let post = |range: std::ops::Range<u32>| json!({ "records": range.map(record).collect::<Vec<_>>() });
    let nothing = clinic.step("dose/predictions", json!({ "context": { "age": 40 } })).await;
    assert_eq!(nothing.1["code"], "wrong-phase");
    assert_eq!(clinic.step("dose/records", post(0..300)).await.1["new"], 300);
    assert_eq!(clinic.step("dose/records", post(200..400)).await.1["new"], 100, "each once");
    let other = json!({ "dose": 1, "age": 20, "response": 0.25 });
    let new = json!({ "id": "new", "values": other });
    let changed = json!({ "records": [new, { "id": "7", "values": other }] });
    assert_eq!(clinic.step("dose/records", changed).await.1["code"], "contradiction");
    assert_eq!(clinic.step("dose/records", json!({ "records": [new] })).await.1["new"], 1, "none was kept");
    let wrong = json!({ "records": [{ "id": "x", "values": { "dose": "Ada", "age": 1, "response": 0 } }] });
    let (_, problem) = clinic.step("dose/records", wrong).await;
    assert!(problem["code"] == "refused" && !problem.to_string().contains("Ada"), "{problem}");
    // A fit of a quarter of epsilon takes a quarter of delta: there can be several.
    let (status, quarter) = clinic.step("dose/fits", json!({ "epsilon": 0.5 })).await;
    assert_eq!((status, &quarter["stored"]), (StatusCode::OK, &json!(false)), "{quarter}");
    let (status, first) = clinic.step("dose/fits", json!({ "epsilon": 1.25 })).await;
    assert_eq!((status, &first["stored"]), (StatusCode::OK, &json!(false)), "{first}");
    let spent = first["spent"].to_string();
    assert!(spent.contains("8.75e-7") || spent.contains("0.000000875"), "{spent}");
    // Another server gives the same function, and charges nothing.
    let other = Clinic::on(clinic.store.clone()).await;
    let (_, again) = other.step("dose/fits", json!({ "epsilon": 1.25 })).await;
    assert_eq!((&again["stored"], &again["release"]), (&json!(true), &first["release"]));
    let (status, beyond) = other.step("dose/fits", json!({ "epsilon": 1 })).await;
    assert_eq!((status, &beyond["code"]), (StatusCode::CONFLICT, &json!("budget-exhausted")));
    let (_, best) = other.step("dose/predictions", json!({ "context": { "age": 40 } })).await;
    assert!(best["prediction"]["action"][0].is_number(), "{best}");
    assert!(best["prediction"]["supported"].is_boolean() && best["warnings"].is_array(), "{best}");
    let (_, insight) = clinic.ask("GET", "/v1/experiments/dose/insight", "").await;
    assert_eq!(insight["spent"]["all_people"], first["spent"]);
    let paid = clinic
        .store
        .journal(reticent_schema::Experiment::from_json(TUNING).unwrap().prefix(), JournalName::Account);
    assert!(!paid.await.unwrap().is_empty());
}

/// Values of people that nobody else has, through every door: none is in a log line, a metric or a problem, and nothing
/// tells that they came.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_record_is_said() {
    let clinic = Clinic::on(Memory::new().unwrap()).await;
    clinic.ask("POST", "/v1/experiments", TRIAL).await;
    clinic.ask("POST", "/v1/experiments", TUNING).await;
    let mut answers = String::new();
    for (part, body) in [
        ("clinic/assignments", json!({ "patient": "MARK-1", "features": { "site": "north" } })),
        ("clinic/assignments", json!({ "patient": "MARK-2", "features": { "site": "MARK-3" } })),
        (
            "clinic/assignments",
            json!({ "patient": "MARK-4", "features": { "MARK-5": "north", "site": "north" } }),
        ),
        ("clinic/outcomes", json!({ "patient": "MARK-1", "outcome": 1 })),
        ("clinic/outcomes", json!({ "patient": "MARK-6", "outcome": 0.471_147 })),
        ("clinic/corrections", json!({ "patient": "MARK-1", "outcome": 0.471_147, "reason": "MARK-7" })),
        ("clinic/withdrawals", json!({ "patient": "MARK-1", "reason": "MARK-8" })),
        (
            "dose/records",
            json!({ "records": [{ "id": "MARK-9", "values": { "dose": 0.471_147, "age": 40, "response": 0 } }] }),
        ),
        (
            "dose/records",
            json!({ "records": [{ "id": "MARK-10", "values": { "dose": "MARK-11", "age": 1, "response": 0 } }] }),
        ),
        (
            "dose/records",
            json!({ "records": [{ "id": "MARK-12", "values": { "MARK-13": 1, "age": 1, "response": 0 } }] }),
        ),
        ("dose/predictions", json!({ "context": { "MARK-14": 1 } })),
        ("MARK-15/outcomes", json!({ "patient": "MARK-16", "MARK-17": true })),
    ] {
        answers += &clinic.step(part, body).await.1.to_string();
    }
    let (_, metrics) = clinic.ask("GET", "/metrics", "").await;
    assert!(metrics.to_string().contains("reticent_requests_total"));
    let said = clinic.said.lock().unwrap().clone();
    for text in [&answers, &metrics.to_string(), &said] {
        assert!(!text.contains("MARK") && !text.contains("471147"), "{text}");
    }
    assert!(said.contains("/v1/experiments"), "it does say something");
    assert!(!said.contains("outcomes") && !said.contains("records"), "{said}");
}
