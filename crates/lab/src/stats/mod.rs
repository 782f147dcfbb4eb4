//! Means that come with their spread, and a test for paired differences.

mod signed_rank;
mod summary;

pub use signed_rank::{SignedRank, wilcoxon_signed_rank};
pub use summary::Summary;
