//! Every store passes the same suite.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/conformance.rs"]
mod conformance_suite;
mod support;

use std::sync::Arc;

use reticent_server::store::{Embedded, Fate, Memory, Policies, Registry, Reports, Store, StoreError};
use support::{arrival, bandit, copy_folder, deed, entry, first, step, upload};

#[tokio::test]
async fn memory_conforms() {
    conformance_suite::all(Arc::new(Memory::new().unwrap()), "memory").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_conforms() {
    let folder = tempfile::tempdir().unwrap();
    let store = Embedded::open(folder.path(), 16 << 20).unwrap();
    conformance_suite::all(Arc::new(store.clone()), "embedded").await;
    assert!(matches!(Embedded::open(folder.path(), 16 << 20), Err(StoreError::InUse)));
    #[cfg(unix)]
    for file in std::fs::read_dir(folder.path()).unwrap() {
        use std::os::unix::fs::PermissionsExt;
        let mode = file.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "records of people are their curator's alone");
    }
    drop(store);
    // Another process finds what was there, and goes on.
    let store = Embedded::open(folder.path(), 16 << 20).unwrap();
    conformance_suite::all(Arc::new(store), "again").await;
}

/// What docs/service.md says of back-ups: a copy of the folder of a server that is stopped.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_the_folder_is_a_back_up() {
    let (folder, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let experiment = bandit("kept");
    let store = Embedded::open(folder.path(), 16 << 20).unwrap();
    store.create(entry(&experiment), first(&experiment), deed("create", "kept")).await.unwrap();
    store.append(vec![upload(&experiment, (0..500).map(|n| arrival(n, 1)).collect())]).await.unwrap();
    assert!(store.publish(step(&experiment, (0, 500), Some(2), 1)).await.unwrap());
    let known = store.learned(experiment.prefix()).await.unwrap();
    drop(store);
    copy_folder(folder.path(), kept.path());
    drop(folder);
    let restored = Embedded::open(kept.path(), 16 << 20).unwrap();
    assert_eq!(restored.learned(experiment.prefix()).await.unwrap(), known);
    let again =
        restored.append(vec![upload(&experiment, vec![arrival(7, 1), arrival(501, 2)])]).await.unwrap();
    assert_eq!(again, [[Fate::Replayed, Fate::Taken]], "ids are in it, and it goes on");
}

/// Nothing is begun anew over what is left of a store, and what another program wrote is not touched.
#[test]
fn a_folder_that_is_no_whole_store_is_refused() {
    let open = |folder: &tempfile::TempDir| Embedded::open(folder.path(), 16 << 20).map(|_| ());
    let folder = tempfile::tempdir().unwrap();
    open(&folder).unwrap();
    let mark = folder.path().join("store/version");
    let kept = std::fs::read(&mark).unwrap();
    for wrong in [Vec::new(), b"FJL\x09".to_vec()] {
        std::fs::write(&mark, wrong).unwrap();
        assert!(matches!(open(&folder), Err(StoreError::Damaged(_))));
    }
    std::fs::remove_file(&mark).unwrap();
    assert!(matches!(open(&folder), Err(StoreError::Damaged(_))));
    std::fs::write(&mark, kept).unwrap();
    open(&folder).unwrap();
    let earlier = tempfile::tempdir().unwrap();
    std::fs::write(earlier.path().join("reticent.redb"), b"").unwrap();
    let told = open(&earlier).unwrap_err().to_string();
    assert!(told.contains("format 1") && told.contains("reads format 2"), "{told}");
    assert!(!earlier.path().join("store").exists());
    // One that was never finished holds nothing yet, and is made again.
    let fresh = tempfile::tempdir().unwrap();
    std::fs::create_dir(fresh.path().join("store.new")).unwrap();
    open(&fresh).unwrap();
}

/// Files that are open would take what nobody finds again.
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_taken_away_is_missed_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = bandit("gone");
    let store = Embedded::open(folder.path(), 16 << 20).unwrap();
    store.create(entry(&experiment), first(&experiment), deed("create", "gone")).await.unwrap();
    let (place, away) = (folder.path().join("store"), folder.path().join("away"));
    std::fs::rename(&place, &away).unwrap();
    let one = |number| vec![upload(&experiment, vec![arrival(number, 1)])];
    for _ in 0..2 {
        assert!(matches!(store.append(one(1)).await, Err(StoreError::Unavailable(_))));
    }
    assert!(store.check().await.is_err());
    assert!(!place.exists(), "it is not begun anew");
    std::fs::rename(&away, &place).unwrap();
    assert_eq!(store.append(one(1)).await.unwrap(), [[Fate::Taken]], "nothing of it was kept");
    store.check().await.unwrap();
}

/// A log that ends in the middle of its last write is what a crash leaves; whole writes that follow bytes that cannot
/// be read were answered, and are not taken back in silence.
#[tokio::test(flavor = "multi_thread")]
async fn damage_in_the_middle_of_the_log_is_no_torn_end() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = bandit("damaged");
    let store = Embedded::open(folder.path(), 16 << 20).unwrap();
    store.create(entry(&experiment), first(&experiment), deed("create", "damaged")).await.unwrap();
    for write in 0..40 {
        let arrivals = (0..20).map(|n| arrival(20 * write + n, 1)).collect();
        store.append(vec![upload(&experiment, arrivals)]).await.unwrap();
    }
    drop(store);
    let log = folder.path().join("store/0.jnl");
    let whole = std::fs::read(&log).unwrap();
    let open = || Embedded::open(folder.path(), 16 << 20).map(|_| ());
    for share in [3, 5, 7] {
        for filler in [[0; 64], [0xad; 64]] {
            let mut damaged = whole.clone();
            let at = share * whole.len() / 10;
            damaged[at..at + 64].copy_from_slice(&filler);
            std::fs::write(&log, &damaged).unwrap();
            assert!(matches!(open(), Err(StoreError::Damaged(_))), "{share} {filler:?}");
            assert_eq!(std::fs::read(&log).unwrap(), damaged, "what is left stays as it is");
        }
    }
    std::fs::write(&log, &whole[..whole.len() - 5]).unwrap();
    open().unwrap();
    assert!(std::fs::metadata(&log).unwrap().len() < whole.len() as u64 - 5, "the last write did not happen");
}
