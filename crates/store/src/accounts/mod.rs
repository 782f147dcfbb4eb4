//! What may still be learned from each of a curator's data sets: all accounts in one place, each found by what
//! its data are.
//!
//! A folder has a secret [`Key`] and a [`Book`]. A table is known by keyed hashes of its rows ([`View`]), so
//! that a copy, another order of rows or columns, or another file format is the same data set, and tables that
//! share rows have one account. A release is paid in the book before its noise is drawn, and its answer is in
//! the book before it leaves; the same question again gets the stored answer. `guarantee.md` beside this file
//! says what an account's sum promises, and `docs/accounts.md` what is noticed and what is not.

mod ask;
mod book;
mod error;
mod folder;
mod key;
mod line;
mod show;
mod sketch;
mod spent;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use ask::{Ask, Known, Outlook, Payment, Permission, Reserved, Sighting, Standing};
pub use book::Book;
pub use error::AccountsError;
pub use key::Key;
pub use line::Why;
pub use show::{ShownAccount, ShownCharge, ShownSet};
pub use sketch::{SKETCH_ROWS, View, Viewer};
pub(crate) use spent::as_pair;
pub use spent::{Limit, loss_words};

use crate::Journal;
use book::UNSPENT;
use line::KIND;

/// For so long a command waits for the book while another has it open; that takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// The place where a curator's accounts are. The book is open only while it is read or written.
#[derive(Debug)]
pub struct Accounts {
    folder: PathBuf,
    key: Key,
}

impl Accounts {
    /// The accounts in a folder, which is made if it is not there, and is the curator's alone.
    pub fn open(folder: &Path) -> Result<Accounts, AccountsError> {
        folder::make_private(folder)?;
        Accounts::of(folder)
    }

    /// The accounts in a folder that has some; makes nothing.
    pub fn open_existing(folder: &Path) -> Result<Option<Accounts>, AccountsError> {
        if book_file(folder).exists() { Accounts::of(folder).map(Some) } else { Ok(None) }
    }

    fn of(folder: &Path) -> Result<Accounts, AccountsError> {
        // With a book and no key, a new key would know none of the book's data sets.
        let key = Key::open(&folder.join("key"), !book_file(folder).exists())?;
        Ok(Accounts { folder: folder.to_path_buf(), key })
    }

    /// The key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// The book's file.
    pub fn file(&self) -> PathBuf {
        book_file(&self.folder)
    }

    /// Opens the book; if another process has it open, waits for a while. Close it soon.
    pub fn book(&self) -> Result<Book, AccountsError> {
        let path = self.file();
        let file = path.display().to_string();
        let opened = Journal::open_waiting(&path, KIND, PATIENCE);
        let (journal, lines) = opened.map_err(|fault| AccountsError::Journal {
            file: file.clone(),
            fault,
            spent: UNSPENT.into(),
        })?;
        Book::read(journal, lines, file, &self.key)
    }
}

/// Whether a folder is one of accounts.
pub(crate) fn are_in(folder: &Path) -> bool {
    book_file(folder).exists()
}

fn book_file(folder: &Path) -> PathBuf {
    folder.join("accounts.journal")
}
