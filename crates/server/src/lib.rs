//! The decision service: reports in, policies out, over HTTP, on a store that survives.
//!
//! A server is not trusted: devices privatise what they send (local kinds). For trials and tuning it is the curator's
//! own machine (central kinds). Everything that was acknowledged survives a crash; everything that is retried happens
//! once.

mod central;
mod clock;
mod fold;
mod guarantee;
pub mod http;
mod keys;
mod learner;
mod log;
mod page;
pub mod run;
mod service;
pub mod store;

pub use clock::SharedClock;
pub use fold::{Fold, FoldError, Step};
pub use keys::{Allowed, KeyBook, NewKey, Secret};
pub use learner::{Insight, Known, Learner, LearnerError, Policy, Refusals};
pub use log::{Log, Said};
pub use service::{
    Action, CreateError, Exported, MOST_REPORTS, Received, Seat, Service, StartError, TransferError,
    Unreadable, UploadError, View, read_bytes, read_json,
};
