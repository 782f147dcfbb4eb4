//! The book: data sets, which of them have one account, limits, charges and answers. A file of lines that only
//! grows; whoever has it open, has it alone.

use std::collections::BTreeMap;
use std::fmt;

use reticent_privacy::{Loss, composition};

use super::line::{KIND, Line};
use super::{AccountsError, Key, Limit, Sighting, View, Why, loss_words};
use crate::journal::{Head, Journal, JournalError};

/// All accounts of one curator.
pub struct Book {
    journal: Journal<Line>,
    /// Its name, for messages.
    pub(super) file: String,
    pub(super) sets: Vec<DataSet>,
    /// By the account's number: that of its first data set.
    limits: BTreeMap<usize, Limit>,
    /// Pairs of data sets that the curator told apart.
    apart: Vec<(usize, usize)>,
    pub(super) charges: Vec<Charge>,
    /// How many charges of files of the first versions are here.
    taken: BTreeMap<String, usize>,
}

/// Counts: names, questions and answers may be about people.
impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shape = f.debug_struct("Book");
        shape.field("sets", &self.sets.len()).field("charges", &self.charges.len()).finish_non_exhaustive()
    }
}

pub(super) struct DataSet {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) views: Vec<View>,
    /// The first data set of its account.
    pub(super) account: usize,
}

pub(super) struct Charge {
    pub(super) set: usize,
    pub(super) loss: Loss,
    pub(super) what: String,
    pub(super) question: String,
    pub(super) state: Option<String>,
    pub(super) answer: Option<String>,
}

impl Book {
    /// The book that these lines make. An empty one begins with the key's mark.
    pub(super) fn read(
        journal: Journal<Line>,
        lines: Vec<Line>,
        file: String,
        key: &Key,
    ) -> Result<Book, AccountsError> {
        let mut book = Book {
            journal,
            file,
            sets: Vec::new(),
            limits: BTreeMap::new(),
            apart: Vec::new(),
            charges: Vec::new(),
            taken: BTreeMap::new(),
        };
        let mark = key.mark(KIND.name);
        match lines.first() {
            None => {
                let first = Line::ReticentAccounts { version: KIND.version, key: mark };
                book.journal.append(&first).map_err(|fault| book.broken(fault, UNSPENT))?;
            }
            Some(Line::ReticentAccounts { key, .. }) if *key == mark => {}
            Some(Line::ReticentAccounts { .. }) => {
                let fault = "the book was begun with another key".into();
                return Err(AccountsError::Key { file: book.file, fault });
            }
            Some(_) => return Err(book.broken(JournalError::Corrupt { line: 1 }, UNSPENT)),
        }
        for (number, line) in lines.into_iter().enumerate().skip(1) {
            if book.apply(line).is_none() {
                return Err(book.broken(JournalError::Corrupt { line: number + 1 }, UNSPENT));
            }
        }
        Ok(book)
    }

    /// How far the file has come: kept elsewhere, it tells an older copy.
    pub fn head(&self) -> Head {
        self.journal.head()
    }

    pub(super) fn broken(&self, fault: JournalError, spent: &str) -> AccountsError {
        AccountsError::Journal { file: self.file.clone(), fault, spent: spent.into() }
    }

    /// Takes lines that this code made, and puts them on the disk together; `spent` says what is spent if that
    /// fails.
    pub(super) fn write(
        &mut self,
        lines: Vec<Line>,
        spent: impl FnOnce() -> String,
    ) -> Result<(), AccountsError> {
        let written = lines.into_iter().try_for_each(|line| {
            self.journal.append_later(&line)?;
            self.apply(line).ok_or(JournalError::Broken)
        });
        let written = written.and_then(|()| self.journal.flush());
        written.map_err(|fault| self.broken(fault, &spent()))
    }

    /// Takes in a line; none if it cannot follow those before it.
    fn apply(&mut self, line: Line) -> Option<()> {
        match line {
            Line::ReticentAccounts { .. } => return None,
            Line::DataSet { id, name, views } => {
                let account = self.sets.len();
                self.numbered(&id).is_none().then_some(())?;
                self.sets.push(DataSet { id, name, views, account });
            }
            Line::Seen { id, view } => {
                let set = self.numbered(&id)?;
                self.sets[set].views.push(view);
            }
            Line::Joined { one, other, .. } => self.join(self.numbered(&one)?, self.numbered(&other)?),
            Line::Apart { one, other } => self.apart.push((self.numbered(&one)?, self.numbered(&other)?)),
            Line::Limit { id, epsilon, delta } => {
                let account = self.sets[self.numbered(&id)?].account;
                self.limits.insert(account, Limit { epsilon, delta });
            }
            Line::Paid { id, loss, what, question, state } => {
                let set = self.numbered(&id)?;
                self.charges.push(Charge { set, loss, what, question, state, answer: None });
            }
            Line::Answered { charge, text } => {
                let charge = self.charges.get_mut(charge).filter(|charge| charge.answer.is_none())?;
                charge.answer = Some(text);
            }
            Line::Taken { file, charges, .. } => drop(self.taken.insert(file, charges)),
        }
        Some(())
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.sets[one].account, self.sets[other].account);
        let (first, second) = (one.min(other), one.max(other));
        self.sets.iter_mut().filter(|set| set.account == second).for_each(|set| set.account = first);
        if first != second
            && let Some(limit) = self.limits.remove(&second)
        {
            let both = self.limits.get(&first).map_or(limit, |other| limit.and(*other));
            self.limits.insert(first, both);
        }
    }

    pub(super) fn numbered(&self, id: &str) -> Option<usize> {
        self.sets.iter().position(|set| set.id == id)
    }

    /// The account of an id, or of an id's beginning that no other has.
    pub fn account(&self, id: &str) -> Result<String, AccountsError> {
        let mut accounts: Vec<usize> = self
            .sets
            .iter()
            .filter(|set| !id.is_empty() && set.id.starts_with(id))
            .map(|set| set.account)
            .collect();
        accounts.dedup();
        match accounts[..] {
            [account] => Ok(self.sets[account].id.clone()),
            _ => Err(AccountsError::Unknown { file: self.file.clone(), account: id.into() }),
        }
    }

    pub(super) fn limit_of(&self, account: usize) -> Option<Limit> {
        self.limits.get(&account).copied()
    }

    /// What all releases about people of these accounts cost together: `guarantee.md` beside this file.
    pub(super) fn spent_by(&self, accounts: &[usize]) -> Option<Loss> {
        let of_these = |charge: &&Charge| accounts.contains(&self.sets[charge.set].account);
        let losses: Vec<Loss> = self.charges.iter().filter(of_these).map(|charge| charge.loss).collect();
        composition::sequential(&losses)
    }

    /// The data set that has exactly these rows.
    pub(super) fn same(&self, seen: &Sighting) -> Option<usize> {
        self.sets.iter().position(|set| set.views.iter().any(|view| view.is_same(&seen.whole)))
    }

    /// Data sets of which rows are among these, other than `same` and those that were told apart from it.
    pub(super) fn overlapping(&self, seen: &Sighting, same: Option<usize>) -> Vec<usize> {
        let told_apart = |set: usize| {
            same.is_some_and(|same| self.apart.contains(&(same, set)) || self.apart.contains(&(set, same)))
        };
        let shares =
            |set: &DataSet| set.views.iter().any(|kept| seen.views().any(|view| view.overlaps(kept)));
        (0..self.sets.len())
            .filter(|&set| Some(set) != same && !told_apart(set) && shares(&self.sets[set]))
            .collect()
    }

    /// Sets what an account may spend from now on. Returns what it might spend before.
    pub fn set_limit(&mut self, id: &str, limit: Limit) -> Result<Option<Limit>, AccountsError> {
        let id = self.account(id)?;
        let before = self.numbered(&id).and_then(|account| self.limit_of(account));
        let Limit { epsilon, delta } = limit;
        self.write(vec![Line::Limit { id, epsilon, delta }], || UNSPENT.into())?;
        Ok(before)
    }

    /// Makes one account of two: their people are the same, or some of them are. This cannot be undone.
    pub fn merge(&mut self, one: &str, other: &str) -> Result<String, AccountsError> {
        let (one, other) = (self.account(one)?, self.account(other)?);
        if one != other {
            let joined = Line::Joined { one: one.clone(), other, why: Why::Curator };
            self.write(vec![joined], || UNSPENT.into())?;
        }
        self.account(&one)
    }

    /// How many charges of a file of the first versions are in this book.
    pub(super) fn taken_from(&self, file: &str) -> usize {
        self.taken.get(file).copied().unwrap_or(0)
    }

    /// What is spent, in words.
    pub(super) fn spent_words(&self, accounts: &[usize]) -> String {
        format!(
            "{} spent so far",
            match self.spent_by(accounts) {
                None => "nothing was".into(),
                spent => format!("{} is", loss_words(spent)),
            }
        )
    }
}

pub(super) const UNSPENT: &str = "Nothing was released and nothing was spent";
