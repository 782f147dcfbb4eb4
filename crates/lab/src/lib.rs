//! Simulated worlds, the runner, the papers' figures and tables, the catalogue of everything that makes a
//! claim, and the tour.
//!
//! Experiments run the production path: device code makes each report and the agent reads it. Only the
//! generators are seeded, so **everything here is marked "simulation, not private"**, but for two things: the
//! catalogue also runs mechanisms and agents with real noise, on inputs that its caller names, for audits and
//! for `reticent report`; and made-up people who [`play`] with a running service have real devices. Work on
//! people's files is in `reticent-jobs`; what is only compared with is in `reticent-baselines`.
//!
//! [`runner`] and [`mab`] say how to run an experiment or an agent of one's own.

pub mod audit;
pub mod best_arm;
pub mod catalogue;
pub mod clock;
pub mod conse;
pub mod contextual;
pub mod forged;
pub mod kernel;
pub mod mab;
pub mod named;
pub mod play;
pub mod pricing;
pub mod reproduce;
pub mod runner;
pub mod stats;
pub mod tour;
pub mod trial;
