//! What a privacy guarantee is and how noise is made.
//!
//! This crate knows no bandit. It has the loss arithmetic ([`Epsilon`], [`Delta`]), guarantees as data
//! ([`Guarantee`]), a person's lifetime budget ([`Ledger`]), the two generators ([`NoiseRng`], [`SimRng`]),
//! exact samplers ([`exact`]), the mechanisms made of them ([`mechanism`]) and frequency oracles over many
//! symbols ([`oracle`]). Each mechanism and oracle has its proof in a `guarantee.md` beside its code, and the
//! crate `reticent-audit` measures what any of them leaks.

mod clipped;
pub mod composition;
pub mod exact;
pub mod forged;
mod guarantee;
mod ledger;
mod loss;
pub mod mechanism;
pub mod oracle;
mod rng;
#[cfg(test)]
mod testing;

pub use clipped::{
    Clipped, ClippedSum, Grid, GridError, Neighbours, NotFinite, Scores, ScoresError, SumOverflow, UnitGrid,
    VectorError, VectorSum,
};
pub use guarantee::{Guarantee, Loss, Noise, Promise, TrustModel};
pub use ledger::{Exhausted, Ledger, Paid};
pub use loss::{Delta, Epsilon, LossError, Rho};
pub use rng::{EntropyError, Generator, NoiseRng, Provenance, ScriptedRng, SimRng, SimSeed, Stream};
