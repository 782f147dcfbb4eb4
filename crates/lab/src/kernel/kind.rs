//! The kernel bandits, by name.

use reticent_learn::mab::Source;
use reticent_privacy::{Epsilon, Guarantee};

use crate::catalogue::{self, CatalogueError};

/// An agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Ours.
    PrivateKernel,
    /// Ours, for one prediction.
    PrivateKernelOnce,
    /// Algorithm 1 of the paper.
    Usca,
    /// The private agent that the paper compares with.
    Dubey,
    /// The posterior mean.
    GpMean,
    /// The bandit without privacy.
    GpUcb,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] =
        [Kind::PrivateKernel, Kind::PrivateKernelOnce, Kind::Usca, Kind::Dubey, Kind::GpMean, Kind::GpUcb];
    /// The one to use.
    pub const DEFAULT: Kind = Kind::PrivateKernel;

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::PrivateKernel => "private-kernel",
            Kind::PrivateKernelOnce => "private-kernel-once",
            Kind::Usca => "usca",
            Kind::Dubey => "dubey",
            Kind::GpMean => "gp-mean",
            Kind::GpUcb => "gp-ucb",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            Kind::PrivateKernel => {
                "the whole function released once, here (ε, 1e-6)-DP; predictions with bands, as many as one likes"
            }
            Kind::PrivateKernelOnce => "one action for one context by permute-and-flip; each costs ε",
            Kind::Usca => {
                "the paper's Algorithm 1: one action for one context by the exponential mechanism; each costs ε"
            }
            Kind::Dubey => {
                "after Dubey 2021: noisy second moments of Fourier features, here (ε, 1e-6)-DP; squared exponential kernels"
            }
            Kind::GpMean => "the posterior mean of a Gaussian process",
            Kind::GpUcb => "the action that could be best (Srinivas et al. 2010), chosen while it learns",
        }
    }

    /// Where it comes from.
    pub fn source(self) -> Source {
        match self {
            Kind::PrivateKernel | Kind::PrivateKernelOnce => Source::Ours,
            Kind::Usca | Kind::Dubey => Source::Faithful,
            Kind::GpMean | Kind::GpUcb => Source::Baseline,
        }
    }

    /// What it promises.
    pub fn guarantee(self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        match self.source() {
            Source::Baseline => Ok(Guarantee::none("one person's context and reward")),
            _ => catalogue::find(self.name())?.guarantee(epsilon),
        }
    }
}
