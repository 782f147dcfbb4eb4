//! Prices learnt from logged sales by a curator who sees them all.

pub mod nw_lcb;
