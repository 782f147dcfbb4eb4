//! Everything that crosses the trust boundary, and nothing else.
//!
//! A spec is agreed on once and is public; a policy flows from the server to a device and is public; a report
//! is the only thing that leaves a device. Each is checked when it is built and by the same checks when it is
//! read. No report has a form for a raw record: a bit, or a symbol of a frequency oracle, is all it can
//! carry.

mod bytes;
pub mod contextual;
mod delivery;
pub mod mab;
mod policy_head;
pub mod pricing;
mod report;

pub use bytes::DecodeError;
pub use delivery::{NoReportId, Reason, ReportId};
pub use report::{Answer, Report};
