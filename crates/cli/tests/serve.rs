//! The real binary under load, killed again and again: what was acknowledged is there, and nothing is there twice.
//!
//! `RETICENT_KILLS=200` kills more often.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

#[path = "../../server/tests/support/database.rs"]
mod database;
mod process;

use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use database::Database;
use process::Served;
use reticent_privacy::{SimSeed, Stream};
use reticent_protocol::{Answer, Report};
use reticent_schema::Experiment;
use reticent_server::Learner;
use reticent_server::run::Remote;
use reticent_server::store::{Policies, Postgres, Reports};
use serde_json::{Value, json};

const PAGE: &str = "name = \"page\"\nepsilon = 1\n[problem]\nkind = \"bandit\"\narms = [\"a\", \"b\"]\n";
const SENDERS: u64 = 3;

/// What is sent, and what was acknowledged.
#[derive(Default)]
struct Ledger {
    next: AtomicU64,
    acknowledged: AtomicU64,
    doubled: AtomicU64,
    stop: AtomicBool,
}

fn body(experiment: &Experiment, numbers: std::ops::Range<u64>) -> String {
    let one = |number: u64| {
        let answer = Answer::Bit { arm: (number % 2) as u32, bit: number.is_multiple_of(3) };
        let report = Report { experiment: experiment.prefix(), policy: 1, source: None, question: 0, answer };
        json!({ "id": format!("{number:032x}"), "report": report })
    };
    json!({ "reports": numbers.map(one).collect::<Vec<Value>>() }).to_string()
}

/// Sends batches until it is told to stop, each until it is acknowledged.
fn send(ledger: &Ledger, place: &Mutex<std::net::SocketAddr>, key: &str, experiment: &Experiment) {
    while !ledger.stop.load(Ordering::SeqCst) {
        let first = ledger.next.fetch_add(5, Ordering::SeqCst);
        let body = body(experiment, first..first + 5);
        let mut attempts = 0;
        loop {
            let remote = Remote::at(*place.lock().unwrap(), Some(key.into()));
            let path = Remote::experiment_path("page", "/reports");
            attempts += 1;
            match remote.ask("POST", &path, Some(("application/json", body.as_bytes()))) {
                Ok(answer) if answer.is_done() => {
                    let replayed = answer.json()["failures"].as_array().map_or(0, Vec::len);
                    // A first try is never a replay: then an id was taken that nobody sent.
                    if replayed > 0 && attempts == 1 {
                        ledger.doubled.fetch_add(1, Ordering::SeqCst);
                    }
                    ledger.acknowledged.fetch_add(5, Ordering::SeqCst);
                    break;
                }
                _ => std::thread::park_timeout(Duration::from_millis(5)),
            }
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "how often to kill, for who wants more")]
fn rounds() -> u64 {
    std::env::var("RETICENT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

fn survives(database: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path(), database);
    let key = process::create(folder.path(), PAGE);
    let experiment = Experiment::from_json(
        r#"{"name": "page", "epsilon": "1", "problem": {"kind": "bandit", "arms": ["a", "b"]}}"#,
    )
    .unwrap();
    let ledger = Arc::new(Ledger::default());
    let place = Arc::new(Mutex::new(served.address));
    let senders: Vec<_> = (0..SENDERS)
        .map(|_| {
            let (ledger, place, key, experiment) =
                (Arc::clone(&ledger), Arc::clone(&place), key.clone(), experiment.clone());
            std::thread::spawn(move || send(&ledger, &place, &key, &experiment))
        })
        .collect();
    let mut rng = SimSeed(21).stream(0, Stream::Environment);
    let mut now = Some(served);
    for _ in 0..rounds() {
        std::thread::park_timeout(Duration::from_millis((20.0 + 250.0 * rng.uniform()) as u64));
        now.take().unwrap().kill();
        let next = Served::start(folder.path(), database);
        *place.lock().unwrap() = next.address;
        now = Some(next);
    }
    ledger.stop.store(true, Ordering::SeqCst);
    for sender in senders {
        sender.join().unwrap();
    }
    let sent = ledger.next.load(Ordering::SeqCst);
    assert_eq!(ledger.acknowledged.load(Ordering::SeqCst), sent);
    assert_eq!(ledger.doubled.load(Ordering::SeqCst), 0);
    assert!(sent > 5 * rounds(), "there was load: {sent}");
    let remote = Remote::of_folder(folder.path()).unwrap();
    let path = Remote::experiment_path("page", "/insight");
    let mut insight = Value::Null;
    for _ in 0..400 {
        insight = remote.ask("GET", &path, None).unwrap().json();
        if insight["reports"]["folded"] == sent {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(50));
    }
    assert_eq!(insight["reports"], json!({ "taken": sent, "folded": sent }), "none lost, none twice");
    assert_eq!(insight["people"], sent);
    let counted: u64 =
        insight["arms"].as_array().unwrap().iter().map(|arm| arm["reports"].as_u64().unwrap()).sum();
    assert_eq!(counted, sent);
    println!("{} kills, {sent} reports: none lost, none counted twice", rounds());
    now.take().unwrap().kill();
}

#[test]
fn the_embedded_store_survives_kills() {
    survives(None);
}

#[test]
fn servers_on_postgresql_survive_kills() {
    let database = Database::start();
    survives(Some(&database.address()));
}

/// Three processes on one database, one of which is killed under load: nothing is lost, and the state is that of one
/// learner with the same reports in their order, bit for bit.
#[test]
fn one_of_three_servers_is_killed_and_nobody_can_tell() {
    let database = Database::start();
    let folders: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let start = |at: usize| Served::start(folders[at].path(), Some(&database.address()));
    let mut servers: Vec<Option<Served>> = (0..3).map(|at| Some(start(at))).collect();
    let remote = Remote::of_folder(folders[0].path()).unwrap();
    let document = ("application/toml", PAGE.as_bytes());
    let made =
        remote.ask("POST", "/v1/experiments?keep_reports_seconds=100000", Some(document)).unwrap().json();
    let key = made["upload_key"]["key"].as_str().unwrap().to_string();
    let exported = remote.ask("GET", "/v1/experiments/page/export", None).unwrap().json();
    let experiment: Experiment = serde_json::from_value(made["experiment"].clone()).unwrap();
    let ledger = Arc::new(Ledger::default());
    let places: Vec<_> =
        servers.iter().map(|one| Arc::new(Mutex::new(one.as_ref().unwrap().address))).collect();
    let senders: Vec<_> = places
        .iter()
        .map(|place| {
            let (ledger, place, key, experiment) =
                (Arc::clone(&ledger), Arc::clone(place), key.clone(), experiment.clone());
            std::thread::spawn(move || send(&ledger, &place, &key, &experiment))
        })
        .collect();
    std::thread::park_timeout(Duration::from_millis(700));
    // Whoever folds is killed among the three in turn; its people go to another server.
    for dead in 0..3 {
        servers[dead].take().unwrap().kill();
        *places[dead].lock().unwrap() = *places[(dead + 1) % 3].lock().unwrap();
        std::thread::park_timeout(Duration::from_millis(500));
        servers[dead] = Some(start(dead));
        *places[dead].lock().unwrap() = servers[dead].as_ref().unwrap().address;
        let stranded = (dead + 2) % 3;
        *places[stranded].lock().unwrap() = servers[stranded].as_ref().unwrap().address;
    }
    ledger.stop.store(true, Ordering::SeqCst);
    for sender in senders {
        sender.join().unwrap();
    }
    let sent = ledger.next.load(Ordering::SeqCst);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = Postgres::open(&database.address()).await.unwrap();
        let mut waits = 0;
        let learned = loop {
            let (marks, learned) = store.learned(experiment.prefix()).await.unwrap().unwrap();
            assert_eq!(marks.appended, sent, "none lost, none twice");
            if marks.folded == sent {
                break learned;
            }
            waits += 1;
            assert!(waits < 400, "another server goes on folding");
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        let mut alone = Learner::load(exported["state"].as_str().unwrap().as_bytes()).unwrap();
        for segment in store.unfolded(experiment.prefix(), 0, usize::MAX >> 1).await.unwrap() {
            segment.reports.iter().for_each(|report| alone.absorb(report, segment.at));
        }
        assert_eq!(alone.people(), sent);
        assert_eq!(alone.save().unwrap(), learned.state, "bit for bit");
    });
    println!("3 servers, 3 kills, {sent} reports: the state of one");
    servers.into_iter().flatten().for_each(Served::kill);
}

/// A polite end: what was begun is finished, and the exit code says so.
#[test]
#[cfg(unix)]
fn an_interrupt_ends_it_cleanly() {
    let folder = tempfile::tempdir().unwrap();
    let mut served = Served::start(folder.path(), None);
    let asked = Command::new("kill").args(["-INT", &served.child.id().to_string()]).status().unwrap();
    assert!(asked.success());
    let ended = served.child.wait().unwrap();
    assert_eq!(ended.code(), Some(0));
    assert!(!folder.path().join("server.json").exists());
    assert!(folder.path().join("admin.key").exists());
}
