//! Servers that share one PostgreSQL: the real one, started by this test.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

#[path = "support/conformance.rs"]
mod conformance_suite;
#[path = "support/database.rs"]
mod database;
mod support;

use std::sync::Arc;
use std::time::Duration;

use database::Database;
use reticent_privacy::SimSeed;
use reticent_server::store::{Leases, Memory, Policies, Postgres, Settings, Store};
use reticent_server::{Fold, Log, Received, Service, SharedClock, Step};
use support::{bandit, id, report};

/// One test, so that there is one database server.
#[tokio::test(flavor = "multi_thread")]
async fn postgresql_conforms_and_is_shared() {
    let database = Database::start();
    let store = Postgres::open(&database.address()).await.unwrap();
    conformance_suite::all(Arc::new(store.clone()), "first").await;
    // Another server finds the tables as they are.
    let other = Postgres::open(&database.address()).await.unwrap();
    conformance_suite::all(Arc::new(other.clone()), "second").await;
    leases_pass_on(&store).await;
    servers_share_an_experiment(&database).await;
    database.crash();
    assert!(other.check().await.is_err());
    database.up();
    wait_until(|| async { other.check().await.is_ok() }).await;
}

async fn leases_pass_on(store: &Postgres) {
    let prefix = bandit("lease").prefix();
    assert!(store.lease(prefix, "one", 1).await.unwrap());
    assert!(store.lease(prefix, "one", 1).await.unwrap(), "renewed");
    assert!(!store.lease(prefix, "other", 1).await.unwrap());
    wait_until(|| async { store.lease(prefix, "other", 60).await.unwrap() }).await;
    store.give_back(prefix, "one").await.unwrap();
    assert!(!store.lease(prefix, "one", 1).await.unwrap(), "it was not one's to give back");
    store.give_back(prefix, "other").await.unwrap();
    assert!(store.lease(prefix, "one", 1).await.unwrap());
}

/// Three servers, one of which dies: the state is that of one server with the same reports, bit for bit.
async fn servers_share_an_experiment(database: &Database) {
    let experiment = bandit("shared");
    let settings = Settings { batch: None, keep_reports_seconds: 1_000_000 };
    let mut servers = Vec::new();
    for _ in 0..3 {
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&database.address()).await.unwrap());
        servers.push(Service::start(store, SharedClock::default(), Log::silent()).await.unwrap());
    }
    assert!(servers[0].create_with(experiment.clone(), settings, SimSeed(4), "test").await.unwrap());
    for server in &servers {
        server.refresh().await.unwrap();
    }
    let send = |server: Arc<Service>, from: u64| {
        let experiment = experiment.clone();
        async move {
            for start in (from..from + 400).step_by(20) {
                let one = |number| Received {
                    id: id(number),
                    report: Some(report(&experiment, 1, (number % 3) as u32, number % 5 < 2)),
                };
                let refused =
                    server.take(experiment.name(), (start..start + 20).map(one).collect()).await.unwrap();
                assert!(refused.iter().all(|(_, reason)| *reason == reticent_protocol::Reason::Replayed));
            }
        }
    };
    // The first is stopped in the middle; what it sent last, another sends again.
    tokio::join!(
        send(Arc::clone(&servers[0]), 0),
        send(Arc::clone(&servers[1]), 300),
        send(Arc::clone(&servers[2]), 600)
    );
    servers[0].stop().await;
    send(Arc::clone(&servers[1]), 100).await;
    let store = Postgres::open(&database.address()).await.unwrap();
    let prefix = experiment.prefix();
    wait_until(|| async {
        let (marks, _) = store.learned(prefix).await.unwrap().unwrap();
        marks.folded == 1_000
    })
    .await;
    let (marks, learned) = store.learned(prefix).await.unwrap().unwrap();
    assert_eq!((marks.appended, marks.folded), (1_000, 1_000), "each once");
    // The same reports in the same order on one server in memory.
    let alone = Memory::new().unwrap();
    let shared: Arc<dyn Store> = Arc::new(alone.clone());
    let service = Service::start(Arc::clone(&shared), SharedClock::default(), Log::silent()).await.unwrap();
    service.create_with(experiment.clone(), settings, SimSeed(4), "test").await.unwrap();
    service.stop().await;
    let mut fold = Fold::new(shared, service.seat("shared").unwrap().entry().clone());
    for segment in reticent_server::store::Reports::unfolded(&store, prefix, 0, 10_000).await.unwrap() {
        support::copy(&alone, &experiment, segment).await;
        assert!(matches!(fold.step(marks.at, marks.phase).await.unwrap(), Step::Folded(_)));
    }
    let (_, single) = alone.learned(prefix).await.unwrap().unwrap();
    assert_eq!(single.state, learned.state, "bit for bit");
    for server in &servers[1..] {
        server.stop().await;
    }
}

async fn wait_until<F: Future<Output = bool>>(is_so: impl Fn() -> F) {
    for _ in 0..200 {
        if is_so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it did not come to pass in twenty seconds");
}
