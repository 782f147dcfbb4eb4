//! Paying for a release: what is stored costs nothing, what is refused costs no work, and noise is drawn only after the payment is on the disk.

use std::path::Path;

use reticent_privacy::{Account, AccountError, Delta, Epsilon, Loss, composition};

use super::TuneError;

/// A data set's lifetime limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The loss.
    pub epsilon: Epsilon,
    /// Its failure probability.
    pub delta: Delta,
    /// Whether it was asked for. If not, an account that exists keeps its own.
    pub stated: bool,
}

/// Where a data set's account is.
#[derive(Debug, Clone, Copy)]
pub struct Purse<'a> {
    /// Its file, made by the first release.
    pub path: &'a Path,
    /// Its limit.
    pub limit: Limit,
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

impl Purse<'_> {
    /// The stored answer to this request; or `collect` does the work that can fail, then the loss is paid, then what `collect` gave draws the noise.
    pub(super) fn answer<D: FnOnce() -> Result<String, TuneError>>(
        &self,
        request: &str,
        loss: Loss,
        collect: impl FnOnce() -> Result<D, TuneError>,
    ) -> Result<Paid, TuneError> {
        // An account that is not there is made by the release itself: work that fails or is interrupted leaves no trace.
        let mut opened = if self.path.exists() { Some(self.open()?) } else { None };
        match &mut opened {
            Some((account, limit)) => match peek(account, request) {
                Ok(text) => return Ok(Paid { text, stored: true, spent: account.spent(), limit: *limit }),
                Err(AccountError::Exhausted { .. }) if covers(account.spent(), loss, *limit) => {}
                Err(refused) => return Err(refused.into()),
            },
            None => {
                let (epsilon, delta) = (self.limit.epsilon, self.limit.delta);
                if !covers(None, loss, (epsilon, delta)) {
                    let spent = "it alone is larger, though nothing was spent yet".into();
                    return Err(AccountError::Exhausted { epsilon, delta, spent }.into());
                }
            }
        }
        let draw = collect()?;
        let (mut account, limit) = match opened {
            Some(opened) => opened,
            None => self.open()?,
        };
        let answer = account.answer(request, loss, draw)?;
        Ok(Paid { text: answer.text, stored: answer.stored, spent: account.spent(), limit })
    }

    fn open(&self) -> Result<(Account, (Epsilon, Delta)), AccountError> {
        let Limit { epsilon, delta, stated } = self.limit;
        let (epsilon, delta, account) = match Account::open(self.path, epsilon, delta) {
            Err(AccountError::OtherLimit { epsilon, delta }) if !stated => {
                (epsilon, delta, Account::open(self.path, epsilon, delta)?)
            }
            opened => (epsilon, delta, opened?),
        };
        Ok((account, (epsilon, delta)))
    }
}

/// The stored answer, or the account's words about its limit: a loss without a bound is never covered, so nothing can be paid here.
fn peek(account: &mut Account, request: &str) -> Result<String, AccountError> {
    let never = || Err(std::io::Error::other("nothing is drawn for a look at the account"));
    account.answer(request, Loss::Unbounded, never).map(|answer| answer.text)
}

/// Whether the loss fits beside what was spent. The account checks it again when it is paid.
fn covers(spent: Option<Loss>, loss: Loss, (epsilon, delta): (Epsilon, Delta)) -> bool {
    let losses: Vec<Loss> = spent.into_iter().chain([loss]).collect();
    match composition::sequential(&losses) {
        Some(Loss::Pure { epsilon: all }) => all <= epsilon,
        Some(Loss::Approximate { epsilon: all, delta: d }) => all <= epsilon && d <= delta,
        Some(Loss::Concentrated { .. }) | None => true,
        Some(Loss::Unbounded) => false,
    }
}
