//! Bytes that only grow: the steps of trials, the records and the accounts of tuning.

use async_trait::async_trait;
use reticent_schema::Prefix;

use super::StoreError;

/// Which journal of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JournalName {
    /// The steps of a trial.
    Trial = 1,
    /// Records of tuning.
    Records = 2,
    /// What was spent on them, and the answers.
    Account = 3,
}

/// Journals of central kinds. Who extends one says how long they know it to be: two servers cannot write over each
/// other, and a step that was retried is there once.
#[async_trait]
pub trait Journals: Send + Sync {
    /// All bytes of a journal.
    async fn journal(&self, experiment: Prefix, name: JournalName) -> Result<Vec<u8>, StoreError>;

    /// How long a journal is.
    async fn journal_length(&self, experiment: Prefix, name: JournalName) -> Result<u64, StoreError>;

    /// Appends durably if the journal is as long as that; otherwise nothing happens and the answer is no.
    async fn extend(
        &self,
        experiment: Prefix,
        name: JournalName,
        length: u64,
        bytes: &[u8],
    ) -> Result<bool, StoreError>;
}
