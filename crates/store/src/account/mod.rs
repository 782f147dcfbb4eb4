//! What may still be learned from one data set: a curator's budget in a file.

mod error;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use error::AccountError;

use crate::accounts::as_pair;
use crate::journal::{Head, Journal, JournalError, JournalKind, Storage};
use reticent_privacy::{Delta, Epsilon, Loss, composition};

/// A data set's lifetime budget (epsilon, delta), spent by releases of any kind of loss.
///
/// A release is paid on the disk before its noise is drawn, and its answer is on the disk before it leaves.
/// The same request again gets the stored answer and costs nothing. What was paid and not answered, because
/// of a crash, stays spent.
///
/// Whoever puts an older copy of the file in its place can spend again what was spent since. That is noticed
/// by a caller who keeps the [`head`](Account::head) elsewhere, and by nobody else.
///
/// ```
/// use reticent_privacy::{Delta, Epsilon, Loss};
/// use reticent_store::Account;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("log.account");
/// let (one, small) = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let mut account = Account::open(&path, one, small)?;
/// let half = Loss::Pure { epsilon: Epsilon::new(0.5)? };
/// let first = account.answer("dose for 40 years", half, || Ok::<_, std::io::Error>("3.2".into()))?;
/// let retry = account.answer("dose for 40 years", half, || Ok::<_, std::io::Error>("2.9".into()))?;
/// assert_eq!((first.text.as_str(), retry.text.as_str(), retry.stored), ("3.2", "3.2", true));
/// let whole = Loss::Approximate { epsilon: one, delta: small };
/// assert!(account.answer("the whole function", whole, || Ok::<_, std::io::Error>(String::new())).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Account {
    log: Journal<Line>,
    epsilon: Epsilon,
    delta: Delta,
    paid: Vec<Loss>,
    /// Which payment each answer is for, in order.
    answered: Vec<(usize, String)>,
    answers: BTreeMap<String, String>,
}

/// Counts and limits: requests and answers may be about people.
impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shape = f.debug_struct("Account");
        shape.field("epsilon", &self.epsilon).field("delta", &self.delta);
        shape.field("paid", &self.paid.len()).field("answers", &self.answers.len()).finish_non_exhaustive()
    }
}

/// An answer, and whether it is one that was given before.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    /// What was released.
    pub text: String,
    /// Whether it was stored: then nothing was paid.
    pub stored: bool,
}

/// Without what was released: whoever prints it need not be whoever it was released to.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").field("stored", &self.stored).finish_non_exhaustive()
    }
}

/// A line of the file. It has no `Debug`, since it names requests.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Line {
    ReticentAccount { version: u32, epsilon: Epsilon, delta: Delta },
    Paid { loss: Loss },
    Answered { request: String, text: String },
}

/// Version 1, whose lines carry no checksum, is read, and goes on with lines that do.
const KIND: JournalKind = JournalKind { name: "reticent-account", version: 2 };

impl Account {
    /// Opens the account at `path`, or starts one with this limit.
    pub fn open(path: &Path, epsilon: Epsilon, delta: Delta) -> Result<Account, AccountError> {
        let (log, lines) = Journal::open(path, KIND)?;
        Account::replayed(log, lines, epsilon, delta)
    }

    /// Opens the account at `path` if it has come at least as far as `head`, which was kept elsewhere; an
    /// older copy is refused.
    pub fn open_not_older_than(
        path: &Path,
        epsilon: Epsilon,
        delta: Delta,
        head: Head,
    ) -> Result<Account, AccountError> {
        let (log, lines) = Journal::open_not_older_than(path, KIND, head)?;
        Account::replayed(log, lines, epsilon, delta)
    }

    /// The same in a storage of the caller's, which nobody else may write meanwhile.
    pub fn over(
        storage: impl Storage + 'static,
        epsilon: Epsilon,
        delta: Delta,
    ) -> Result<Account, AccountError> {
        let (log, lines) = Journal::over(storage, KIND, None)?;
        Account::replayed(log, lines, epsilon, delta)
    }

    fn replayed(
        mut log: Journal<Line>,
        lines: Vec<Line>,
        epsilon: Epsilon,
        delta: Delta,
    ) -> Result<Account, AccountError> {
        match lines.first() {
            None => log.append(&Line::ReticentAccount { version: KIND.version, epsilon, delta })?,
            Some(&Line::ReticentAccount { epsilon: e, delta: d, .. }) if (e, d) == (epsilon, delta) => {}
            Some(&Line::ReticentAccount { epsilon, delta, .. }) => {
                return Err(AccountError::OtherLimit { epsilon, delta });
            }
            Some(_) => return Err(JournalError::Corrupt { line: 1 }.into()),
        }
        let (paid, answered, answers) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut account = Account { log, epsilon, delta, paid, answered, answers };
        for (number, line) in lines.into_iter().enumerate().skip(1) {
            match line {
                Line::ReticentAccount { .. } => return Err(JournalError::Corrupt { line: number + 1 }.into()),
                Line::Paid { loss } => account.paid.push(loss),
                Line::Answered { request, text } => account.note(request, text),
            }
        }
        Ok(account)
    }

    /// The stored answer to this request, or a new one: paid for, drawn, stored, in this order.
    pub fn answer<E: std::error::Error + Send + Sync + 'static>(
        &mut self,
        request: &str,
        loss: Loss,
        draw: impl FnOnce() -> Result<String, E>,
    ) -> Result<Answer, AccountError> {
        if let Some(text) = self.answers.get(request) {
            return Ok(Answer { text: text.clone(), stored: true });
        }
        self.check(loss)?;
        self.log.append(&Line::Paid { loss })?;
        self.paid.push(loss);
        let text = draw().map_err(|error| AccountError::Draw(Box::new(error)))?;
        self.log.append(&Line::Answered { request: request.into(), text: text.clone() })?;
        self.note(request.into(), text.clone());
        Ok(Answer { text, stored: false })
    }

    fn note(&mut self, request: String, text: String) {
        self.answered.push((self.paid.len(), request.clone()));
        self.answers.insert(request, text);
    }

    /// Opens the account at `path` with the limit that it has; there must be one.
    pub fn reopen(path: &Path) -> Result<Account, AccountError> {
        let (log, lines) = Journal::open(path, KIND)?;
        match lines.first() {
            Some(&Line::ReticentAccount { epsilon, delta, .. }) => {
                Account::replayed(log, lines, epsilon, delta)
            }
            _ => Err(JournalError::Corrupt { line: 1 }.into()),
        }
    }

    /// Every payment, with the request and its answer if there is one.
    pub(crate) fn charges(&self) -> Vec<(Loss, Option<(String, String)>)> {
        let answer = |number: usize| {
            let (_, request) = self.answered.iter().find(|(paid, _)| *paid == number)?;
            Some((request.clone(), self.answers.get(request)?.clone()))
        };
        self.paid.iter().zip(1..).map(|(&loss, number)| (loss, answer(number))).collect()
    }

    /// The stored answer to this request, if there is one.
    pub fn stored(&self, request: &str) -> Option<&str> {
        self.answers.get(request).map(String::as_str)
    }

    /// The newest answer, if there is any.
    pub fn newest(&self) -> Option<&str> {
        self.answered.last().and_then(|(_, request)| self.stored(request))
    }

    /// Refuses a loss that the account does not cover, before any work is done for it.
    pub fn check(&self, loss: Loss) -> Result<(), AccountError> {
        if self.covers(loss) {
            return Ok(());
        }
        let (epsilon, delta) = (self.epsilon, self.delta);
        Err(AccountError::Exhausted { epsilon, delta, spent: self.spent_words() })
    }

    /// The same for an account that is yet to be made: nothing is written.
    pub fn check_new(epsilon: Epsilon, delta: Delta, loss: Loss) -> Result<(), AccountError> {
        let fits = as_pair(loss, delta).is_some_and(|(e, d)| e <= epsilon && d <= delta);
        let spent = || "it alone is larger, though nothing was spent yet".into();
        if fits { Ok(()) } else { Err(AccountError::Exhausted { epsilon, delta, spent: spent() }) }
    }

    /// How far the file has come: kept elsewhere, it tells an older copy.
    pub fn head(&self) -> Head {
        self.log.head()
    }

    /// The limit.
    pub fn limit(&self) -> (Epsilon, Delta) {
        (self.epsilon, self.delta)
    }

    /// What all releases cost together so far.
    pub fn spent(&self) -> Option<Loss> {
        composition::sequential(&self.paid)
    }

    fn spent_words(&self) -> String {
        match self.spent().map(|loss| as_pair(loss, self.delta)) {
            None => "nothing was spent yet".into(),
            Some(Some((epsilon, delta))) => format!("epsilon {epsilon} and delta {delta} are spent"),
            Some(None) => "what was spent has no bound".into(),
        }
    }

    fn covers(&self, loss: Loss) -> bool {
        let all = composition::sequential(&[self.paid.as_slice(), &[loss]].concat());
        let pair = all.and_then(|loss| as_pair(loss, self.delta));
        pair.is_some_and(|(epsilon, delta)| epsilon <= self.epsilon && delta <= self.delta)
    }
}

#[cfg(test)]
mod tests;
