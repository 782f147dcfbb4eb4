//! The lines of the book. Data sets are named by their ids, charges by their number in the book, from 0.

use reticent_privacy::{Delta, Epsilon, Loss};
use serde::{Deserialize, Serialize};

use super::View;
use crate::JournalKind;

/// How the book begins. Version 1 of journals, whose lines carry no checksum, was before it.
pub(super) const KIND: JournalKind = JournalKind { name: "reticent-accounts", version: 2 };

/// A line of the book. It has no `Debug`, since it names questions and holds answers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Line {
    /// The first line; the key's own mark tells another key.
    ReticentAccounts { version: u32, key: String },
    /// A data set that was not known, with an account of its own.
    DataSet { id: String, name: String, views: Vec<View> },
    /// Another look at a known one.
    Seen { id: String, view: View },
    /// Two data sets have one account from here on.
    Joined { one: String, other: String, why: Why },
    /// The curator said that two that look alike are of different people.
    Apart { one: String, other: String },
    /// What an account may spend.
    Limit { id: String, epsilon: Epsilon, delta: Delta },
    /// A charge, before its answer is drawn.
    Paid {
        id: String,
        loss: Loss,
        what: String,
        question: String,
        /// The file in which the work goes on after an interruption.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<String>,
    },
    /// The answer that a charge paid for.
    Answered { charge: usize, text: String },
    /// So many charges of an account's file of its own, as the first versions had, are in this book.
    Taken { id: String, file: String, charges: usize },
}

/// Why data sets have one account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// They share rows.
    Rows,
    /// The curator said so.
    Curator,
}
