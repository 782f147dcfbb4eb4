//! Paying for a release: what is stored costs nothing, what is refused costs no work, and noise is drawn only
//! after the payment is on the disk.

use std::path::Path;

use reticent_privacy::{Delta, Epsilon, Loss};
use reticent_store::{Account, AccountError};

use super::TuneError;

/// A data set's lifetime limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountLimit {
    /// The loss.
    pub epsilon: Epsilon,
    /// Its failure probability.
    pub delta: Delta,
    /// Whether it was asked for. If not, an account that exists keeps its own.
    pub stated: bool,
}

/// Where a data set's account is.
#[derive(Debug, Clone, Copy)]
pub struct AccountFile<'a> {
    /// Its file, made by the first release.
    pub path: &'a Path,
    /// Its limit.
    pub limit: AccountLimit,
}

/// An answer and the account after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Paid {
    /// What was released.
    pub text: String,
    /// Whether it was released before: then nothing was spent.
    pub stored: bool,
    /// What all releases cost together.
    pub spent: Option<Loss>,
    /// The limit.
    pub limit: (Epsilon, Delta),
}

impl AccountFile<'_> {
    /// The stored answer to this request; or `collect` does the work that can fail, then the loss is paid,
    /// then what `collect` gave draws the noise.
    pub(super) fn answer<D: FnOnce() -> Result<String, TuneError>>(
        &self,
        request: &str,
        loss: Loss,
        collect: impl FnOnce() -> Result<D, TuneError>,
    ) -> Result<Paid, TuneError> {
        // An account that is not there is made by the release itself: work that fails or is interrupted
        // leaves no trace.
        let opened = if self.path.exists() { Some(self.open()?) } else { None };
        if let Some(account) = &opened {
            if let Some(text) = account.stored(request) {
                return Ok(Paid {
                    text: text.into(),
                    stored: true,
                    spent: account.spent(),
                    limit: account.limit(),
                });
            }
            account.check(loss)?;
        } else {
            Account::check_new(self.limit.epsilon, self.limit.delta, loss)?;
        }
        let draw = collect()?;
        let mut account = match opened {
            Some(opened) => opened,
            None => self.open()?,
        };
        let answer = account.answer(request, loss, draw)?;
        Ok(Paid { text: answer.text, stored: answer.stored, spent: account.spent(), limit: account.limit() })
    }

    fn open(&self) -> Result<Account, AccountError> {
        let AccountLimit { epsilon, delta, stated } = self.limit;
        match Account::open(self.path, epsilon, delta) {
            Err(AccountError::OtherLimit { epsilon, delta }) if !stated => {
                Account::open(self.path, epsilon, delta)
            }
            opened => opened,
        }
    }
}
