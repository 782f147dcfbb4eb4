//! Requests of people who mean no good, or whose programs are broken: each gets the right status, none changes what is
//! learned, and the service is as it was.
//!
//! `RETICENT_HOSTILE=100000` sends more.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use reticent_privacy::{SimRng, SimSeed, Stream};
use reticent_server::http::Limits;
use serde_json::{Value, json};
use support::bench::{Bench, one, request};
use support::{bandit, id, report};

const REPORTS: &str = "/v1/experiments/page/reports";
const LARGEST: usize = 4_000;

#[allow(clippy::disallowed_methods, reason = "how many, for who wants more")]
fn cases() -> u64 {
    std::env::var("RETICENT_HOSTILE").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000)
}

fn below(rng: &mut SimRng, most: usize) -> usize {
    ((rng.uniform() * most as f64) as usize).min(most - 1)
}

fn post(path: &str, key: Option<&str>, media: &str, body: impl Into<Body>) -> Request<Body> {
    request("POST", path, key).header("content-type", media).body(body.into()).unwrap()
}

/// One of the kinds, and the status that it must get.
fn case(rng: &mut SimRng, bench: &Bench, known: &[Value]) -> (&'static str, Request<Body>, StatusCode) {
    let upload = Some(bench.upload.as_str());
    let json = "application/json";
    let bytes = |rng: &mut SimRng, most: usize| {
        let length = 1 + below(rng, most);
        (0..length).map(|_| below(rng, 256) as u8).collect::<Vec<u8>>()
    };
    match below(rng, 12) {
        0 => ("noise as JSON", post(REPORTS, upload, json, bytes(rng, 300)), StatusCode::BAD_REQUEST),
        1 => {
            // A length that is never there: whatever the bytes are, the last report is cut off.
            let cut = [bytes(rng, 15).as_slice(), &[7; 16], &[255, 255]].concat();
            let cut = [vec![1; 16], vec![255, 255], cut].concat();
            ("cut bytes", post(REPORTS, upload, "application/octet-stream", cut), StatusCode::BAD_REQUEST)
        }
        2 => {
            let whole = json!({ "reports": known }).to_string();
            let part = whole[..=below(rng, whole.len() - 2)].to_string();
            ("half a request", post(REPORTS, upload, json, part), StatusCode::BAD_REQUEST)
        }
        3 => {
            let large = vec![b' '; LARGEST + 1 + below(rng, 10_000)];
            ("oversized", post(REPORTS, upload, json, large), StatusCode::PAYLOAD_TOO_LARGE)
        }
        4 => {
            let again = json!({ "reports": [known[below(rng, known.len())].clone()] }).to_string();
            ("replayed", post(REPORTS, upload, json, again), StatusCode::OK)
        }
        5 => {
            let number = 1_000_000 + below(rng, 1 << 30) as u64;
            let forged = match below(rng, 4) {
                0 => json!(report(&bandit("page"), 1, 3 + below(rng, 1000) as u32, true)),
                1 => json!(report(&bandit("page"), 1_000 + below(rng, 1000) as u64, 0, true)),
                2 => json!(report(&bandit("elsewhere"), 1, 0, true)),
                _ => json!({ "reward": rng.uniform() }),
            };
            let body = json!({ "reports": [{ "id": id(number).to_string(), "report": forged }] });
            ("forged", post(REPORTS, upload, json, body.to_string()), StatusCode::OK)
        }
        6 => ("no key", post(REPORTS, None, json, "{}"), StatusCode::UNAUTHORIZED),
        7 => {
            let key = format!("rk_{:064x}", below(rng, 1 << 30));
            ("a key that is none", post(REPORTS, Some(&key), json, "{}"), StatusCode::UNAUTHORIZED)
        }
        8 => {
            let path =
                ["/v1/keys", "/v1/experiments", "/v1/import", "/v1/experiments/page/freeze"][below(rng, 4)];
            ("beyond its role", post(path, upload, json, "{}"), StatusCode::FORBIDDEN)
        }
        9 => ("another medium", post(REPORTS, upload, "text/plain", "x"), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        10 => {
            let bytes: Vec<String> =
                (0..=below(rng, 30)).map(|_| format!("%{:02x}", below(rng, 256))).collect();
            let name = bytes.concat();
            let path = format!("/v1/experiments/{name}/policy");
            ("no such place", request("GET", &path, None).body(Body::empty()).unwrap(), StatusCode::NOT_FOUND)
        }
        _ => {
            let method = ["PUT", "DELETE", "PATCH"][below(rng, 3)];
            let asked = request(method, REPORTS, upload).body(Body::empty()).unwrap();
            ("another method", asked, StatusCode::METHOD_NOT_ALLOWED)
        }
    }
}

/// Kilobytes in memory, where the system says so.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[tokio::test]
async fn nobody_gets_anywhere_by_being_rude() {
    let limits =
        Limits { request_bytes: LARGEST, visitor_requests_per_second: u32::MAX / 4, ..Limits::default() };
    let bench = Bench::new(limits).await;
    let known: Vec<Value> = (0..12).map(|number| one(number, 1)).collect();
    assert_eq!(bench.send(json!(known)).await.bytes, b"");
    bench.folded(12).await;
    let policy = bench.get("/v1/experiments/page/policy", None).await.bytes;
    let state = bench.get("/v1/experiments/page/export", Some(&bench.admin)).await.bytes;
    let mut rng = SimSeed(23).stream(0, Stream::Environment);
    let mut counts = std::collections::BTreeMap::<&str, u64>::new();
    let mut warm = 0;
    for number in 0..cases() {
        let (kind, asked, status) = case(&mut rng, &bench, &known);
        let answer = bench.ask(asked).await;
        assert_eq!(answer.status, status, "{kind}: {}", String::from_utf8_lossy(&answer.bytes));
        if status == StatusCode::OK {
            assert_eq!(answer.json()["failures"].as_array().unwrap().len(), 1, "{kind}");
        } else {
            assert_eq!(answer.headers["content-type"], "application/problem+json", "{kind}");
        }
        *counts.entry(kind).or_default() += 1;
        if number == cases() / 2 {
            warm = memory();
        }
    }
    assert_eq!(counts.len(), 12, "{counts:?}");
    assert!(memory() < warm + 8_192, "{} kB after half of them, {} kB after all", warm, memory());
    assert_eq!(bench.get("/v1/experiments/page/policy", None).await.bytes, policy);
    assert_eq!(bench.get("/v1/experiments/page/export", Some(&bench.admin)).await.bytes, state);
    assert_eq!(bench.send(json!([one(99, 1)])).await.bytes, b"", "honest people are served");
    println!("{} requests: {counts:?}; {warm} kB after half, {} kB after all", cases(), memory());
}
