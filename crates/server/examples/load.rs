//! Load on this machine, beside its limits in the same run: a bare handler, and a bare loop into the same store.
//!
//! `cargo run --release -p reticent-server --example load -- embedded 10` (seconds for each line), or with
//! `postgres://...` in place of `embedded`. Clients and server share the cores. A third word is how many reports are sent
//! in all: then more batches follow, with the memory after each line.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "it measures time, and a measurement may panic"
)]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use reticent_protocol::{Answer, Report, ReportId};
use reticent_schema::Experiment;
use reticent_server::http::{Limits, Server, router};
use reticent_server::store::{Arrival, Embedded, Postgres, Role, Scope, Settings, Store, Upload};
use reticent_server::{Log, NewKey, Service, SharedClock};
use reticent_store::Moment;
use tokio::net::TcpStream;

const PAGE: &str =
    r#"{"name": "page", "epsilon": "1", "problem": {"kind": "bandit", "arms": ["a", "b", "c"]}}"#;
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Random enough to be spread over the tree.
fn id() -> [u8; 16] {
    let word = u128::from(NEXT.fetch_add(1, Ordering::Relaxed));
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).to_be_bytes()
}

fn report(experiment: &Experiment) -> Vec<u8> {
    let answer = Answer::Bit { arm: 1, bit: NEXT.load(Ordering::Relaxed).is_multiple_of(2) };
    Report { experiment: experiment.prefix(), policy: 1, source: None, question: 0, answer }.encode()
}

fn body(experiment: &Experiment, reports: usize) -> Vec<u8> {
    let mut body = Vec::new();
    for _ in 0..reports {
        let bytes = report(experiment);
        body.extend(id());
        body.extend((bytes.len() as u16).to_le_bytes());
        body.extend(bytes);
    }
    body
}

/// Many connections, each with one request after the other; times in milliseconds.
async fn load(
    address: SocketAddr,
    connections: usize,
    time: Duration,
    request: impl Fn() -> Request<Full<Bytes>> + Send + Sync + 'static,
) -> (f64, f64, f64) {
    let request = Arc::new(request);
    let start = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..connections {
        let request = Arc::clone(&request);
        tasks.spawn(async move {
            let stream = TcpStream::connect(address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
            tokio::spawn(connection);
            let mut times = Vec::new();
            while start.elapsed() < time {
                let began = Instant::now();
                sender.ready().await.unwrap();
                let answer = sender.send_request(request()).await.unwrap();
                assert!(answer.status().is_success(), "{}", answer.status());
                answer.into_body().collect().await.unwrap();
                times.push(began.elapsed().as_secs_f64() * 1e3);
            }
            times
        });
    }
    let mut times: Vec<f64> = tasks.join_all().await.into_iter().flatten().collect();
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    (rate, at(0.5), at(0.99))
}

fn line(what: &str, per: f64, (rate, median, worst): (f64, f64, f64)) {
    println!("{what:<46} {:>10.0}/s   p50 {median:>7.2} ms   p99 {worst:>7.2} ms", rate * per);
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default().trim().to_string()
}

/// Groups of so many batches of 100, straight into the store.
async fn bare_loop(store: &dyn Store, experiment: &Experiment, group: usize, time: Duration) -> f64 {
    let (start, mut reports) = (Instant::now(), 0);
    while start.elapsed() < time {
        let upload = || {
            let one = || Arrival { id: ReportId(id()), policy: 1, bytes: report(experiment) };
            let reports = (0..100).map(|_| one()).collect();
            Upload { experiment: experiment.prefix(), at: Moment::from_unix(1), reports }
        };
        store.append((0..group).map(|_| upload()).collect()).await.unwrap();
        reports += 100 * group;
    }
    reports as f64 / start.elapsed().as_secs_f64()
}

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().collect();
    let kind = args.get(1).map_or("embedded", String::as_str);
    let time = Duration::from_secs(args.get(2).and_then(|text| text.parse().ok()).unwrap_or(5));
    let folder = tempfile::tempdir_in(".").unwrap();
    let store: Arc<dyn Store> = match kind {
        "embedded" => Arc::new(Embedded::open(folder.path(), 64 << 20).unwrap()),
        address => Arc::new(Postgres::open(address).await.unwrap()),
    };
    let experiment = Experiment::from_json(PAGE).unwrap();
    let service = Service::start(Arc::clone(&store), SharedClock::default(), Log::silent()).await.unwrap();
    service.create(experiment.clone(), Settings::default(), "load").await.unwrap();
    let key = NewKey { rate: Some(u32::MAX / 4), ..NewKey::new(Role::Upload, Scope::All, "load") };
    let (key, _) = service.make_key(key, "load").await.unwrap();
    let limits =
        Limits { visitor_requests_per_second: u32::MAX / 4, connections_of_one: 1000, ..Limits::default() };
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), limits.clone()).await.unwrap();
    let address = server.address().unwrap();
    tokio::spawn(server.run(router(Arc::clone(&service), limits.clone()), std::future::pending()));

    let plain = Server::bind("127.0.0.1:0".parse().unwrap(), limits.clone()).await.unwrap();
    let bare = plain.address().unwrap();
    let handler = axum::Router::new().route("/", axum::routing::get(|| async { "ok" }));
    tokio::spawn(plain.run(handler, std::future::pending()));
    let ask =
        |path: &'static str| move || Request::get(path).header("host", "x").body(Full::default()).unwrap();
    println!("{} store, {} s a line, {}", store.called(), time.as_secs(), memory());
    line("bare handler", 1.0, load(bare, 32, time, ask("/")).await);
    line("policy reads", 1.0, load(address, 32, time, ask("/v1/experiments/page/policy")).await);
    for group in [1, 10, 50] {
        let rate = bare_loop(&*store, &experiment, group, time).await;
        println!("{:<46} {rate:>10.0}/s", format!("bare loop, commits of {group} x 100 reports"));
    }
    let goal = args.get(3).and_then(|text| text.parse().ok()).unwrap_or(0);
    let lines = [(1, 32), (1, 200), (100, 32), (100, 100)].into_iter().chain(std::iter::repeat((100, 32)));
    for (number, (reports, connections)) in lines.enumerate() {
        if number >= 4 && NEXT.load(Ordering::Relaxed) >= goal {
            break;
        }
        let (experiment, key) = (experiment.clone(), key.reveal().to_string());
        let post = move || {
            Request::post("/v1/experiments/page/reports")
                .header("host", "x")
                .header("content-type", "application/octet-stream")
                .header("authorization", format!("Bearer {key}"))
                .body(Full::new(body(&experiment, reports).into()))
                .unwrap()
        };
        let what = format!("reports in batches of {reports}, {connections} connections");
        line(&what, reports as f64, load(address, connections, time, post).await);
        println!("  {}, {} reports in all", memory(), NEXT.load(Ordering::Relaxed));
    }
    service.stop().await;
}
