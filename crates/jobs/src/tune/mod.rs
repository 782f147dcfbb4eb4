//! Tuning an action on a log of what people were given and what came of it, under central differential privacy.
//!
//! A plan ([`read_plan`]) is public. [`Fit`] reads a log twice, pays a data set's account and releases the
//! whole function once; [`Once`] releases one action for one context instead. [`Function`] reads what was
//! released: predictions cost nothing more.

mod action;
mod ask;
mod chart;
mod draw;
mod error;
mod example;
mod fit;
mod forecast;
mod function;
mod lengths;
mod log;
mod once;
mod plan;
mod request;
mod sample;
mod table;
#[cfg(test)]
mod tests;
mod warnings;

#[cfg(test)]
pub(crate) use action::Choice;
pub use action::{ActionError, ChosenAction};
pub use ask::ask;
pub use chart::charts;
pub use draw::draw_actions;
pub use error::TuneError;
pub use example::EXAMPLE;
pub use fit::{Fit, Fitted};
pub use forecast::{Forecast, forecast};
pub(crate) use function::{FORMAT, VERSION};
pub use function::{Function, Prediction};
pub use lengths::{Pilot, public_lengths};
pub use log::{Counted, Log, layout};
pub use once::{Chosen, Once};
pub use plan::{Plan, read_plan};
pub use sample::read_sample;
pub use table::write_table;
pub use warnings::warnings;
