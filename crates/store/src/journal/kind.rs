//! What a journal's first line says it is.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::JournalError;

/// A kind of journal. The first line of each of its files is `{"NAME":{"version":VERSION, ..}}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalKind {
    /// The name in the first line.
    pub name: &'static str,
    /// The version that is written. Older ones are read.
    pub version: u32,
}

/// As much of the first line as every version understands.
#[derive(Deserialize)]
struct Header {
    version: u32,
}

impl JournalKind {
    /// How every file of this kind begins.
    pub(super) fn start(self) -> String {
        format!("{{\"{}\":", self.name)
    }

    /// The version in a first line, if it is of this kind; refuses one that nobody here can read. This comes
    /// before all else: a file of a later version is not damaged.
    pub(super) fn version_of(self, first: &[u8]) -> Result<Option<u32>, JournalError> {
        let header = serde_json::from_slice::<BTreeMap<String, Header>>(first).ok();
        match header.and_then(|header| header.get(self.name).map(|header| header.version)) {
            Some(found) if found == 0 || found > self.version => {
                Err(JournalError::Version { found, newest: self.version })
            }
            version => Ok(version),
        }
    }
}
