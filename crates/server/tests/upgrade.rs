//! What earlier programs stored is served by this one: `tests/stores` has a data folder and a database, with what they
//! answered when they were written.
//!
//! A change of what is stored needs a new number and a way to read the old: stores of a number that was released are
//! never written again. `docs/development.md` says how one more is added.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/database.rs"]
mod database;
mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use database::Database;
use reticent_privacy::SimSeed;
use reticent_protocol::pricing;
use reticent_schema::Experiment;
use reticent_server::http::Limits;
use reticent_server::store::{Arrival, Embedded, Postgres, Role, Scope, Settings, Store};
use reticent_server::{Log, NewKey, Service};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use support::bench::{Answer, Bench, one};
use support::{SetClock, arrival, bandit, contextual, copy_folder, id, upload};

const CACHE: usize = 16 << 20;
const WRITTEN: i64 = 1_000_000;
const TRIAL: &str = r#"{"name": "clinic", "epsilon": "2", "problem": {"kind": "trial", "arms": ["usual", "new"],
    "people": 40, "better": "higher", "outcome": {"column": "well", "kind": "binary", "low": "0", "high": "1"},
    "features": [{"name": "site", "levels": ["north", "south"]}]}}"#;
const TUNING: &str = r#"{"name": "dose", "epsilon": "2", "problem": {"kind": "tuning",
    "actions": [{"name": "dose", "low": "0", "high": "10"}], "context": [{"name": "age", "low": "18", "high": "90"}],
    "outcome": {"column": "response", "kind": "number", "low": "0", "high": "1"}, "kernel": {"rank": 12}}}"#;
const PRICING: &str = r#"{"name": "tea", "epsilon": "2", "problem": {"kind": "pricing", "records": 1000,
    "context": {"columns": [{"name": "income", "low": "0", "high": "100"}]},
    "price": {"column": "price", "low": "2", "high": "12"},
    "outcome": {"column": "bought", "kind": "binary", "low": "0", "high": "1"}}}"#;

/// Reports of the page, when it was written: some are folded, some are not.
const FOLDED: u64 = 30;
const WAITING: u64 = 5;

fn stores() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stores")
}

/// The service on a store, with a key that its registry has.
async fn serve(store: Arc<dyn Store>, admin: Option<&str>) -> Bench {
    let clock = SetClock::at(WRITTEN);
    let service = Service::start(store, clock.shared(), Log::silent()).await.unwrap();
    let made = match admin {
        Some(known) => known.to_string(),
        None => {
            let new = NewKey::new(Role::Admin, Scope::All, "first");
            service.make_key(new, "test").await.unwrap().0.reveal().to_string()
        }
    };
    Bench::on(service, clock, made, Limits { visitor_requests_per_second: 100_000, ..Limits::default() })
}

async fn post(bench: &Bench, path: &str, body: Value) -> Answer {
    bench.post(&format!("/v1/experiments/{path}"), Some(&bench.admin), &body.to_string()).await
}

async fn done(bench: &Bench, path: &str, body: Value) -> Value {
    let answer = post(bench, path, body).await;
    let text = String::from_utf8_lossy(&answer.bytes).into_owned();
    assert!(answer.status.is_success(), "{path}: {text}");
    serde_json::from_slice(&answer.bytes).unwrap_or(Value::Null)
}

fn person(number: usize) -> Value {
    let site = if number.is_multiple_of(2) { "north" } else { "south" };
    json!({ "patient": format!("p{number}"), "features": { "site": site } })
}

fn records() -> Value {
    let record = |n: u32| {
        let (dose, age) = (f64::from(n % 11), f64::from(18 + n % 70));
        let response = 1.0 - (dose - 4.0).abs() / 10.0;
        json!({ "id": n.to_string(), "values": { "dose": dose, "age": age, "response": response } })
    };
    json!({ "records": (0..60).map(record).collect::<Vec<_>>() })
}

/// Reports of sales.
fn sales() -> Value {
    let spec = pricing::Spec::of(Experiment::from_json(PRICING).unwrap().draft()).unwrap();
    let sale = |code: u32| {
        let report = spec.sent(spec.report(code).unwrap());
        json!({ "id": id(code.into()).to_string(), "report": report })
    };
    json!({ "reports": (0..20).map(sale).collect::<Vec<_>>() })
}

fn page_reports(numbers: std::ops::Range<u64>) -> Value {
    json!({ "reports": numbers.map(|number| one(number, 1)).collect::<Vec<_>>() })
}

/// An experiment of each kind, each with something of everything that is stored.
async fn fill(bench: &Bench) {
    let settings = Settings { batch: Some(10), keep_reports_seconds: 1_000_000 };
    let clinic = |name: &str| TRIAL.replace("clinic", name);
    let documents = [TUNING, PRICING, &clinic("clinic"), &clinic("over")]
        .map(|text| Experiment::from_json(text).unwrap());
    for experiment in [bandit("page"), bandit("rested"), contextual("offer")].into_iter().chain(documents) {
        assert!(bench.service.create_with(experiment, settings, SimSeed(5), "test").await.unwrap());
    }
    done(bench, "page/reports", page_reports(0..FOLDED)).await;
    assert_eq!(done(bench, "tea/reports", sales()).await, Value::Null, "all are taken");
    bench.folded(FOLDED).await;
    done(bench, "rested/pause", json!({})).await;
    for number in 0..12 {
        for name in ["clinic", "over"] {
            done(bench, &format!("{name}/assignments"), person(number)).await;
        }
        let outcome = json!({ "patient": format!("p{number}"), "outcome": number % 2 });
        done(bench, "over/outcomes", outcome).await;
    }
    done(bench, "clinic/outcomes", json!({ "patient": "p1", "outcome": 1 })).await;
    done(bench, "clinic/corrections", json!({ "patient": "p1", "outcome": 0, "reason": "misread" })).await;
    done(bench, "clinic/withdrawals", json!({ "patient": "p2" })).await;
    done(bench, "over/stop", json!({})).await;
    done(bench, "dose/records", records()).await;
    done(bench, "dose/fits", json!({ "epsilon": 0.5 })).await;
    let revoked = NewKey {
        origins: vec!["https://example.org".into()],
        rate: Some(7),
        ..NewKey::new(Role::Upload, Scope::Experiments(vec!["page".into()]), "revoked")
    };
    let (_, revoked) = bench.service.make_key(revoked, "test").await.unwrap();
    let path = format!("/v1/keys/{}", revoked.id);
    let request = support::bench::request("DELETE", &path, Some(&bench.admin));
    assert!(bench.ask(request.body(axum::body::Body::empty()).unwrap()).await.status.is_success());
}

/// What is there, asked without changing anything.
async fn told(bench: &Bench) -> Value {
    let mut told = json!({});
    let get = async |path: &str| {
        let answer = bench.get(path, Some(&bench.admin)).await;
        assert!(answer.status.is_success(), "{path}: {}", String::from_utf8_lossy(&answer.bytes));
        answer
    };
    for path in ["/v1/experiments", "/v1/keys", "/v1/audit"] {
        told[path] = get(path).await.json();
    }
    for name in ["page", "rested", "offer", "tea", "clinic", "over", "dose"] {
        told[name] = get(&format!("/v1/experiments/{name}")).await.json();
        let insight = get(&format!("/v1/experiments/{name}/insight")).await.json();
        // What is made of a state may become better; what is in it may not change.
        for part in ["people", "reports", "refused", "release", "spent", "reports_by_question"] {
            told[name]["insight"][part] = insight[part].clone();
        }
        for part in ["policy", "log"] {
            let answer = bench.get(&format!("/v1/experiments/{name}/{part}"), Some(&bench.admin)).await;
            if answer.status.is_success() {
                told[name][part] = hash(&answer.bytes).into();
            }
        }
    }
    told
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// What came before is known again, and what is said a second time does not count a second time.
async fn asked_again(bench: &Bench) -> Value {
    let mut answers = json!({});
    for number in 0..12 {
        answers[format!("p{number}")] = done(bench, "clinic/assignments", person(number)).await;
    }
    answers["again"] = done(bench, "clinic/outcomes", json!({ "patient": "p1", "outcome": 1 })).await;
    answers["records"] = done(bench, "dose/records", records()).await;
    answers["fit"] = done(bench, "dose/fits", json!({ "epsilon": 0.5 })).await;
    answers["page"] = done(bench, "page/reports", page_reports(0..FOLDED)).await;
    answers["tea"] = done(bench, "tea/reports", sales()).await;
    answers
}

/// It is what it was, what waited is folded, and all of it goes on.
async fn goes_on(store: Arc<dyn Store>, expected: &Value) {
    let bench = serve(Arc::clone(&store), expected["admin"].as_str()).await;
    bench.folded(FOLDED + WAITING).await;
    assert_eq!(pretty(&told(&bench).await), pretty(&expected["told"]));
    assert_eq!(pretty(&asked_again(&bench).await), pretty(&expected["again"]));
    let more = page_reports(FOLDED + WAITING..FOLDED + WAITING + 10);
    assert_eq!(done(&bench, "page/reports", more).await, Value::Null, "new ones are taken");
    bench.folded(FOLDED + WAITING + 10).await;
    assert_eq!(done(&bench, "clinic/assignments", person(12)).await["number"], 12);
    assert_eq!(done(&bench, "rested/resume", json!({})).await["phase"], "running");
    assert_eq!(done(&bench, "dose/fits", json!({ "epsilon": 1 })).await["stored"], false);
    bench.service.stop().await;
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

fn expected(name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(stores().join(name)).unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_format_2_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    copy_folder(&stores().join("embedded-2"), &store);
    // Small stores have their keys in the log alone, and folders without files are not checked in.
    std::fs::create_dir_all(store.join("keyspaces/1/tables")).unwrap();
    let store = Arc::new(Embedded::open(folder.path(), CACHE).unwrap());
    goes_on(store, &expected("embedded-2.json")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_format_1_is_served() {
    let database = Database::start();
    database.read(&stores().join("postgres-1.sql"));
    let store = Arc::new(Postgres::open(&database.address()).await.unwrap());
    goes_on(store, &expected("postgres-1.json")).await;
}

/// Fills a store, and leaves reports that wait: the key, and what it answers to what was said before.
async fn written(store: Arc<dyn Store>) -> (String, Value) {
    let bench = serve(Arc::clone(&store), None).await;
    fill(&bench).await;
    let again = asked_again(&bench).await;
    bench.service.stop().await;
    let waiting = (FOLDED..FOLDED + WAITING).map(|n| {
        let report = support::report(&bandit("page"), 1, (n % 3) as u32, n % 2 == 0);
        Arrival { bytes: report.encode(), ..arrival(n, 1) }
    });
    store.append(vec![upload(&bandit("page"), waiting.collect())]).await.unwrap();
    (bench.admin, again)
}

/// Writes a store, keeps it, and notes what the next program must find in it.
async fn write<F: Future<Output = Arc<dyn Store>>>(open: impl Fn() -> F, keep: impl FnOnce(), name: &str) {
    let (admin, again) = written(open().await).await;
    keep();
    let bench = serve(open().await, Some(&admin)).await;
    bench.folded(FOLDED + WAITING).await;
    let expected = json!({ "admin": admin, "told": told(&bench).await, "again": again });
    bench.service.stop().await;
    std::fs::write(stores().join(name), pretty(&expected) + "\n").unwrap();
}

/// The folder of a store that nobody has open, with its tables beside its log; room that the log took beforehand is
/// left out.
fn keep_folder(from: &Path, to: &Path) {
    let tree = fjall::SingleWriterTxDatabase::builder(from).open().unwrap();
    let pairs = tree.keyspace("pairs", fjall::KeyspaceCreateOptions::default).unwrap();
    pairs.inner().rotate_memtable_and_wait().unwrap();
    drop((pairs, tree));
    copy_folder(from, to);
    for file in std::fs::read_dir(to).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_some_and(|end| end == "jnl") {
            let bytes = std::fs::read(&file).unwrap();
            let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            std::fs::write(&file, &bytes[..end]).unwrap();
        }
    }
}

/// Writes both stores as today's program does: once for each number, and never again.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "it writes what the other tests read"]
async fn write_what_is_stored_today() {
    std::fs::create_dir_all(stores()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let embedded = || async { Arc::new(Embedded::open(folder.path(), CACHE).unwrap()) as Arc<dyn Store> };
    let keep = || keep_folder(&folder.path().join("store"), &stores().join("embedded-2"));
    write(embedded, keep, "embedded-2.json").await;
    let database = Database::start();
    let address = database.address();
    let postgres = || async { Arc::new(Postgres::open(&address).await.unwrap()) as Arc<dyn Store> };
    write(postgres, || database.write(&stores().join("postgres-1.sql")), "postgres-1.json").await;
}
