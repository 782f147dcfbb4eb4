//! Means and shares that come with their spread, and a test for paired differences.

mod share;
mod signed_rank;
mod summary;

pub(crate) use share::arm_shares;
pub use share::share_interval;
pub use signed_rank::{SignedRank, wilcoxon_signed_rank};
pub use summary::Summary;
