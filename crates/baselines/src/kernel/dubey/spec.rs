//! What is public before the first person comes.

use reticent_privacy::exact::VarianceError;
use reticent_privacy::{Loss, Rho, VectorError};

use reticent_curate::kernel::{Kernel, Singular};

/// The parameters of the private bandit.
#[derive(Debug, Clone, PartialEq)]
pub struct DubeySpec {
    /// A squared exponential kernel, or a product of such.
    pub kernel: Kernel,
    /// Quadrature nodes for each input; there are nodes^inputs features.
    pub nodes: usize,
    /// How many people will come: public.
    pub people: usize,
    /// In how many batches: the most releases there are.
    pub batches: usize,
    /// What all releases may cost together: approximate or concentrated.
    pub loss: Loss,
    /// The ridge, as the variance of the rewards' noise.
    pub tau: f64,
    /// The probability that a bound fails, at each release.
    pub failure: f64,
    /// What the width of confidence bounds is multiplied by; 1 is the theory's, too wide for play.
    pub factor: f64,
}

impl DubeySpec {
    /// The settings that a caller may well leave: 64 batches, bounds that fail once in a hundred, a tenth of
    /// the theory's width.
    pub fn new(kernel: Kernel, nodes: usize, people: usize, loss: Loss, tau: f64) -> DubeySpec {
        DubeySpec { kernel, nodes, people, batches: 64, loss, tau, failure: 0.01, factor: 0.1 }
    }

    /// Checks all but the kernel, and gives the loss of all releases.
    pub(super) fn check(&self) -> Result<Rho, DubeyError> {
        if self.people == 0 || self.batches == 0 || self.batches > self.people {
            return Err(DubeyError::Batches { people: self.people, batches: self.batches });
        }
        // Each also refuses what is not a number.
        if !(self.tau > 0.0 && self.tau.is_finite()) {
            return Err(DubeyError::Tau { got: self.tau });
        }
        if !(self.failure > 0.0 && self.failure < 1.0) {
            return Err(DubeyError::Failure { got: self.failure });
        }
        if !(0.0..f64::INFINITY).contains(&self.factor) {
            return Err(DubeyError::Factor { got: self.factor });
        }
        match self.loss {
            Loss::Concentrated { rho } => Ok(rho),
            Loss::Approximate { epsilon, delta } => Rho::within(epsilon, delta).ok_or(DubeyError::Loss),
            Loss::Pure { .. } | Loss::Unbounded => Err(DubeyError::Loss),
        }
    }

    /// People in a batch; the last may have fewer.
    pub(super) fn batch_len(&self) -> usize {
        self.people.div_ceil(self.batches)
    }

    /// How many batches that makes: no more than were asked for.
    pub(super) fn batch_count(&self) -> usize {
        self.people.div_ceil(self.batch_len())
    }
}

/// Why a call was refused. No message repeats what a person holds.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DubeyError {
    /// A kernel that this quadrature is not for.
    #[error(
        "quadrature features are for the squared exponential family alone; use that, or another method for this kernel"
    )]
    Family,
    /// No features, or too many.
    #[error(
        "{nodes} nodes for each of {inputs} inputs; give at least one, and so few that nodes^inputs is at most {most}"
    )]
    Features {
        /// Nodes an input.
        nodes: usize,
        /// Inputs.
        inputs: usize,
        /// The most features.
        most: usize,
    },
    /// Batches of nobody.
    #[error("{batches} batches of {people} people; give at least one person for each batch")]
    Batches {
        /// How many people.
        people: usize,
        /// How many batches.
        batches: usize,
    },
    /// An invalid ridge.
    #[error("tau is {got}; it must be a positive variance")]
    Tau {
        /// What it was.
        got: f64,
    },
    /// An invalid probability.
    #[error("the failure probability is {got}; it must be between 0 and 1")]
    Failure {
        /// What it was.
        got: f64,
    },
    /// An invalid factor.
    #[error("the factor of the width is {got}; it must be a number from 0 on")]
    Factor {
        /// What it was.
        got: f64,
    },
    /// A loss that Gaussian noise cannot keep.
    #[error(
        "the loss must be approximate with a positive delta, or concentrated, and large enough to be shared by all releases"
    )]
    Loss,
    /// Noise too large to draw.
    #[error(transparent)]
    Variance(#[from] VarianceError),
    /// No or wrong candidates.
    #[error("candidates must be at least one action of at most {most} inputs, and have {got}")]
    Candidates {
        /// The kernel's inputs.
        most: usize,
        /// The candidates'.
        got: usize,
    },
    /// Records of another shape or number than was said.
    #[error("records must be of {inputs} inputs and as many as the {people} people of the spec")]
    Records {
        /// The kernel's inputs.
        inputs: usize,
        /// The people.
        people: usize,
    },
    /// Everybody was there.
    #[error("all {people} people of the spec were served; nothing was added")]
    Finished {
        /// How many.
        people: usize,
    },
    /// A record that could not be added.
    #[error(transparent)]
    Vector(#[from] VectorError),
    /// An estimate that cannot be computed.
    #[error(transparent)]
    Singular(#[from] Singular),
}
