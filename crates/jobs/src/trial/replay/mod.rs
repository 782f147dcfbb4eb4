//! A trial on a table of people, who arrive row by row.
//!
//! A table of potential outcomes shows how everyone would fare on each arm. A randomised table shows one arm
//! a person: where the trial's coin falls on another, the outcome is missing. Nobody is skipped, so that the
//! number and order of enrolments are public and the trial's guarantee covers the people of the table.

mod error;
mod file;
mod moved;
mod order;
mod paid;
mod reference;
mod run;
mod table;
#[cfg(test)]
mod tests;

pub use error::ReplayError;
pub use file::{Shown, TrialFile};
pub use moved::Moved;
pub use order::{Drawn, Order};
pub(crate) use paid::text;
pub use paid::{PaidReplay, Seen};
pub use reference::{Reference, plain_reference, reference};
pub use run::{replay, replay_durably};
pub use table::{Table, layout};
