//! Files of offline pricing: a table of sales becomes a privatised log, and logs become counts. Memory does
//! not grow with either.
//!
//! A market file ([`read_market`]) says what the table's columns mean. [`Privatise`] plays the part of the
//! people's devices for a shop that has a raw log: each row becomes one report. [`count`] is the server's
//! side: it needs the privatised logs alone.

mod count;
mod error;
mod market_file;
mod paid;
pub mod policy;
mod privatise;
mod rows;
#[cfg(test)]
mod tests;

pub use count::count;
pub use error::PricingFileError;
pub use market_file::{EXAMPLE, Market, MarketError, OutcomeKind, read_market};
pub use privatise::{Privatise, Privatised};
