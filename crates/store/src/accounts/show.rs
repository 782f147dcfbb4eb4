//! What a curator is shown of the accounts: no question and no answer.

use reticent_privacy::Loss;
use serde::Serialize;

use super::book::Book;
use super::{AccountsError, Limit};

/// An account.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShownAccount {
    /// Its id: that of its first data set.
    pub id: String,
    /// Its data sets.
    pub data_sets: Vec<ShownSet>,
    /// Its charges, in order.
    pub charges: Vec<ShownCharge>,
    /// What they cost together.
    pub spent: Option<Loss>,
    /// What may be spent, if it was said.
    pub limit: Option<Limit>,
}

/// A data set of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownSet {
    /// Its id.
    pub id: String,
    /// The name of the file that it was first seen in.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
}

/// A charge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShownCharge {
    /// The data set.
    pub data_set: String,
    /// What was released.
    pub what: String,
    /// What it cost everyone in the data set.
    pub loss: Loss,
    /// Whether there is an answer; without one it stays spent.
    pub answered: bool,
}

impl Book {
    /// All accounts, in the order of their first release.
    pub fn accounts(&self) -> Vec<ShownAccount> {
        let firsts = (0..self.sets.len()).filter(|&set| self.sets[set].account == set);
        firsts.map(|account| self.shown(account)).collect()
    }

    /// One account, by its id, that of any of its data sets, or its beginning.
    pub fn shown_account(&self, id: &str) -> Result<ShownAccount, AccountsError> {
        let id = self.account(id)?;
        Ok(self.shown(self.numbered(&id).unwrap_or_default()))
    }

    fn shown(&self, account: usize) -> ShownAccount {
        let sets = self.sets.iter().filter(|set| set.account == account);
        let charges = self.charges.iter().filter(|charge| self.sets[charge.set].account == account);
        ShownAccount {
            id: self.sets[account].id.clone(),
            data_sets: sets
                .map(|set| ShownSet {
                    id: set.id.clone(),
                    name: set.name.clone(),
                    rows: set.views.first().map_or(0, super::View::rows),
                })
                .collect(),
            charges: charges
                .map(|charge| ShownCharge {
                    data_set: self.sets[charge.set].id.clone(),
                    what: charge.what.clone(),
                    loss: charge.loss,
                    answered: charge.answer.is_some(),
                })
                .collect(),
            spent: self.spent_by(&[account]),
            limit: self.limit_of(account),
        }
    }
}
