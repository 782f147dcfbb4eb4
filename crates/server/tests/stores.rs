//! Every store passes the same suite.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/conformance.rs"]
mod conformance_suite;
mod support;

use std::sync::Arc;

use reticent_server::store::{Embedded, Memory, StoreError};

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
