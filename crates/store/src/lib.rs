//! What survives a crash, and what is either whole or not there.
//!
//! [`Journal`]: a file of lines that only grows, whose [`Head`] tells an older copy. [`DurableLedger`]: one
//! person's lifetime budget on it. [`Account`]: a data set's budget on it; [`accounts`]:
//! those of all of a curator's data sets, found by what the data are. [`Form`]: what a stored document
//! says it is. [`files`]: whole files, written beside their final name and renamed; [`Claim`]: the place of one, taken
//! before the work. [`Clock`]: what time it is, for journals that say when. [`guard`]: libraries that panic at damaged
//! files.

mod account;
pub mod accounts;
mod claim;
mod clock;
mod document;
pub mod files;
mod fingerprint;
pub mod guard;
mod hex;
mod journal;
mod ledger;

pub use account::{Account, AccountError, Answer};
pub use claim::{Claim, ClaimError};
pub use clock::{Clock, Moment, NoMoment, SystemClock};
pub use document::{DocumentError, Form};
pub use fingerprint::Fingerprint;
pub use journal::{Head, Journal, JournalError, JournalKind, Memory, NoHead, Storage};
pub use ledger::{Attempt, DurableLedger, LedgerError, Reservation};
