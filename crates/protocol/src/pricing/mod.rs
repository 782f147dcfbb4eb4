//! Offline pricing from a privatised log: what all parties agree on, what a record becomes, and the file that
//! holds many.

mod channel;
mod design;
mod document;
pub mod log;
mod prices;
mod report;
mod spec;
mod table;
mod terms;
#[cfg(test)]
mod tests;

pub use channel::{Channel, Question, QuestionError};
pub use design::designed;
pub use document::terms_of;
pub use prices::{MAX_POINTS, Prices, PricesError};
pub use report::{Report, ReportError};
pub use spec::{MAX_QUESTIONS, Spec, SpecError};
pub use table::{MAX_TABLE, Table, TableError};
pub use terms::{MAX_FINEST, Terms, TermsError};
