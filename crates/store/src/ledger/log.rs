//! The lines of a ledger's journal.

use serde::{Deserialize, Serialize};

/// One line of the file. It has no `Debug`, since it names requests and holds answers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Line {
    /// The first line.
    ReticentLedger {
        /// The format's version.
        version: u32,
        /// The lifetime budget.
        limit_micro: u64,
    },
    /// A charge, before its answer is drawn.
    Reserve {
        /// The caller's name for the request.
        request: String,
        /// What it costs.
        micro: u64,
    },
    /// The answer that the last reservation of this request paid for.
    Commit {
        /// The same name.
        request: String,
        /// The answer's bytes in hexadecimal digits.
        answer: String,
    },
}

/// How every ledger begins.
pub(super) const START: &[u8] = b"{\"reticent-ledger\":";

pub(super) fn to_hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|d| char::from_digit(d.into(), 16))
        .collect()
}

pub(super) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|c| Some(c.to_digit(16)? as u8)).collect::<Option<_>>()?;
    let pairs = digits.chunks_exact(2);
    pairs.remainder().is_empty().then(|| pairs.map(|pair| pair[0] << 4 | pair[1]).collect())
}
