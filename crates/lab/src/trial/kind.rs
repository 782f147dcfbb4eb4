//! The designs of adaptive trials, by name.

use reticent_baselines::conse::{Conse, ConseError, Design};
use reticent_curate::trial::{Plan, SpecError, TrialSpec};
use reticent_learn::mab::Source;
use reticent_privacy::{Epsilon, Guarantee};

/// A design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Ours.
    PrivateTrial,
    /// Algorithm 2 of the paper.
    DpConse,
    /// Algorithm 1 of the paper.
    Conse,
}

/// A design that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum KindError {
    /// Ours.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The paper's.
    #[error(transparent)]
    Conse(#[from] ConseError),
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::PrivateTrial, Kind::DpConse, Kind::Conse];
    /// The one to use.
    pub const DEFAULT: Kind = Kind::PrivateTrial;

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::PrivateTrial => "private-trial",
            Kind::DpConse => "dp-conse",
            Kind::Conse => "conse",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            Kind::PrivateTrial => {
                "one noisy table an epoch, ended at public times; Thompson chances above a floor; intervals with the noise in them"
            }
            Kind::DpConse => {
                "the paper's Algorithm 2; it leaks more than it claims (crates/baselines/src/conse/guarantee.md)"
            }
            Kind::Conse => {
                "the paper's Algorithm 1: elimination in the first half, randomisation in the second"
            }
        }
    }

    /// Where it comes from. `dp-conse` is faithful, and not private all the same.
    pub fn source(self) -> Source {
        match self {
            Kind::PrivateTrial => Source::Ours,
            Kind::DpConse => Source::Faithful,
            Kind::Conse => Source::Baseline,
        }
    }

    /// What it promises.
    pub fn guarantee(self, epsilon: Epsilon) -> Result<Guarantee, KindError> {
        let design = Design { people: 1000, features: 1, alpha: 0.5 };
        Ok(match self {
            Kind::PrivateTrial => {
                TrialSpec::new(Plan::simple("guarantee", 1000, epsilon.value()))?.guarantee()
            }
            Kind::DpConse => Conse::private(design, epsilon)?.guarantee(),
            Kind::Conse => Conse::new(design)?.guarantee(),
        })
    }
}
