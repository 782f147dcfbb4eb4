//! What every store must do: one function for each promise. A new store is right when it passes all of them.

use std::sync::Arc;

use reticent_schema::Experiment;
use reticent_server::store::{ALWAYS_OPEN, Created, Fate, JournalName, KeyRecord, Phase, Role, Scope, Store};
use reticent_store::Moment;

use crate::support::{arrival, bandit, contextual, deed, entry, first, step, upload};

/// Runs all of them. Experiments of stores that live longer need names of their own.
pub(crate) async fn all(store: Arc<dyn Store>, mark: &str) {
    let store = &*store;
    experiments_are_created_once(store, mark).await;
    reports_are_taken_once_and_in_order(store, mark).await;
    the_phase_decides_what_is_taken(store, mark).await;
    publications_follow_each_other(store, mark).await;
    closed_policies_are_forgotten(store, mark).await;
    folded_reports_are_deleted_on_time(store, mark).await;
    keys_are_added_and_revoked(store, mark).await;
    journals_only_grow(store, mark).await;
    many_writers_number_without_gaps(store, mark).await;
    a_report_that_was_refused_may_come_again(store, mark).await;
    store.check().await.unwrap();
}

async fn created(store: &dyn Store, name: String) -> Experiment {
    let experiment = bandit(&name);
    let made = store.create(entry(&experiment), first(&experiment), deed("create", &name)).await.unwrap();
    assert_eq!(made, Created::New);
    experiment
}

async fn experiments_are_created_once(store: &dyn Store, mark: &str) {
    let before = store.deeds(0, 100_000).await.unwrap().len();
    let name = format!("{mark} once");
    let experiment = created(store, name.clone()).await;
    let again = store.create(entry(&experiment), first(&experiment), deed("create", &name)).await.unwrap();
    assert_eq!(again, Created::Same);
    let other = contextual(&name);
    let taken = store.create(entry(&other), first(&other), deed("create", &name)).await.unwrap();
    assert_eq!(taken, Created::NameTaken);
    let entries = store.entries().await.unwrap();
    assert_eq!(entries.iter().filter(|one| one.experiment.name() == name).count(), 1);
    let deeds = store.deeds(before as u64, 100).await.unwrap();
    assert_eq!(deeds, [deed("create", &name)]);
}

async fn reports_are_taken_once_and_in_order(store: &dyn Store, mark: &str) {
    let experiment = created(store, format!("{mark} order")).await;
    let prefix = experiment.prefix();
    let taken =
        store.append(vec![upload(&experiment, vec![arrival(1, 1), arrival(2, 1), arrival(1, 1)])]).await;
    assert_eq!(taken.unwrap(), [[Fate::Taken, Fate::Taken, Fate::Replayed]]);
    let mixed = vec![arrival(2, 1), arrival(3, 2), arrival(4, 0), arrival(5, 1), arrival(6, ALWAYS_OPEN)];
    let second = vec![upload(&experiment, mixed), upload(&experiment, vec![arrival(5, 1), arrival(7, 1)])];
    let fates = store.append(second).await.unwrap();
    assert_eq!(fates[0], [Fate::Replayed, Fate::TooEarly, Fate::TooLate, Fate::Taken, Fate::Taken]);
    assert_eq!(fates[1], [Fate::Replayed, Fate::Taken], "requests that go together are told apart");
    let segments = store.unfolded(prefix, 0, 100).await.unwrap();
    let bytes: Vec<Vec<u8>> = segments.iter().flat_map(|segment| segment.reports.clone()).collect();
    assert_eq!(bytes, [1_u64, 2, 5, 6, 7].map(|number| number.to_le_bytes().to_vec()));
    assert!(segments.iter().all(|segment| segment.at == Moment::from_unix(2_000)));
    let places: Vec<(u64, u64)> = segments.iter().map(|segment| (segment.first, segment.end())).collect();
    assert_eq!(places, [(0, 2), (2, 4), (4, 5)]);
    assert_eq!(store.unfolded(prefix, 0, 1).await.unwrap().len(), 1, "whole segments, and at least one");
    assert_eq!(store.unfolded(prefix, 2, 100).await.unwrap().len(), 2);
    let unknown = bandit("nobody made this one");
    let fates = store.append(vec![upload(&unknown, vec![arrival(1, 1)])]).await.unwrap();
    assert_eq!(fates, [[Fate::Closed]]);
}

async fn the_phase_decides_what_is_taken(store: &dyn Store, mark: &str) {
    let experiment = created(store, format!("{mark} phase")).await;
    let prefix = experiment.prefix();
    let one = |number| vec![upload(&experiment, vec![arrival(number, 1)])];
    let paused = store.change(prefix, Phase::Running, Phase::Paused, deed("pause", "x")).await;
    assert!(paused.unwrap());
    assert_eq!(store.append(one(1)).await.unwrap(), [[Fate::Paused]]);
    let late = store.change(prefix, Phase::Running, Phase::Stopped, deed("stop", "x")).await;
    assert!(!late.unwrap(), "it is not in that phase any more");
    assert!(store.change(prefix, Phase::Paused, Phase::Running, deed("resume", "x")).await.unwrap());
    assert_eq!(store.append(one(1)).await.unwrap(), [[Fate::Taken]]);
    assert!(store.change(prefix, Phase::Running, Phase::Stopped, deed("stop", "x")).await.unwrap());
    assert_eq!(store.append(one(2)).await.unwrap(), [[Fate::Closed]]);
    let (marks, _) = store.learned(prefix).await.unwrap().unwrap();
    assert_eq!((marks.phase, marks.appended), (Phase::Stopped, 1));
    assert_eq!(store.unfolded(prefix, 0, 10).await.unwrap().len(), 1, "what was taken is still folded");
}

async fn publications_follow_each_other(store: &dyn Store, mark: &str) {
    let experiment = created(store, format!("{mark} publish")).await;
    let prefix = experiment.prefix();
    store.append(vec![upload(&experiment, (0..10).map(|n| arrival(n, 1)).collect())]).await.unwrap();
    assert!(!store.publish(step(&experiment, (3, 10), Some(2), 1)).await.unwrap(), "from elsewhere");
    assert!(!store.publish(step(&experiment, (0, 11), Some(2), 1)).await.unwrap(), "more than there are");
    assert!(store.publish(step(&experiment, (0, 10), Some(2), 1)).await.unwrap());
    assert!(!store.publish(step(&experiment, (0, 10), Some(3), 1)).await.unwrap(), "a second time");
    let (marks, learned) = store.learned(prefix).await.unwrap().unwrap();
    assert_eq!((marks.folded, marks.newest, marks.oldest), (10, 2, 1));
    assert_eq!(learned.state, b"state 10");
    let all = store.marks().await.unwrap();
    assert_eq!(all.iter().find(|(one, _)| *one == prefix), Some(&(prefix, marks)));
    let policies = store.policies(prefix).await.unwrap();
    let known: Vec<(u64, &[u8])> = policies.iter().map(|one| (one.version, one.bytes.as_slice())).collect();
    assert_eq!(known, [(1, b"policy 1".as_slice()), (2, b"policy 2")]);
    let mut thinner = step(&experiment, (10, 10), Some(3), 1);
    thinner.thinned = Some(2);
    assert!(store.publish(thinner).await.unwrap());
    let versions: Vec<u64> = store.policies(prefix).await.unwrap().iter().map(|one| one.version).collect();
    assert_eq!(versions, [1, 3]);
}

async fn closed_policies_are_forgotten(store: &dyn Store, mark: &str) {
    let experiment = created(store, format!("{mark} close")).await;
    let prefix = experiment.prefix();
    store.append(vec![upload(&experiment, vec![arrival(1, 1)])]).await.unwrap();
    assert!(store.publish(step(&experiment, (0, 1), Some(2), 2)).await.unwrap());
    let one = |policy| vec![upload(&experiment, vec![arrival(1, policy)])];
    assert_eq!(
        store.append(one(1)).await.unwrap(),
        [[Fate::TooLate]],
        "its id is forgotten, its policy is closed"
    );
    assert_eq!(store.append(one(2)).await.unwrap(), [[Fate::Taken]]);
    // A clock that jumps back opens nothing again.
    assert!(store.publish(step(&experiment, (1, 1), None, 0)).await.unwrap());
    assert_eq!(store.append(one(1)).await.unwrap(), [[Fate::TooLate]]);
    let versions: Vec<u64> = store.policies(prefix).await.unwrap().iter().map(|one| one.version).collect();
    assert_eq!(versions, [2]);
    // Nor can everything be closed.
    assert!(store.publish(step(&experiment, (1, 1), None, 99)).await.unwrap());
    assert_eq!(store.append(one(2)).await.unwrap(), [[Fate::Replayed]]);
}

async fn folded_reports_are_deleted_on_time(store: &dyn Store, mark: &str) {
    let experiment = created(store, format!("{mark} delete")).await;
    let prefix = experiment.prefix();
    store.append(vec![upload(&experiment, vec![arrival(1, 1)])]).await.unwrap();
    store.append(vec![upload(&experiment, vec![arrival(2, 1)])]).await.unwrap();
    let mut keeping = step(&experiment, (0, 1), None, 1);
    keeping.keep_since = Moment::from_unix(2_000);
    assert!(store.publish(keeping).await.unwrap());
    assert_eq!(store.unfolded(prefix, 0, 10).await.unwrap().len(), 2, "kept for the time that was asked for");
    let mut deleting = step(&experiment, (1, 1), None, 1);
    deleting.keep_since = Moment::from_unix(2_001);
    assert!(store.publish(deleting).await.unwrap());
    let left = store.unfolded(prefix, 0, 10).await.unwrap();
    assert_eq!(left.iter().map(|segment| segment.first).collect::<Vec<_>>(), [1], "what is not folded stays");
}

async fn keys_are_added_and_revoked(store: &dyn Store, mark: &str) {
    let id = format!("{mark}-key");
    let key = KeyRecord {
        id: id.clone(),
        hash: "00".repeat(32),
        role: Role::Upload,
        scope: Scope::Experiments(vec!["x".into()]),
        label: "test".into(),
        created: Moment::from_unix(1),
        expires: None,
        revoked: None,
        origins: vec!["https://example.org".into()],
        rate: Some(5),
    };
    store.add_key(key.clone(), deed("key.make", &id)).await.unwrap();
    let found = |keys: Vec<KeyRecord>| keys.into_iter().find(|one| one.id == id);
    assert_eq!(found(store.keys().await.unwrap()), Some(key));
    assert!(!store.revoke_key("nobody", deed("key.revoke", "nobody")).await.unwrap());
    assert!(store.revoke_key(&id, deed("key.revoke", &id)).await.unwrap());
    assert!(!store.revoke_key(&id, deed("key.revoke", &id)).await.unwrap());
    assert_eq!(found(store.keys().await.unwrap()).unwrap().revoked, Some(Moment::from_unix(1_000)));
    store.note(deed("experiment.export", mark)).await.unwrap();
    assert!(store.deeds(0, 100_000).await.unwrap().contains(&deed("experiment.export", mark)));
    assert_eq!(store.deeds(0, 1).await.unwrap().len(), 1);
}

async fn journals_only_grow(store: &dyn Store, mark: &str) {
    let experiment = created(store, format!("{mark} journal")).await;
    let prefix = experiment.prefix();
    let name = JournalName::Trial;
    assert_eq!(store.journal(prefix, name).await.unwrap(), b"");
    assert!(store.extend(prefix, name, 0, b"one ").await.unwrap());
    assert!(!store.extend(prefix, name, 0, b"two ").await.unwrap(), "another was faster");
    assert!(store.extend(prefix, name, 4, b"two").await.unwrap());
    assert_eq!(store.journal(prefix, name).await.unwrap(), b"one two");
    assert_eq!(store.journal_length(prefix, name).await.unwrap(), 7);
    assert_eq!(store.journal(prefix, JournalName::Account).await.unwrap(), b"");
}

async fn many_writers_number_without_gaps(store: &dyn Store, mark: &str) {
    let experiment = created(store, format!("{mark} writers")).await;
    // Two send the same reports, in groups that overlap.
    let send = |from: u64| {
        let groups = (0..10).map(move |group| from + 10 * group..from + 10 * group + 15);
        groups.map(|numbers| upload(&experiment, numbers.map(|n| arrival(n, 1)).collect()))
    };
    let (one, other) = tokio::join!(
        async {
            for upload in send(0) {
                store.append(vec![upload]).await.unwrap();
            }
        },
        async {
            for upload in send(5) {
                store.append(vec![upload]).await.unwrap();
            }
        }
    );
    let ((), ()) = (one, other);
    let segments = store.unfolded(experiment.prefix(), 0, 100_000).await.unwrap();
    let mut next = 0;
    for segment in &segments {
        assert_eq!(segment.first, next);
        next = segment.end();
    }
    let mut all: Vec<&Vec<u8>> = segments.iter().flat_map(|segment| &segment.reports).collect();
    all.sort();
    all.dedup();
    assert_eq!((all.len(), next), (110, 110), "each once");
}

/// Whatever happens at the same time: a report is taken and its id is there, or neither.
async fn a_report_that_was_refused_may_come_again(store: &dyn Store, mark: &str) {
    let experiment = created(store, format!("{mark} again")).await;
    let prefix = experiment.prefix();
    for number in 0..20 {
        let one = || vec![upload(&experiment, vec![arrival(number, 1)])];
        let (fates, paused) = tokio::join!(
            store.append(one()),
            store.change(prefix, Phase::Running, Phase::Paused, deed("pause", mark))
        );
        assert!(paused.unwrap());
        assert!(store.change(prefix, Phase::Paused, Phase::Running, deed("resume", mark)).await.unwrap());
        let again = store.append(one()).await.unwrap();
        match fates.unwrap()[0][0] {
            Fate::Taken => assert_eq!(again, [[Fate::Replayed]]),
            Fate::Paused => assert_eq!(again, [[Fate::Taken]]),
            other => panic!("{other:?}"),
        }
    }
    let (marks, _) = store.learned(prefix).await.unwrap().unwrap();
    assert_eq!(marks.appended, 20, "each once");
}
