//! Environments, the runner, the papers' figures and tables, plots and reports.
//!
//! Experiments run the production path: device code makes each report and the agent reads it. Only the generators are
//! seeded, so everything here is marked "simulation, not private".

pub mod audit;
pub mod bounds;
pub mod catalogue;
pub mod clock;
pub mod conse;
pub mod contextual;
pub mod env;
pub mod kernel;
pub mod pricing;
pub mod reproduce;
pub mod simulate;
pub mod stats;
pub mod tour;
pub mod trial;
