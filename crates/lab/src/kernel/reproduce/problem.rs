//! The functions that are learned, and what methods know of them.

use reticent_curate::kernel::{Factor, Family, Kernel};
use reticent_privacy::{Delta, Epsilon};

use crate::kernel::{Setting, TargetSpec};

/// A function, or a law of functions.
#[derive(Debug, Clone)]
pub(super) struct Problem {
    /// In file names and in the CSV.
    pub(super) id: &'static str,
    /// In headlines.
    pub(super) title: &'static str,
    source: TargetSpec,
    kernel: Kernel,
    rank: usize,
}

/// Kernel functions that a random target is made of.
const CENTRES: usize = 30;
const TAU: f64 = 0.1;
const NOISE: f64 = 0.1;
/// Three standard deviations of noise beyond the largest mean reward.
const BOUND: f64 = 1.3;
const DELTA: f64 = 1e-6;

impl Problem {
    /// All but the loss is fixed.
    pub(super) fn setting(&self, people: u64, epsilon: Option<Epsilon>) -> Setting {
        Setting {
            source: self.source.clone(),
            kernel: self.kernel.clone(),
            tau: TAU,
            rank: self.rank,
            noise: NOISE,
            bound: BOUND,
            people,
            epsilon,
            delta: Delta::new(DELTA).expect("the constant is valid"),
        }
    }
}

/// Random functions of two kernels' spaces, then Branin's and Hartmann's.
pub(super) fn all() -> Vec<Problem> {
    let matern = kernel(Family::MaternFiveHalves, &[&[0.3], &[0.3]]);
    let smooth = kernel(Family::SquaredExponential, &[&[0.3], &[0.3]]);
    let six = kernel(Family::SquaredExponential, &[&[0.6; 2], &[0.6; 4]]);
    let rkhs = |kernel: &Kernel| TargetSpec::Rkhs { kernel: kernel.clone(), actions: 1, centres: CENTRES };
    vec![
        Problem {
            id: "matern",
            title: "Matérn 5/2 functions",
            source: rkhs(&matern),
            kernel: matern.clone(),
            rank: 200,
        },
        Problem {
            id: "smooth",
            title: "Squared exponential functions",
            source: rkhs(&smooth),
            kernel: smooth,
            rank: 100,
        },
        Problem {
            id: "branin",
            title: "Branin’s function",
            source: TargetSpec::Branin,
            kernel: matern,
            rank: 200,
        },
        Problem {
            id: "hartmann",
            title: "Hartmann’s function of six inputs",
            source: TargetSpec::Hartmann,
            kernel: six,
            rank: 300,
        },
    ]
}

/// A product over groups of inputs: actions, then contexts.
fn kernel(family: Family, groups: &[&[f64]]) -> Kernel {
    let factors = groups.iter().map(|lengths| Factor { family, lengths: lengths.to_vec() });
    Kernel::new(factors.collect()).expect("the constants here are valid")
}
