//! The designs of adaptive trials, by name.

use std::error::Error;

use reticent_baselines::conse::{Conse, Design};
use reticent_curate::trial::{Draft, TrialSpec};
use reticent_privacy::{Epsilon, Guarantee};

use crate::named::{Named, Origin};

/// A design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesignName {
    /// Ours.
    PrivateTrial,
    /// Algorithm 2 of the paper.
    DpConse,
    /// Algorithm 1 of the paper.
    Conse,
}

impl Named for DesignName {
    const ALL: &'static [DesignName] = &[DesignName::PrivateTrial, DesignName::DpConse, DesignName::Conse];
    const DEFAULT: DesignName = DesignName::PrivateTrial;

    fn name(self) -> &'static str {
        match self {
            DesignName::PrivateTrial => "private-trial",
            DesignName::DpConse => "dp-conse",
            DesignName::Conse => "conse",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            DesignName::PrivateTrial => {
                "one noisy table an epoch, ended at public times; Thompson chances above a floor; intervals with the noise in them"
            }
            DesignName::DpConse => {
                "the paper's Algorithm 2; it leaks more than it claims (crates/baselines/src/conse/guarantee.md)"
            }
            DesignName::Conse => {
                "the paper's Algorithm 1: elimination in the first half, randomisation in the second"
            }
        }
    }

    /// `dp-conse` is faithful, and not private all the same.
    fn origin(self) -> Origin {
        match self {
            DesignName::PrivateTrial => Origin::Ours,
            DesignName::DpConse => Origin::Faithful,
            DesignName::Conse => Origin::Baseline,
        }
    }

    fn guarantee(self, epsilon: Epsilon) -> Result<Guarantee, Box<dyn Error + Send + Sync>> {
        let design = Design { people: 1000, features: 1, alpha: 0.5 };
        Ok(match self {
            DesignName::PrivateTrial => {
                TrialSpec::new(Draft::simple("guarantee", 1000, epsilon.value()))?.guarantee()
            }
            DesignName::DpConse => Conse::private(design, epsilon)?.guarantee(),
            DesignName::Conse => Conse::new(design)?.guarantee(),
        })
    }
}
