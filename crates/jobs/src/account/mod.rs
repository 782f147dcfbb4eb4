//! Paying for a release from a table: what is stored costs nothing, what is refused costs no work, and noise is
//! drawn only after the payment is on the disk.
//!
//! A [`RowMarks`] looks at the rows while they are read, and a [`Purse`] has the curator's accounts
//! ([`reticent_store::accounts`]) and what the curator allows.

mod marks;
#[cfg(test)]
mod tests;

use std::path::Path;

use reticent_privacy::Loss;
use reticent_store::Account;
use reticent_store::accounts::{
    Accounts, AccountsError, Ask, Book, Outlook, Payment, Permission, Reserved, Sighting, Standing,
};

pub use marks::RowMarks;

/// The curator's accounts, and what the curator allows.
#[derive(Clone, Copy)]
pub struct Purse<'a> {
    /// All accounts.
    pub accounts: &'a Accounts,
    /// What the curator allows.
    pub allowed: Permission,
    /// Hears what a release costs before it is paid for.
    pub notice: &'a dyn Fn(&Standing),
}

impl std::fmt::Debug for Purse<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Purse").field("allowed", &self.allowed).finish_non_exhaustive()
    }
}

/// What is asked of a table.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The table, as it was seen.
    pub seen: &'a Sighting,
    /// All that makes another question: the method, the plan, the loss, the table's mark.
    pub text: &'a str,
    /// What an answer costs everyone in the table.
    pub loss: Loss,
    /// What it is called in the book.
    pub what: &'a str,
    /// What the first versions kept in a file beside the table.
    pub before: Option<Before<'a>>,
    /// The file in which work goes on after an interruption.
    pub state: Option<&'a Path>,
}

/// An account's file as the first versions had it, whose charges are taken over.
#[derive(Clone, Copy)]
pub struct Before<'a> {
    /// The file.
    pub file: &'a Path,
    /// The question as it was written there.
    pub text: &'a str,
}

/// Without the question, which may be about a person.
impl std::fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Question").field("what", &self.what).finish_non_exhaustive()
    }
}

/// An answer and the account after it.
#[derive(Clone, PartialEq)]
pub struct Paid {
    /// What was released.
    pub text: String,
    /// Whether it was released before: then nothing was spent.
    pub stored: bool,
    /// The account.
    pub standing: Standing,
}

/// Without what was released.
impl std::fmt::Debug for Paid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Paid").field("stored", &self.stored).finish_non_exhaustive()
    }
}

/// What a question comes to before any work.
#[derive(Debug)]
pub(crate) enum Turn {
    Stored(Paid),
    /// It may be paid for.
    Open,
}

impl Purse<'_> {
    /// The stored answer to a question; or `collect` does the work that can fail, then the loss is paid, then
    /// what `collect` gave draws the noise.
    pub(crate) fn answer<E, D>(
        &self,
        question: &Question,
        collect: impl FnOnce() -> Result<D, E>,
    ) -> Result<Paid, E>
    where
        E: From<AccountsError> + std::error::Error + Send + Sync + 'static,
        D: FnOnce() -> Result<String, E>,
    {
        if let Turn::Stored(paid) = self.look_up(question, false)? {
            return Ok(paid);
        }
        let draw = collect()?;
        match self.pay(question, false)? {
            Settled::Stored(paid) => Ok(paid),
            Settled::Paid(receipt) => {
                let drawn = draw();
                Ok(receipt.settle(drawn)?)
            }
        }
    }

    /// Whether a question is stored, or may be paid for; neither writes a charge. `fresh` if a stored answer is
    /// of no use.
    pub(crate) fn look_up(&self, question: &Question, fresh: bool) -> Result<Turn, AccountsError> {
        let mut book = self.accounts.book()?;
        let asked = Asked::new(question);
        if let Some(Before { file, .. }) = question.before.filter(|before| before.file.exists()) {
            take_over(&mut book, &asked.ask(self, question, fresh), file)?;
        }
        match book.outlook(&asked.ask(self, question, fresh))? {
            (Outlook::Stored(text), standing) => Ok(Turn::Stored(Paid { text, stored: true, standing })),
            (Outlook::GoesOn, _) => Ok(Turn::Open),
            (Outlook::Costs, standing) => {
                (self.notice)(&standing);
                Ok(Turn::Open)
            }
        }
    }

    /// Pays, unless the question was answered meanwhile.
    pub(crate) fn pay(&self, question: &Question, fresh: bool) -> Result<Settled<'_>, AccountsError> {
        let asked = Asked::new(question);
        let mut book = self.accounts.book()?;
        match book.pay(&asked.ask(self, question, fresh))? {
            (Payment::Stored(text), standing) => Ok(Settled::Stored(Paid { text, stored: true, standing })),
            (Payment::Reserved(reserved), standing) => {
                Ok(Settled::Paid(Receipt { accounts: self.accounts, reserved, standing }))
            }
        }
    }
}

/// What paying came to.
#[derive(Debug)]
pub(crate) enum Settled<'a> {
    Stored(Paid),
    Paid(Receipt<'a>),
}

/// A charge that is on the disk: the answer may be drawn.
#[derive(Debug)]
#[must_use = "the loss is spent: draw the answer and store it"]
pub(crate) struct Receipt<'a> {
    accounts: &'a Accounts,
    reserved: Reserved,
    standing: Standing,
}

impl Receipt<'_> {
    /// Stores what was drawn, which may then leave; a failure says what is spent.
    pub(crate) fn settle<E: std::error::Error + Send + Sync + 'static>(
        self,
        drawn: Result<String, E>,
    ) -> Result<Paid, AccountsError> {
        let mut book = self.accounts.book()?;
        let text = drawn.map_err(|fault| book.failed(&self.reserved, Box::new(fault)))?;
        book.answer(self.reserved, text.clone())?;
        Ok(Paid { text, stored: false, standing: self.standing })
    }
}

/// Parts of a question that must live as long as it is asked.
struct Asked {
    state: Option<String>,
    goes_on: bool,
}

impl Asked {
    fn new(question: &Question) -> Asked {
        let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let begun = |path: &Path| std::fs::metadata(path).is_ok_and(|file| file.len() > 0);
        Asked {
            state: question.state.map(|path| whole(path).display().to_string()),
            goes_on: question.state.is_some_and(begun),
        }
    }

    fn ask<'a>(&'a self, purse: &Purse, question: &Question<'a>, fresh: bool) -> Ask<'a> {
        Ask {
            seen: question.seen,
            question: question.text,
            older: question.before.map(|before| before.text),
            loss: question.loss,
            what: question.what,
            allowed: purse.allowed,
            state: self.state.as_deref(),
            goes_on: self.goes_on,
            fresh,
        }
    }
}

/// What an account's file of its own says is said in the book from now on.
fn take_over(book: &mut Book, ask: &Ask, file: &Path) -> Result<(), AccountsError> {
    let name = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf()).display().to_string();
    let old = Account::reopen(file).map_err(|fault| AccountsError::old(file, fault))?;
    book.take_over(&old, &name, ask)?;
    Ok(())
}
