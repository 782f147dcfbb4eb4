//! Who may what: keys, visitors, web pages, and what they are told.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use reticent_server::http::{Code, Limits, router};
use reticent_server::store::{Memory, Role, Scope, Store};
use reticent_server::{Log, NewKey, Service, SharedClock};
use serde_json::{Value, json};
use support::bandit;
use support::bench::{Bench, one, request};
use tower_service::Service as _;

#[tokio::test]
async fn every_error_is_a_problem() {
    let limits = Limits { request_bytes: 2_000, ..Limits::default() };
    let bench = Bench::new(limits).await;
    let (admin, upload) = (Some(bench.admin.as_str()), Some(bench.upload.as_str()));
    bench.get("/nowhere", None).await.is(Code::NoSuchPlace);
    bench.get("/v1/experiments/none/policy", None).await.is(Code::NoSuchExperiment);
    bench.get("/v1/experiments/%ff/policy", None).await.is(Code::NoSuchExperiment);
    bench.post("/v1/experiments/page/policy", None, "").await.is(Code::MethodNotAllowed);
    bench.get("/v1/experiments/page/insight", None).await.is(Code::NoKey);
    bench.get("/v1/experiments/page/insight", Some("rk_00")).await.is(Code::KeyRefused);
    bench.get("/v1/experiments/page/insight", upload).await.is(Code::NotAllowed);
    bench.get("/v1/experiments/page/policy?digest=00", None).await.is(Code::Unreadable);
    let wrong = format!("/v1/experiments/page/policy?digest={}", "0".repeat(64));
    bench.get(&wrong, None).await.is(Code::OtherDigest);
    bench.get("/v1/experiments/page/policy?source=0", None).await.is(Code::NoPolicy);
    let path = "/v1/experiments/page/reports";
    bench.post(path, upload, "{").await.is(Code::Unreadable);
    bench.post(path, upload, &" ".repeat(3_000)).await.is(Code::TooLarge);
    let plain =
        request("POST", path, upload).header("content-type", "text/plain").body(Body::from("x")).unwrap();
    bench.ask(plain).await.is(Code::OtherMediaType);
    bench.post("/v1/experiments", admin, "{\"person\": \"Ada\"}").await.is(Code::Refused);
    bench.post("/v1/experiments", upload, "{}").await.is(Code::NotAllowed);
    let taken = bandit("page").to_json().unwrap().replace("\"red\"", "\"pink\"");
    bench.post("/v1/experiments", admin, &taken).await.is(Code::NameTaken);
    bench.post("/v1/experiments/page/assignments", admin, r#"{"patient": "Ada"}"#).await.is(Code::OtherKind);
    let delete = request("DELETE", "/v1/keys/none", admin).body(Body::empty()).unwrap();
    bench.ask(delete).await.is(Code::NoSuchKey);
    let told = bench.get("/problems/no-key", None).await;
    assert_eq!(told.status, StatusCode::OK);
}

#[tokio::test]
async fn a_key_is_for_its_role_its_experiments_and_its_time() {
    let bench = Bench::new(Limits::default()).await;
    let admin = Some(bench.admin.as_str());
    let make = async |wish: Value| {
        let made = bench.post("/v1/keys", admin, &wish.to_string()).await;
        assert_eq!(made.status, StatusCode::CREATED);
        (made.json()["key"].as_str().unwrap().to_string(), made.json()["id"].as_str().unwrap().to_string())
    };
    let other = bandit("other").to_json().unwrap();
    assert_eq!(bench.post("/v1/experiments", admin, &other).await.status, StatusCode::CREATED);
    let (elsewhere, _) = make(json!({ "role": "read", "experiments": ["other"] })).await;
    bench.get("/v1/experiments/page/insight", Some(&elsewhere)).await.is(Code::NotAllowed);
    let (read, id) =
        make(json!({ "role": "read", "experiments": ["page"], "expires": "1970-01-12T13:47:00Z" })).await;
    assert_eq!(bench.get("/v1/experiments/page/insight", Some(&read)).await.status, StatusCode::OK);
    bench.get("/v1/keys", Some(&read)).await.is(Code::NotAllowed);
    bench.clock.set(1_000_020);
    bench.get("/v1/experiments/page/insight", Some(&read)).await.is(Code::KeyRefused);
    bench.clock.set(1_000_000);
    let delete = request("DELETE", &format!("/v1/keys/{id}"), admin).body(Body::empty()).unwrap();
    assert_eq!(bench.ask(delete).await.status, StatusCode::NO_CONTENT);
    bench.get("/v1/experiments/page/insight", Some(&read)).await.is(Code::KeyRefused);
    let listed = bench.get("/v1/keys", admin).await;
    assert!(!String::from_utf8_lossy(&listed.bytes).contains("hash"));
}

#[tokio::test]
async fn a_key_that_was_revoked_elsewhere_is_refused_here() {
    let store: Arc<dyn Store> = Arc::new(Memory::new().unwrap());
    let mut servers = Vec::new();
    for _ in 0..2 {
        let clock = SharedClock::default();
        servers.push(Service::start(Arc::clone(&store), clock, Log::silent()).await.unwrap());
    }
    let read = NewKey::new(Role::Read, Scope::All, "test");
    let (secret, record) = servers[0].make_key(read, "test").await.unwrap();
    let here = router(Arc::clone(&servers[1]), Limits::default());
    let status = async || {
        let asked = request("GET", "/v1/experiments", Some(secret.reveal())).body(Body::empty()).unwrap();
        here.clone().call(asked).await.unwrap().status()
    };
    let becomes = async |wanted: StatusCode| {
        tokio::time::timeout(Duration::from_secs(5), async {
            while status().await != wanted {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await
        .expect("within five seconds");
    };
    becomes(StatusCode::OK).await;
    assert!(servers[0].revoke_key(&record.id, "test").await.unwrap());
    becomes(StatusCode::UNAUTHORIZED).await;
}

#[tokio::test]
async fn one_visitor_is_slowed_down_and_told_for_how_long() {
    let bench = Bench::new(Limits { visitor_requests_per_second: 10, ..Limits::default() }).await;
    let mut last = bench.get("/v1/experiments/page", None).await;
    for _ in 0..20 {
        last = bench.get("/v1/experiments/page", None).await;
    }
    last.is(Code::TooManyRequests);
    assert_eq!(last.headers["retry-after"], "1");
    assert_eq!(
        bench.send(json!([one(1, 1)])).await.status,
        StatusCode::OK,
        "with a key it is counted by itself"
    );
    bench.clock.set(1_000_002);
    assert_eq!(bench.get("/v1/experiments/page", None).await.status, StatusCode::OK);
}

#[tokio::test]
async fn pages_use_the_keys_that_are_for_them() {
    let bench = Bench::new(Limits::default()).await;
    let wish = json!({ "role": "upload", "experiments": ["page"], "origins": ["https://shop.example"] });
    let made = bench.post("/v1/keys", Some(&bench.admin), &wish.to_string()).await.json();
    let key = made["key"].as_str().unwrap();
    let path = "/v1/experiments/page/reports";
    let preflight = async |origin: &str| {
        let asked = request("OPTIONS", path, None).header("origin", origin);
        let asked = asked.header("access-control-request-method", "POST");
        bench.ask(asked.body(Body::empty()).unwrap()).await
    };
    let yes = preflight("https://shop.example").await;
    assert_eq!(yes.status, StatusCode::NO_CONTENT);
    assert_eq!(yes.headers["access-control-allow-origin"], "https://shop.example");
    assert!(yes.headers["access-control-allow-headers"].to_str().unwrap().contains("authorization"));
    preflight("https://evil.example").await.is(Code::OriginNotAllowed);
    let send = async |origin: &str, key: &str| {
        let asked = request("POST", path, Some(key)).header("origin", origin);
        let body = json!({ "reports": [one(1, 1)] }).to_string();
        bench.ask(asked.header("content-type", "application/json").body(Body::from(body)).unwrap()).await
    };
    let taken = send("https://shop.example", key).await;
    assert_eq!(taken.status, StatusCode::OK);
    assert_eq!(taken.headers["access-control-allow-origin"], "https://shop.example");
    let refused = send("https://evil.example", key).await;
    refused.is(Code::OriginNotAllowed);
    assert!(!refused.headers.contains_key("access-control-allow-origin"));
    send("https://shop.example", &bench.upload).await.is(Code::OriginNotAllowed);
    let public = request("GET", "/v1/experiments/page/policy", None).header("origin", "https://any.example");
    let public = bench.ask(public.body(Body::empty()).unwrap()).await;
    assert_eq!(public.headers["access-control-allow-origin"], "*");
    // A cache that has the answer to a device gives it to a page later, and one to a page's key to nobody else's.
    let device = bench.get("/v1/experiments/page/policy", None).await;
    assert_eq!(device.headers["access-control-allow-origin"], "*");
    let keyed = bench.get("/v1/experiments/page/policy", Some(&bench.upload)).await;
    assert!(keyed.headers.get_all("vary").iter().any(|name| name == "Origin"));
}

#[tokio::test]
async fn keys_that_would_be_of_no_use_are_not_made_and_one_admin_stays() {
    let bench = Bench::new(Limits::default()).await;
    let admin = Some(bench.admin.as_str());
    for wish in [
        json!({ "role": "upload", "rate": 0 }),
        json!({ "role": "upload", "expires": "1970-01-12T13:46:40Z" }),
        json!({ "role": "upload", "expires": "2027-02-30T00:00:00Z" }),
        json!({ "role": "upload", "origins": ["shop.example"] }),
        json!({ "role": "upload", "origins": ["https://"] }),
        json!({ "role": "upload", "origins": ["https://[]"] }),
        json!({ "role": "upload", "origins": ["https://[::1"] }),
        json!({ "role": "upload", "origins": ["https://shop.example/"] }),
        json!({ "role": "upload", "origins": ["https://shop.example:"] }),
        json!({ "role": "upload", "origins": ["https://shop.example:65536"] }),
        json!({ "role": "upload", "label": "two\nlines" }),
    ] {
        bench.post("/v1/keys", admin, &wish.to_string()).await.is(Code::Refused);
    }
    for rate in [json!(2.5), json!(-1), json!(4_294_967_296_u64), json!("5")] {
        let wish = json!({ "role": "upload", "rate": rate }).to_string();
        bench.post("/v1/keys", admin, &wish).await.is(Code::Unreadable);
    }
    let origins = json!(["https://shop.example", "http://localhost:8080", "http://[::1]:80"]);
    let pages =
        bench.post("/v1/keys", admin, &json!({ "role": "upload", "origins": origins }).to_string()).await;
    assert_eq!(pages.json()["origins"], origins);
    let same = bench.post("/v1/keys", admin, r#"{"role": "upload", "rate": 5.0}"#).await;
    assert_eq!((same.status, &same.json()["rate"]), (StatusCode::CREATED, &json!(5)), "one number in JSON");
    for none in [json!(["nobody's"]), json!([])] {
        let wish = json!({ "role": "upload", "experiments": none }).to_string();
        bench.post("/v1/keys", admin, &wish).await.is(Code::NoSuchExperiment);
    }
    let keys = bench.get("/v1/keys", admin).await.json();
    let mine = keys["keys"].as_array().unwrap().iter().find(|key| key["role"] == "admin").unwrap().clone();
    let path = format!("/v1/keys/{}", mine["id"].as_str().unwrap());
    let revoke = async || bench.ask(request("DELETE", &path, admin).body(Body::empty()).unwrap()).await;
    revoke().await.is(Code::Refused);
    let ends = json!({ "role": "admin", "expires": "1970-01-12T14:46:40Z" }).to_string();
    assert_eq!(bench.post("/v1/keys", admin, &ends).await.status, StatusCode::CREATED);
    assert_eq!(revoke().await.status, StatusCode::NO_CONTENT, "another one is good now");
}

#[tokio::test]
async fn what_is_wrong_is_named_by_our_words_alone() {
    let bench = Bench::new(Limits::default()).await;
    let admin = Some(bench.admin.as_str());
    let told = bench.post("/v1/keys", admin, r#"{"role": "read", "Ada": 1}"#).await;
    told.is(Code::Unreadable);
    let detail = told.json()["detail"].to_string();
    assert!(detail.contains("`experiments`") && !detail.contains("Ada"), "{detail}");
    let told = bench.post("/v1/keys", admin, "{}").await.json()["detail"].to_string();
    assert!(told.contains("missing field `role`"), "{told}");
    // An experiment is public: what is wrong with it is quoted.
    let legs = bandit("other").to_json().unwrap().replace("\"arms\"", "\"legs\"");
    let told = bench.post("/v1/experiments", admin, &legs).await;
    told.is(Code::Refused);
    assert!(told.json()["detail"].to_string().contains("legs"), "{}", told.json());
    for name in [".", ".."] {
        bench.post("/v1/experiments", admin, &bandit(name).to_json().unwrap()).await.is(Code::Refused);
    }
    for path in ["/", "/healthz", "/nowhere", "/v1/experiments/page/policy"] {
        assert_eq!(bench.get(path, None).await.headers["x-content-type-options"], "nosniff");
    }
    let policy = bench.get("/", None).await.headers["content-security-policy"].to_str().unwrap().to_string();
    assert!(!policy.contains("unsafe"), "{policy}");
}
