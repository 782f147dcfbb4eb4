//! What the service remembers: experiments, reports, policies, keys, deeds, and the journals of central kinds. One
//! set of traits; the embedded store, PostgreSQL and the memory of tests pass the same conformance suite.
//!
//! Everything that was acknowledged survives a crash. A call that fails with [`StoreError`] may have happened or
//! not: each can be made again, and then happens once.

mod journals;
mod kv;
mod lease;
mod policies;
mod postgres;
mod registry;
mod reports;

use async_trait::async_trait;

pub use journals::{JournalName, Journals};
pub use kv::{Embedded, Fault, Memory};
pub use lease::Leases;
pub use policies::{Learned, Marks, Policies, Publication, PublishedPolicy};
pub use postgres::Postgres;
pub use registry::{Created, Deed, Entry, KeyRecord, Phase, Registry, Role, Scope, Settings};
pub use reports::{ALWAYS_OPEN, Arrival, Fate, Reports, Segment, Upload};

/// Why a store cannot answer. Contains nothing of a report or a record.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Gone, full or busy: it may come back.
    #[error("the store cannot be used now: {0}; try again, and look at its disk and its server")]
    Unavailable(String),
    /// What it holds cannot be read.
    #[error("the store is damaged: {0}; restore it from a back-up that is not older than its last use")]
    Damaged(String),
    /// Written by another version.
    #[error("the store has format {found}; this program reads format {known}")]
    Format {
        /// What it says.
        found: String,
        /// What is known.
        known: u32,
    },
    /// Another process has it.
    #[error("the data folder is in use by another process; stop that one, or talk to it by its address")]
    InUse,
}

/// All that the service needs of a store.
#[async_trait]
pub trait Store: Registry + Reports + Policies + Journals + Leases {
    /// Whether it answers.
    async fn check(&self) -> Result<(), StoreError>;

    /// What it is, for people.
    fn called(&self) -> &'static str;
}
