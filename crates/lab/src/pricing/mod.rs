//! Offline pricing under covariate shift in simulation: prices are learned from a log of one market and used in another (Mun, Xu and Fan 2025).

pub mod market;
