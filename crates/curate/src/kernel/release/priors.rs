//! What the function may be like, before anything is known of it: what the posterior is averaged over.

use crate::kernel::spectrum::Structure;
use crate::kernel::{Family, Kernel};

/// Lengths to try for each input, beside the plan's.
pub(super) const STRETCHES: [f64; 5] = [0.25, 0.5, 2.0, 4.0, 16.0];
/// How often the function's variance may be halved.
const HALVINGS: i32 = 10;

/// The variance of a function that fills half the range.
const CAUTIOUS: f64 = 0.25;

/// A prior: a kernel, how much smoother its functions are made, how much of them is simple, and their variance.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prior {
    pub(super) kernel: Kernel,
    /// The family that the plan says.
    plan_family: Family,
    pub(super) smoothness: f64,
    pub(super) structure: Structure,
    pub(super) variance: f64,
}

/// How much smoother than a draw of the plan's kernel the function may be.
const SMOOTHNESS: [f64; 3] = [0.0, 0.5, 1.0];
/// Functions with kinks and steps, whatever the plan says.
const ROUGH: [Family; 2] = [Family::MaternThreeHalves, Family::MaternHalf];
const STRUCTURES: [Structure; 3] = [Structure::WHOLE, Structure::MIXED, Structure::SIMPLE];

impl Prior {
    /// What a plan's function is usually like.
    pub(super) fn usual(plan: &Kernel) -> Prior {
        let plan_family = plan.factors()[0].family;
        let structure = Structure::MIXED;
        Prior { kernel: plan.clone(), plan_family, smoothness: 0.5, structure, variance: 1.0 }
    }

    /// A function that fills half the range, and is as rough as a draw of the plan's kernel, or of the learned one
    /// where its lengths are shorter. What was learned of size and lengths holds where people are; an action that
    /// nobody got may be otherwise.
    pub(super) fn cautious(plan: &Kernel, learned: &Kernel) -> Prior {
        let lengths: Vec<f64> = plan.lengths().zip(learned.lengths()).map(|(a, b)| a.min(b)).collect();
        let kernel = plan.with_lengths(&lengths).unwrap_or_else(|_| plan.clone());
        Prior { variance: CAUTIOUS, smoothness: 0.0, ..Prior::usual(&kernel) }
    }

    /// Itself, then every other structure and roughness of the same lengths and size.
    pub(super) fn forms(&self) -> Vec<Prior> {
        let smooth = SMOOTHNESS.map(|smoothness| (self.plan_family, smoothness));
        let rough = ROUGH.map(|family| (family, 0.0));
        let with = |(family, smoothness): (Family, f64)| {
            let kernel = self.kernel.in_family(family);
            STRUCTURES.map(|structure| Prior {
                kernel: kernel.clone(),
                smoothness,
                structure,
                ..self.clone()
            })
        };
        let others = smooth.into_iter().chain(rough).flat_map(with).filter(|other| other != self);
        std::iter::once(self.clone()).chain(others).collect()
    }

    /// Whether its functions have jumps or nearly so.
    pub(super) fn is_abrupt(&self) -> bool {
        self.plan_family != Family::MaternHalf
            && self.kernel.factors().iter().all(|factor| factor.family == Family::MaternHalf)
    }

    /// The same in several sizes.
    pub(super) fn sizes(&self, halvings: impl Iterator<Item = i32>) -> Vec<Prior> {
        halvings
            .map(|halvings| Prior { variance: self.variance * libm::ldexp(1.0, -halvings), ..self.clone() })
            .filter(|prior| (libm::ldexp(1.0, -HALVINGS)..=1.0).contains(&prior.variance))
            .collect()
    }

    /// All sizes, coarsely.
    pub(super) fn all_sizes(&self) -> Vec<Prior> {
        Prior { variance: 1.0, ..self.clone() }.sizes((0..HALVINGS).step_by(2))
    }

    /// The same with one input's length, or all, multiplied; none where that is no length.
    pub(super) fn stretched(&self, input: Option<usize>, stretch: f64) -> Option<Prior> {
        let one = |(place, length)| {
            if input.is_none_or(|input| input == place) { length * stretch } else { length }
        };
        let lengths: Vec<f64> = self.kernel.lengths().enumerate().map(one).collect();
        self.kernel.with_lengths(&lengths).ok().map(|kernel| Prior { kernel, ..self.clone() })
    }

    /// A range is declared because functions fill it: a large function is as likely as all that are half its size and
    /// less. A length that is twice the plan's must make the released numbers about e times likelier.
    pub(super) fn belief(&self, plan: &Kernel) -> f64 {
        let strayed = |(a, b): (f64, f64)| {
            let x = libm::log(b / a) / 0.5;
            x * x / 2.0
        };
        0.5 * libm::log(self.variance) - plan.lengths().zip(self.kernel.lengths()).map(strayed).sum::<f64>()
    }
}
