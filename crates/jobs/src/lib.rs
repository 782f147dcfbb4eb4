//! The analyst's and the curator's work on files. **This crate reads raw rows and draws real noise**:
//! whatever leaves it is either released under an account, privatised row by row, or computed from what was
//! published. It has its own review line.
//!
//! - [`experiment_file`]: the public document of an experiment, as TOML or JSON
//! - [`account`]: what a release from a table costs, and paying for it
//! - [`columns`]: the one reader of raw tables (CSV, gzip, Parquet), streamed
//! - [`plan_text`]: plans as people write them, and what is wrong with them
//! - [`tune`]: the best action for each context, released from a log under a data set's account
//! - [`price`]: a table of sales becomes a privatised log; logs become policies, quotes and values
//! - [`trial`]: a trial on a table of people, its plan's file and its report
//! - [`begin`]: a plan that is begun from the names in a table's header
//! - [`plan`]: a plan of any kind that reads tables
//! - [`check`]: whether a file that was published by one of these is sound, and private
//!
//! No message repeats a value of a row: places are named, values never.

pub mod account;
pub mod begin;
pub mod check;
pub mod columns;
pub mod experiment_file;
pub mod plan;
pub mod plan_text;
pub mod price;
mod progress;
pub mod trial;
pub mod tune;

pub use progress::{Progress, Silent};
