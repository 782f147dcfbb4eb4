//! `private-pricing`: a price for each context from a privatised log, for a market that may look different.
//!
//! Every report is a linear observation of two functions, where records are and how often their outcome was
//! good. A smooth posterior joins the questions of all resolutions. Prices are chosen by what they surely gain
//! over one price for everybody; a band that holds for all contexts and prices at once is what is promised. All
//! of it is post-processing of the reports: the guarantee is the channel's, in `guarantee.md`.

mod answers;
mod axes;
mod band;
mod basis;
mod compare;
mod density;
mod fit;
mod follows;
mod forged;
mod gaps;
mod gathered;
mod objective;
mod overlap;
mod policy;
mod rising;
mod shape;
mod system;
mod tally;
#[cfg(test)]
mod tests;
mod value;

pub use fit::{FitError, Fitted, fit};
pub use forged::{FALSE_ALARMS, Sign, signs};
pub use objective::{Earns, MAX_PRICES, Objective, ObjectiveError};
pub use overlap::Overlap;
pub use policy::{Choice, Learned, Policy, PolicyError, Quote, RuledPolicy, Rules, RulesError};
pub use tally::{Tally, TallyError};
pub use value::Value;
