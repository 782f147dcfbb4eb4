//! What can be compared: anything that learns from records and then chooses an action for a context.

mod baseline;
mod release;
mod uniform;
mod usca;

use std::fmt::Debug;

use reticent_baselines::kernel::UcbError;
use reticent_baselines::kernel::dubey::DubeyError;
use reticent_curate::kernel::{DraftError, Points, ReadError, Records, ReleaseError, Singular};
use reticent_privacy::{SimRng, SimSeed, Stream, VectorError};
use serde::{Deserialize, Serialize};

pub use baseline::{DubeyOnce, PosteriorMean, Ucb};
pub use release::{PrivateKernel, PrivateKernelOnce};
pub use uniform::Uniform;
pub use usca::UscaMethod;

use super::{Exam, Setting};

/// A way to choose actions.
pub trait Method: Debug + Sync {
    /// The name in tables and files.
    fn name(&self) -> &'static str;
    /// Whether its result depends on the loss.
    fn is_private(&self) -> bool;
    /// Whether it is ours.
    fn is_ours(&self) -> bool {
        false
    }
    /// Whether it can be used in this setting, in reasonable time.
    fn applies(&self, _setting: &Setting) -> bool {
        true
    }
    /// Learns and is examined.
    fn run(&self, lesson: &Lesson<'_>) -> Result<Outcome, MethodError>;
}

/// Why a method could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// The plan.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// The release.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// Its reading.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A sum.
    #[error(transparent)]
    Sum(#[from] VectorError),
    /// Matrices.
    #[error(transparent)]
    Singular(#[from] Singular),
    /// The bandit without privacy.
    #[error(transparent)]
    Ucb(#[from] UcbError),
    /// The private competitor.
    #[error(transparent)]
    Dubey(#[from] DubeyError),
}

/// All methods, in the order of tables. A new one needs a line here.
pub const METHODS: [&dyn Method; 7] =
    [&Uniform, &PosteriorMean, &Ucb, &PrivateKernel, &PrivateKernelOnce, &UscaMethod, &DubeyOnce];

/// One trial, as a method sees it.
#[derive(Debug)]
pub struct Lesson<'a> {
    /// What is known.
    pub setting: &'a Setting,
    /// The exam; its target is for methods that choose their own actions while they learn.
    pub exam: &'a Exam,
    /// The seed of everything random.
    pub seed: SimSeed,
    /// The trial's number.
    pub trial: u64,
}

/// How a method did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// What it lost on average over the exam's contexts.
    pub error: f64,
    /// How far its surface is from the target, if it has one.
    pub rms: Option<f64>,
}

impl Lesson<'_> {
    /// People who got uniform actions, the same for all methods of a trial.
    pub fn records(&self) -> Records {
        let Setting { people, noise, bound, .. } = *self.setting;
        self.exam.target().records(people as usize, noise, bound, &mut self.stream(Stream::Environment))
    }

    /// A stream of the trial's own: `Noise` for privacy, `Agent` for choices, `Environment` for rewards.
    pub fn stream(&self, purpose: Stream) -> SimRng {
        self.seed.stream(self.trial, purpose)
    }

    /// The result of a policy.
    pub fn judge(&self, policy: impl FnMut(&[f64]) -> Vec<f64>) -> Outcome {
        Outcome { error: self.exam.error(policy), rms: None }
    }

    /// The result of taking the best candidate by a surface, which is in units of the bound as records are.
    pub fn judge_surface(&self, surface: impl Fn(&Points) -> Vec<f64>) -> Outcome {
        let scaled = |points: &Points| -> Vec<f64> {
            surface(points).into_iter().map(|value| value * self.setting.bound).collect()
        };
        Outcome { error: self.exam.error_of(scaled), rms: Some(self.exam.rms(scaled)) }
    }
}
