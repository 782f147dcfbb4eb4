//! Why the accounts refuse, with the file they are in and what is spent.

use std::fmt::Display;
use std::path::Path;

use reticent_privacy::{Delta, Epsilon};

use super::{Standing, loss_words};
use crate::{AccountError, JournalError};

/// Why the accounts refuse.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are files, names of accounts, and losses in words")]
#[non_exhaustive]
pub enum AccountsError {
    /// Something was released about these people before, and nobody said that it may cost again.
    #[error(
        "{file}, account {account}: {seen}, and {spent}. This is another release: it would cost again, and {after}. \
         Say --again if it shall{otherwise}, or set what all releases may cost together (`reticent account limit \
         {account}`). Nothing was released and nothing was spent"
    )]
    Again {
        file: String,
        account: String,
        seen: &'static str,
        spent: String,
        after: String,
        otherwise: &'static str,
    },
    /// Not enough is left.
    #[error(
        "{file}, account {account}: {seen}, the limit is epsilon {epsilon} and delta {delta}, and {spent}. This \
         release would exceed it: {after}. Nothing was released and nothing was spent"
    )]
    Exhausted {
        file: String,
        account: String,
        seen: &'static str,
        epsilon: Epsilon,
        delta: Delta,
        spent: String,
        after: String,
    },
    /// The account has another limit than the one asked for.
    #[error(
        "{file}, account {account}: its limit is epsilon {epsilon} and delta {delta}; state no other here, or change \
         it for good with `reticent account limit {account}`. Nothing was released and nothing was spent"
    )]
    OtherLimit { file: String, account: String, epsilon: Epsilon, delta: Delta },
    /// The file: in use elsewhere, unreadable, damaged, or the disk is full.
    #[error("{file}: {fault}. {spent}")]
    Journal { file: String, fault: JournalError, spent: String },
    /// The key is missing, unreadable, or another one.
    #[error(
        "{file}: {fault}. The key tells the data sets of all accounts: take it back from a copy. Nothing was \
         released and nothing was spent"
    )]
    Key { file: String, fault: String },
    /// The folder is not one for accounts.
    #[error("{folder}: {fault}. Nothing was released and nothing was spent")]
    Folder { folder: String, fault: String },
    /// An account's file of the first versions cannot be read.
    #[error(
        "{file}: {fault}. It is an account of an earlier version, whose charges count: take it back from a copy"
    )]
    Old { file: String, fault: AccountError },
    /// No such account.
    #[error("{file}: there is no account {account}, or more than one; `reticent account show` lists them")]
    Unknown { file: String, account: String },
    /// The answer could not be made. What was paid stays spent.
    #[error("the release failed after it was paid for: {fault}. {file}, account {account}: {spent}")]
    Draw { file: String, account: String, spent: String, fault: Box<dyn std::error::Error + Send + Sync> },
}

impl AccountsError {
    pub(super) fn key(file: &Path, fault: &dyn Display) -> AccountsError {
        AccountsError::Key { file: file.display().to_string(), fault: fault.to_string() }
    }

    pub(super) fn folder(folder: &Path, fault: &dyn Display) -> AccountsError {
        AccountsError::Folder { folder: folder.display().to_string(), fault: fault.to_string() }
    }

    /// A release that failed after it was paid for.
    pub fn lost(standing: &Standing, fault: Box<dyn std::error::Error + Send + Sync>) -> AccountsError {
        let account = standing.account.clone().unwrap_or_default();
        let spent = format!("{} is spent", loss_words(standing.after));
        AccountsError::Draw { file: standing.file.clone(), account, spent, fault }
    }

    /// An account's file of the first versions that cannot be read.
    pub fn old(file: &Path, fault: AccountError) -> AccountsError {
        AccountsError::Old { file: file.display().to_string(), fault }
    }

    /// Whether the answer is no: the account does not allow it.
    pub fn is_refusal(&self) -> bool {
        matches!(self, AccountsError::Again { .. } | AccountsError::Exhausted { .. })
    }
}
