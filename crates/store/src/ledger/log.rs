//! The lines of a ledger's journal. Version 1 counted whole micro-epsilon, a charge rounded up and a limit
//! rounded down; version 2 counts nano-epsilon, which are exact. Both are read, and the second is written,
//! also to files that version 1 began.

use reticent_privacy::Epsilon;
use serde::{Deserialize, Serialize};

use crate::JournalKind;

/// One line of the file. It has no `Debug`, since it names requests and holds answers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Line {
    /// The first line.
    ReticentLedger {
        /// The format's version.
        version: u32,
        /// The lifetime budget, by version 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit_micro: Option<u64>,
        /// The lifetime budget.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit_nano: Option<u64>,
    },
    /// A charge, before its answer is drawn.
    Reserve {
        /// The caller's name for the request.
        request: String,
        /// What it costs, by version 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        micro: Option<u64>,
        /// What it costs.
        #[serde(skip_serializing_if = "Option::is_none")]
        nano: Option<u64>,
    },
    /// The answer that the last reservation of this request paid for.
    Commit {
        /// The same name.
        request: String,
        /// The answer's bytes in hexadecimal digits.
        answer: String,
    },
}

/// A stored number of micro-epsilon by version 1, or of nano-epsilon.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Amount {
    Micro(u64),
    Nano(u64),
}

impl Amount {
    /// What a line says; none if it says nothing, or both.
    pub(super) fn of(micro: Option<u64>, nano: Option<u64>) -> Option<Amount> {
        match (micro, nano) {
            (Some(micro), None) => Some(Amount::Micro(micro)),
            (None, Some(nano)) => Some(Amount::Nano(nano)),
            _ => None,
        }
    }

    /// The same in nano-epsilon; none if it is too large to be one.
    pub(super) fn nano(self) -> Option<u64> {
        match self {
            Amount::Micro(micro) => micro.checked_mul(1000),
            Amount::Nano(nano) => Some(nano),
        }
    }

    /// Whether this limit was stored for `asked`.
    pub(super) fn is_limit(self, asked: Epsilon) -> bool {
        match self {
            Amount::Micro(micro) => micro == asked.nano() / 1000,
            Amount::Nano(nano) => nano == asked.nano(),
        }
    }

    /// Whether this charge was stored for `asked`.
    pub(super) fn is_charge(self, asked: Epsilon) -> bool {
        match self {
            Amount::Micro(micro) => micro == asked.micro_ceil(),
            Amount::Nano(nano) => nano == asked.nano(),
        }
    }
}

/// How every ledger begins.
pub(super) const KIND: JournalKind = JournalKind { name: "reticent-ledger", version: 2 };
