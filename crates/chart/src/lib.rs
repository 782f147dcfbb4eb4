//! Charts as SVG and PNG, and self-contained HTML pages: no network, no script, the same bytes for the same data.
//!
//! This crate knows no other crate of Reticent: it draws what it is given.

pub mod numbers;
pub mod page;
pub mod plot;
