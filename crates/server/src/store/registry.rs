//! Experiments, keys, and what people did.

use std::fmt;

use async_trait::async_trait;
use reticent_schema::{Experiment, Prefix};
use reticent_store::Moment;
use serde::{Deserialize, Serialize};

use super::{Publication, StoreError};

/// An experiment that is served. It never changes; its [`Phase`] does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The public document.
    pub experiment: Experiment,
    /// When it was created.
    pub created: Moment,
    /// What is not public about it.
    #[serde(default)]
    pub settings: Settings,
}

/// How the service treats an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(PartialOrd))]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// A bandit's policy is made anew after so many reports; a tenth of all, at most 1,000, if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<u64>,
    /// For so many seconds reports are kept after they were folded; 0 if it is left out.
    #[serde(default)]
    pub keep_reports_seconds: u64,
}

/// Whether an experiment takes reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// It does.
    Running,
    /// Not for now.
    Paused,
    /// No more; its policy is served as it was.
    Stopped,
    /// No more; its last policy is the winner.
    Frozen,
}

impl Phase {
    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Running => "running",
            Phase::Paused => "paused",
            Phase::Stopped => "stopped",
            Phase::Frozen => "frozen",
        }
    }

    /// Whether it can never run again.
    pub fn is_final(self) -> bool {
        matches!(self, Phase::Stopped | Phase::Frozen)
    }

    pub(super) fn number(self) -> u8 {
        self as u8
    }

    pub(super) fn of(number: u8) -> Option<Phase> {
        [Phase::Running, Phase::Paused, Phase::Stopped, Phase::Frozen]
            .into_iter()
            .find(|p| *p as u8 == number)
    }
}

/// What a key allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// To send reports. Such keys are public in pages and programs.
    Upload,
    /// To see what was learned.
    Read,
    /// Everything.
    Admin,
}

/// Which experiments a key is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// All of them.
    All,
    /// These, by name.
    Experiments(Vec<String>),
}

/// A key as it is stored: never the key itself.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRecord {
    /// What it is called in lists and in the audit log.
    pub id: String,
    /// SHA-256 of the key, in hexadecimal digits.
    pub hash: String,
    /// What it allows.
    pub role: Role,
    /// Where.
    pub scope: Scope,
    /// What it is for, in words.
    pub label: String,
    /// When it was made.
    pub created: Moment,
    /// From then on it is worth nothing.
    pub expires: Option<Moment>,
    /// Since then it is worth nothing.
    pub revoked: Option<Moment>,
    /// Web pages that may use it, as `https://example.org`.
    pub origins: Vec<String>,
    /// Requests a second that one visitor may make with it; the server's own limit if it is none.
    pub rate: Option<u32>,
}

/// Without the hash.
impl fmt::Debug for KeyRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyRecord").field("id", &self.id).field("role", &self.role).finish_non_exhaustive()
    }
}

/// Something that somebody did: a line of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deed {
    /// When.
    pub at: Moment,
    /// Who: a key's id, or the command on the server's own machine.
    pub actor: String,
    /// What: `experiment.create`, `key.revoke`.
    pub action: String,
    /// To what: an experiment's name, or a key's id.
    pub subject: String,
}

/// What creating came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// It is there now.
    New,
    /// The same was there before: nothing happened.
    Same,
    /// Another experiment has the name.
    NameTaken,
    /// Another experiment's digest begins with the same four bytes.
    PrefixTaken,
}

/// Experiments, keys, and the audit log.
#[async_trait]
pub trait Registry: Send + Sync {
    /// Creates an experiment with its first policy.
    async fn create(&self, entry: Entry, first: Publication, deed: Deed) -> Result<Created, StoreError>;

    /// All experiments.
    async fn entries(&self) -> Result<Vec<Entry>, StoreError>;

    /// Changes the phase, if it is still the one that was expected.
    async fn change(
        &self,
        experiment: Prefix,
        from: Phase,
        to: Phase,
        deed: Deed,
    ) -> Result<bool, StoreError>;

    /// All keys, also those that are worth nothing any more.
    async fn keys(&self) -> Result<Vec<KeyRecord>, StoreError>;

    /// Adds a key.
    async fn add_key(&self, key: KeyRecord, deed: Deed) -> Result<(), StoreError>;

    /// Revokes a key; no if there is none of this id, or it was revoked before.
    async fn revoke_key(&self, id: &str, deed: Deed) -> Result<bool, StoreError>;

    /// The audit log from a line on.
    async fn deeds(&self, from: u64, most: usize) -> Result<Vec<Deed>, StoreError>;

    /// Adds a line to the audit log that belongs to nothing above.
    async fn note(&self, deed: Deed) -> Result<(), StoreError>;
}
