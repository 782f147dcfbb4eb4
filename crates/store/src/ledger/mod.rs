//! A budget that survives a crash: spend first, then answer, and answer the same request once.

mod error;
mod log;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::hex::{from_hex, to_hex};
use crate::journal::{Head, Journal, JournalError, Storage};
pub use error::LedgerError;
use log::{Amount, KIND, Line};
use reticent_privacy::{Epsilon, Ledger, Paid};

/// A person's lifetime budget in a file.
///
/// Each answer takes three steps: *reserve* (the charge is on the disk), *answer* (the noise is drawn),
/// *commit* (the answer is on the disk, and only now leaves). A retry gets the stored answer and costs
/// nothing. A reservation without an answer, left by a crash, stays spent: a retry then pays again.
///
/// Whoever puts an older copy of the file in its place can spend again what was spent since. That is noticed
/// by a caller who keeps the [`head`](DurableLedger::head) elsewhere, and by nobody else.
///
/// ```
/// use reticent_privacy::Epsilon;
/// use reticent_privacy::mechanism::{Mechanism, RandomisedResponse};
/// use reticent_store::DurableLedger;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("budget");
/// let epsilon = Epsilon::new(0.5)?;
/// let channel = RandomisedResponse::new(epsilon);
/// let mut ledger = DurableLedger::open(&path, Epsilon::new(1.0)?)?;
/// let first = ledger.answer("survey-7", epsilon, |_paid| Ok(vec![channel.release(true)?.into()]))?;
/// let retry = ledger.answer("survey-7", epsilon, |_paid| Ok(vec![channel.release(true)?.into()]))?;
/// assert_eq!(first, retry, "the same noise, paid once");
/// assert_eq!(ledger.left_nano(), 500_000_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DurableLedger {
    log: Journal<Line>,
    budget: Ledger,
    requests: BTreeMap<String, Entry>,
    reservations: u64,
    /// What was spent, by what a request's name says before its first slash.
    spent: BTreeMap<String, u64>,
    /// Tells this ledger's reservations from those of another, or of this file opened before.
    identity: Arc<()>,
}

/// Counts and limits: requests and answers are a person's.
impl fmt::Debug for DurableLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shape = f.debug_struct("DurableLedger");
        shape.field("budget", &self.budget).field("requests", &self.requests.len());
        shape.field("orphans", &self.orphans()).finish_non_exhaustive()
    }
}

struct Entry {
    cost: Amount,
    /// The number of the last reservation: only its answer counts.
    serial: u64,
    answer: Option<Vec<u8>>,
}

/// What a reservation found.
pub enum Attempt {
    /// The request was answered before: this is that answer, and nothing was charged.
    Stored(Vec<u8>),
    /// The charge is on the disk: draw the answer for this receipt, and commit it.
    Reserved(Paid, Reservation),
}

/// Which of the two it is: an answer is a person's.
impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attempt::Stored(_) => f.write_str("Stored(..)"),
            Attempt::Reserved(charge, _) => f.debug_tuple("Reserved").field(charge).finish_non_exhaustive(),
        }
    }
}

/// A charge that is on the disk and waits for its answer. Dropped without a commit, it stays spent. It has no
/// clone, and neither has an [`Attempt`]: one charge, one answer.
///
/// ```compile_fail
/// fn twice<T: Clone>() {}
/// twice::<reticent_store::Reservation>();
/// ```
/// ```compile_fail
/// fn twice<T: Clone>() {}
/// twice::<reticent_store::Attempt>();
/// ```
/// ```
/// fn once<T: std::fmt::Debug>() {}
/// once::<reticent_store::Reservation>(); // it is the `Clone` above that does not compile
/// once::<reticent_store::Attempt>();
/// ```
#[must_use = "the loss is spent: draw the answer and commit it"]
pub struct Reservation {
    request: String,
    serial: u64,
    ledger: Arc<()>,
}

/// Without the request's name.
impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reservation").field("serial", &self.serial).finish_non_exhaustive()
    }
}

/// What a caller's closure may fail with.
type DrawError = Box<dyn std::error::Error + Send + Sync>;

impl DurableLedger {
    /// Opens the ledger at `path`, or starts one with the lifetime budget `limit`. A file of version 1 goes
    /// on with the limit it has, which was rounded down to whole micro-epsilon.
    pub fn open(path: &Path, limit: Epsilon) -> Result<DurableLedger, LedgerError> {
        let (log, lines) = Journal::open(path, KIND)?;
        DurableLedger::replayed(log, lines, limit)
    }

    /// Opens the ledger at `path` if it has come at least as far as `head`, which was kept elsewhere; an
    /// older copy is refused.
    pub fn open_not_older_than(
        path: &Path,
        limit: Epsilon,
        head: Head,
    ) -> Result<DurableLedger, LedgerError> {
        let (log, lines) = Journal::open_not_older_than(path, KIND, head)?;
        DurableLedger::replayed(log, lines, limit)
    }

    /// The ledger in a storage of the caller's: a browser's, a phone's, or memory. No other process may use it
    /// meanwhile; `head`, if it was kept elsewhere, tells an older copy.
    pub fn over(
        storage: impl Storage + 'static,
        limit: Epsilon,
        head: Option<Head>,
    ) -> Result<DurableLedger, LedgerError> {
        let (log, lines) = Journal::over(storage, KIND, head)?;
        DurableLedger::replayed(log, lines, limit)
    }

    fn replayed(
        mut log: Journal<Line>,
        lines: Vec<Line>,
        limit: Epsilon,
    ) -> Result<DurableLedger, LedgerError> {
        let budget = if let Some(first) = lines.first() {
            Ledger::of_nano(stored_limit(first, limit)?)
        } else {
            let limit_nano = Some(limit.nano());
            log.append(&Line::ReticentLedger { version: KIND.version, limit_micro: None, limit_nano })?;
            Ledger::new(limit)
        };
        let (requests, spent, identity) = (BTreeMap::new(), BTreeMap::new(), Arc::new(()));
        let mut ledger = DurableLedger { log, budget, requests, reservations: 0, spent, identity };
        for (number, line) in lines.into_iter().enumerate().skip(1) {
            ledger.replay(line).ok_or(JournalError::Corrupt { line: number + 1 })?;
        }
        Ok(ledger)
    }

    /// The three steps in one: returns the stored answer, or pays, draws, stores and returns a new one.
    pub fn answer(
        &mut self,
        request: &str,
        epsilon: Epsilon,
        draw: impl FnOnce(Paid) -> Result<Vec<u8>, DrawError>,
    ) -> Result<Vec<u8>, LedgerError> {
        match self.reserve(request, epsilon)? {
            Attempt::Stored(answer) => Ok(answer),
            Attempt::Reserved(charge, reservation) => {
                let answer = draw(charge).map_err(LedgerError::Draw)?;
                self.commit(reservation, answer)
            }
        }
    }

    /// Step one: the stored answer, or a charge that is on the disk when this returns.
    pub fn reserve(&mut self, request: &str, epsilon: Epsilon) -> Result<Attempt, LedgerError> {
        if request.is_empty() || request.len() > 256 {
            return Err(LedgerError::Name);
        }
        match self.requests.get(request) {
            Some(entry) if !entry.cost.is_charge(epsilon) => return Err(LedgerError::OtherLoss),
            Some(Entry { answer: Some(answer), .. }) => return Ok(Attempt::Stored(answer.clone())),
            _ => {}
        }
        let charge = self.budget.charge(epsilon)?;
        let nano = Some(epsilon.nano());
        self.log.append(&Line::Reserve { request: request.to_string(), micro: None, nano })?;
        let serial = self.enter(request.to_string(), Amount::Nano(epsilon.nano()), epsilon);
        let ledger = Arc::clone(&self.identity);
        Ok(Attempt::Reserved(charge, Reservation { request: request.to_string(), serial, ledger }))
    }

    /// Step three: the answer is on the disk when this returns, and may leave.
    pub fn commit(&mut self, reservation: Reservation, answer: Vec<u8>) -> Result<Vec<u8>, LedgerError> {
        let Reservation { request, serial, ledger } = reservation;
        let awaited = |entry: &&mut Entry| entry.serial == serial && entry.answer.is_none();
        let entry =
            self.requests.get_mut(&request).filter(awaited).filter(|_| Arc::ptr_eq(&ledger, &self.identity));
        let entry = entry.ok_or(LedgerError::Stale)?;
        self.log.append(&Line::Commit { request, answer: to_hex(&answer) })?;
        entry.answer = Some(answer.clone());
        Ok(answer)
    }

    /// The answer that was stored for this request, if there is one.
    pub fn stored(&self, request: &str) -> Option<&[u8]> {
        self.requests.get(request)?.answer.as_deref()
    }

    /// How far the file has come: kept elsewhere, it tells an older copy.
    pub fn head(&self) -> Head {
        self.log.head()
    }

    /// What is left, in nano-epsilon.
    pub fn left_nano(&self) -> u64 {
        self.budget.left_nano()
    }

    /// What was spent, in nano-epsilon, orphaned reservations included.
    pub fn spent_nano(&self) -> u64 {
        self.budget.spent_nano()
    }

    /// What each group of requests has spent, in nano-epsilon, orphaned reservations included. A group is what its
    /// requests' names say before their first slash: for devices the experiment's digest.
    pub fn spent_by_group(&self) -> &BTreeMap<String, u64> {
        &self.spent
    }

    /// Reservations without an answer: left by a crash or an error, or still waiting for theirs.
    pub fn orphans(&self) -> u64 {
        let answered = self.requests.values().filter(|entry| entry.answer.is_some()).count();
        self.reservations - answered as u64
    }

    /// Notes a reservation and returns its number.
    fn enter(&mut self, request: String, cost: Amount, charged: Epsilon) -> u64 {
        self.reservations += 1;
        let group = request.split('/').next().unwrap_or_default();
        *self.spent.entry(group.to_string()).or_default() += charged.nano();
        self.requests.insert(request, Entry { cost, serial: self.reservations, answer: None });
        self.reservations
    }

    /// Applies a line of the file; `None` if it cannot follow what came before.
    fn replay(&mut self, line: Line) -> Option<()> {
        match line {
            Line::ReticentLedger { .. } => None,
            Line::Reserve { request, micro, nano } => {
                let cost = Amount::of(micro, nano)?;
                let charged = Epsilon::from_nano(cost.nano()?).ok()?;
                let _receipt = self.budget.charge(charged).ok()?;
                let answered = self.requests.get(&request).is_some_and(|entry| entry.answer.is_some());
                self.enter(request, cost, charged);
                (!answered).then_some(())
            }
            Line::Commit { request, answer } => {
                let entry = self.requests.get_mut(&request).filter(|entry| entry.answer.is_none())?;
                entry.answer = Some(from_hex(&answer)?);
                Some(())
            }
        }
    }
}

/// The limit in a file's first line, in nano-epsilon, if it is the one asked for.
fn stored_limit(first: &Line, asked: Epsilon) -> Result<u64, LedgerError> {
    let damaged = JournalError::Corrupt { line: 1 };
    let &Line::ReticentLedger { version, limit_micro, limit_nano } = first else {
        return Err(damaged.into());
    };
    let fits = |limit: &Amount| matches!((version, limit), (1, Amount::Micro(_)) | (2, Amount::Nano(_)));
    let limit = Amount::of(limit_micro, limit_nano).filter(fits);
    let (limit, stored_nano) = limit.and_then(|limit| Some((limit, limit.nano()?))).ok_or(damaged)?;
    if limit.is_limit(asked) {
        Ok(stored_nano)
    } else {
        Err(LedgerError::OtherLimit { stored_nano, asked_nano: asked.nano() })
    }
}

#[cfg(test)]
mod tests;
