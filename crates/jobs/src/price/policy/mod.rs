//! Policies in files: learned from privatised logs, asked for prices, valued by other logs. All of it is
//! post-processing of reports and costs no privacy.
//!
//! [`FitLogs`] makes a policy, [`write_quotes`] and [`ask`] use it, [`Evaluate`] says what it is worth by
//! logs that it was not learned from, [`charts`] draws it.

mod ask;
mod chart;
mod contexts;
mod error;
mod evaluate;
mod fit;
mod prices;
mod quotes;
mod report;
mod rounding;
mod ruled;
mod sources;
mod stored;
#[cfg(test)]
mod tests;
mod wish;
mod worth;

pub use ask::ask;
pub use chart::charts;
pub use contexts::{Target, read_target};
pub use error::PolicyFileError;
pub use evaluate::{Evaluate, Evaluation};
pub use fit::{FitLogs, FittedLogs};
pub use prices::{EvaluatePrices, PricesEvaluation};
pub use quotes::{QuotesWritten, write_quotes, write_quotes_blind};
pub use report::report_page;
pub use rounding::{Decimal, Rounding};
pub use ruled::{Asked, Kept, RuleCost};
pub use sources::{LogMark, Source};
pub(crate) use stored::{FORMAT, VERSION, parse_policy};
pub use stored::{PricePolicy, is_log, read_policy, write_policy};
pub use wish::{Wish, earned};
pub use worth::{Single, Worth};
