//! The bytes that are written are those of the format's number: the same steps leave the same keys and values as when
//! the number was given. Programs of that number read each other's stores, in both directions.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use reticent_protocol::ReportId;
use reticent_schema::Experiment;
use reticent_server::store::{
    ALWAYS_OPEN, Arrival, Deed, Entry, JournalName, Journals, KeyRecord, Learned, Memory, Phase, Policies,
    Publication, Registry, Reports, Role, Scope, Settings, Upload,
};
use reticent_store::Moment;

const FROZEN: &str = include_str!("stores/format-2.txt");
const PAGE: &str =
    r#"{"name": "page", "epsilon": "1", "problem": {"kind": "bandit", "arms": ["blue", "green"]}}"#;

fn deed(action: &str) -> Deed {
    let text = String::from;
    Deed { at: Moment::from_unix(7), actor: text("somebody"), action: text(action), subject: text("page") }
}

fn step(experiment: &Experiment, (from, to): (u64, u64), version: u64) -> Publication {
    Publication {
        experiment: experiment.prefix(),
        from,
        to,
        at: Moment::from_unix(1_000 + to as i64),
        learned: Learned { state: format!("state {to}").into(), insight: format!("insight {to}").into() },
        policy: Some((version, format!("policy {version}").into())),
        thinned: None,
        oldest: 1,
        keep_since: Moment::from_unix(2_000),
    }
}

fn key() -> KeyRecord {
    KeyRecord {
        id: "3f2a91bc77d0".into(),
        hash: "ab".repeat(32),
        role: Role::Upload,
        scope: Scope::Experiments(vec!["page".into()]),
        label: "devices".into(),
        created: Moment::from_unix(8),
        expires: Some(Moment::from_unix(9_000)),
        revoked: None,
        origins: vec!["https://example.org".into()],
        rate: Some(5),
    }
}

/// If this fails, what is stored has changed: docs/development.md ("Change what is stored") says what to do.
#[tokio::test]
async fn what_is_written_is_what_format_2_means() {
    let store = Memory::new().unwrap();
    let experiment = Experiment::from_json(PAGE).unwrap();
    let prefix = experiment.prefix();
    let settings = Settings { batch: Some(50), keep_reports_seconds: 3_600 };
    let entry = Entry { experiment: experiment.clone(), created: Moment::from_unix(6), settings };
    store.create(entry, step(&experiment, (0, 0), 1), deed("experiment.create")).await.unwrap();
    let one = |number: u8, policy| Arrival { id: ReportId([number; 16]), policy, bytes: vec![number; 3] };
    for (at, reports) in [(1_500, vec![one(1, 1), one(2, 1)]), (2_500, vec![one(3, 1), one(4, ALWAYS_OPEN)])]
    {
        let upload = Upload { experiment: prefix, at: Moment::from_unix(at), reports };
        store.append(vec![upload]).await.unwrap();
    }
    assert!(store.publish(step(&experiment, (0, 2), 2)).await.unwrap());
    assert!(store.change(prefix, Phase::Running, Phase::Paused, deed("experiment.pause")).await.unwrap());
    store.add_key(key(), deed("key.make")).await.unwrap();
    store
        .add_key(KeyRecord { id: "all".into(), scope: Scope::All, ..key() }, deed("key.make"))
        .await
        .unwrap();
    store.revoke_key("all", deed("key.revoke")).await.unwrap();
    store.extend(prefix, JournalName::Trial, 0, b"line 1\n").await.unwrap();
    store.extend(prefix, JournalName::Trial, 7, b"line 2\n").await.unwrap();
    assert_eq!(store.written(), FROZEN);
}
