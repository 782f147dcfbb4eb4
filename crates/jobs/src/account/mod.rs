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
    Accounts, AccountsError, Ask, Outlook, Payment, Permission, Reserved, Sighting, Standing,
};

use crate::columns::TableFormat;
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

/// A question as it stands: asked once before the work, and again to pay.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    question: Question<'a>,
    state: Option<String>,
    /// Whether work in the state's file goes on: as it was before that file was opened.
    goes_on: bool,
    /// Whether a stored answer is of no use, because what it names is gone.
    pub(crate) fresh: bool,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(question: Question<'a>) -> Asked<'a> {
        let begun = |path: &Path| std::fs::metadata(path).is_ok_and(|file| file.len() > 0);
        Asked {
            question,
            state: question.state.map(whole_name),
            goes_on: question.state.is_some_and(begun),
            fresh: false,
        }
    }

    fn ask(&self, allowed: Permission) -> Ask<'_> {
        let Question { seen, text, loss, what, before, .. } = self.question;
        Ask {
            seen,
            question: text,
            older: before.map(|before| before.text),
            loss,
            what,
            allowed,
            state: self.state.as_deref(),
            goes_on: self.goes_on,
            fresh: self.fresh,
        }
    }
}

impl Purse<'_> {
    /// The stored answer to a question; or `collect` does the work that can fail, then the loss is paid, then
    /// what `collect` gave draws the noise.
    pub fn answer<E, D>(&self, question: Question, collect: impl FnOnce() -> Result<D, E>) -> Result<Paid, E>
    where
        E: From<AccountsError> + std::error::Error + Send + Sync + 'static,
        D: FnOnce() -> Result<String, E>,
    {
        let asked = Asked::new(question);
        if let Some(paid) = self.look_up(&asked)? {
            return Ok(paid);
        }
        let draw = collect()?;
        match self.pay(&asked)? {
            Settled::Stored(paid) => Ok(paid),
            Settled::Paid(receipt) => {
                let drawn = draw();
                Ok(receipt.settle(drawn)?)
            }
        }
    }

    /// The stored answer, if there is one; otherwise it may be paid for, or this is an error. Charges nothing.
    pub(crate) fn look_up(&self, asked: &Asked) -> Result<Option<Paid>, AccountsError> {
        let mut book = self.accounts.book()?;
        let ask = asked.ask(self.allowed);
        if let Some(Before { file, .. }) = asked.question.before.filter(|before| before.file.exists()) {
            let old = Account::reopen(file).map_err(|fault| AccountsError::old(file, fault))?;
            book.take_over(&old, &whole_name(file), &ask)?;
        }
        let (outlook, standing) = book.outlook(&ask)?;
        match outlook {
            Outlook::Stored(text) => Ok(Some(Paid { text, stored: true, standing })),
            Outlook::GoesOn => Ok(None),
            Outlook::Costs => {
                (self.notice)(&standing);
                Ok(None)
            }
        }
    }

    /// Pays, unless the question was answered meanwhile.
    pub(crate) fn pay(&self, asked: &Asked) -> Result<Settled<'_>, AccountsError> {
        let (payment, standing) = self.accounts.book()?.pay(&asked.ask(self.allowed))?;
        Ok(match payment {
            Payment::Stored(text) => Settled::Stored(Paid { text, stored: true, standing }),
            Payment::Reserved(reserved) => {
                Settled::Paid(Receipt { accounts: self.accounts, reserved, standing })
            }
        })
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
        let text = drawn.map_err(|fault| AccountsError::lost(&self.standing, Box::new(fault)))?;
        self.accounts.book()?.answer(self.reserved, text.clone())?;
        Ok(Paid { text, stored: false, standing: self.standing })
    }
}

/// How a table is written, as a part of a question; none if it is plain.
pub(crate) fn written(format: &TableFormat) -> Option<String> {
    (*format != TableFormat::default()).then(|| format!("{format:?}"))
}

/// A file's name from the root.
pub(crate) fn whole_name(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string()
}
