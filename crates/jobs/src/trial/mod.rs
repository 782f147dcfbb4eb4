//! Trials on tables of people: the plan's file, replays row by row, and the report of what was published.

mod finished;
mod plan_file;
pub mod replay;
pub mod report;

pub use finished::{PaidFinished, adjusted_plan, everyone, finished_plan, release_finished, release_moved};
pub use plan_file::plan_file;
pub(crate) use plan_file::quoted;
