//! The kernel bandits, by name.

use std::error::Error;

use reticent_privacy::{Epsilon, Guarantee};

use crate::catalogue;
use crate::named::{Named, Origin};

/// An agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodName {
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

impl Named for MethodName {
    const ALL: &'static [MethodName] = &[
        MethodName::PrivateKernel,
        MethodName::PrivateKernelOnce,
        MethodName::Usca,
        MethodName::Dubey,
        MethodName::GpMean,
        MethodName::GpUcb,
    ];
    const DEFAULT: MethodName = MethodName::PrivateKernel;

    fn name(self) -> &'static str {
        match self {
            MethodName::PrivateKernel => "private-kernel",
            MethodName::PrivateKernelOnce => "private-kernel-once",
            MethodName::Usca => "usca",
            MethodName::Dubey => "dubey",
            MethodName::GpMean => "gp-mean",
            MethodName::GpUcb => "gp-ucb",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            MethodName::PrivateKernel => {
                "the whole function released once, here (ε, 1e-6)-DP; predictions with bands, as many as one likes"
            }
            MethodName::PrivateKernelOnce => "one action for one context by permute-and-flip; each costs ε",
            MethodName::Usca => {
                "the paper's Algorithm 1: one action for one context by the exponential mechanism; each costs ε"
            }
            MethodName::Dubey => {
                "after Dubey 2021: noisy second moments of Fourier features, here (ε, 1e-6)-DP; squared exponential kernels"
            }
            MethodName::GpMean => "the posterior mean of a Gaussian process",
            MethodName::GpUcb => {
                "the action that could be best (Srinivas et al. 2010), chosen while it learns"
            }
        }
    }

    fn origin(self) -> Origin {
        match self {
            MethodName::PrivateKernel | MethodName::PrivateKernelOnce => Origin::Ours,
            MethodName::Usca | MethodName::Dubey => Origin::Faithful,
            MethodName::GpMean | MethodName::GpUcb => Origin::Baseline,
        }
    }

    fn guarantee(self, epsilon: Epsilon) -> Result<Guarantee, Box<dyn Error + Send + Sync>> {
        match self.origin() {
            Origin::Baseline => Ok(Guarantee::none("one person's context and reward")),
            _ => Ok(catalogue::find(self.name())?.guarantee(epsilon)?),
        }
    }
}
