//! The two markets' contexts.

pub(super) mod shell;
mod text;

use reticent_privacy::SimRng;
use serde::{Deserialize, Serialize};

use super::MarketError;
use super::error::check_alpha;

/// The market Q that prices are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Uniform contexts.
    #[default]
    Uniform,
    /// Coordinates that are independent and Beta(4, 2).
    Beta,
}

/// The market P that the log is from.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Source {
    /// Uniform contexts.
    #[default]
    Uniform,
    /// Few contexts near the corner (1, .., 1): their density is (1 + alpha/d) R^alpha for the sup norm
    /// distance R from there.
    ///
    /// With the uniform target the transfer exponent of Assumption 3 is exactly alpha, with constant 1. In
    /// the coordinates y = 1 - x a ball of radius h <= 1 is a box whose sides begin at 0 or above and are at
    /// least h long. A uniform point of such a side is larger in distribution than one of [0, h], and R^alpha
    /// grows with each coordinate, so P(ball) / Q(ball), the mean density over the box, is at least its mean
    /// over [0, h]^d. That is h^alpha, the ratio at the corner itself, so no smaller exponent will do.
    Vanishing {
        /// How fast the density vanishes.
        alpha: f64,
    },
}

impl Target {
    /// A context.
    #[inline]
    pub(super) fn draw(self, rng: &mut SimRng, context: &mut [f64]) {
        for coordinate in context {
            *coordinate = match self {
                Target::Uniform => rng.uniform(),
                Target::Beta => second_of_five(rng),
            };
        }
    }

    pub(super) fn density(self, context: &[f64]) -> f64 {
        match self {
            Target::Uniform => 1.0,
            Target::Beta => context.iter().map(|&x| 20.0 * x * x * x * (1.0 - x)).product(),
        }
    }
}

impl Source {
    pub(super) fn check(self) -> Result<(), MarketError> {
        match self {
            Source::Uniform => Ok(()),
            Source::Vanishing { alpha } => check_alpha(alpha),
        }
    }

    /// A context.
    #[inline]
    pub(super) fn draw(self, rng: &mut SimRng, context: &mut [f64]) {
        match self {
            Source::Uniform => context.iter_mut().for_each(|coordinate| *coordinate = rng.uniform()),
            Source::Vanishing { alpha } => {
                shell::draw(rng, context, 0.0, 1.0, alpha);
                for coordinate in context {
                    *coordinate = 1.0 - *coordinate;
                }
            }
        }
    }

    pub(super) fn density(self, context: &[f64]) -> f64 {
        match self {
            Source::Uniform => 1.0,
            Source::Vanishing { alpha } => {
                let radius = context.iter().fold(0.0, |most: f64, &x| most.max(1.0 - x));
                (1.0 + alpha / context.len() as f64) * libm::pow(radius, alpha)
            }
        }
    }
}

/// The second largest of five uniform numbers: exactly Beta(4, 2).
#[inline]
fn second_of_five(rng: &mut SimRng) -> f64 {
    let (mut first, mut second) = (0.0_f64, 0.0_f64);
    for _ in 0..5 {
        let next = rng.uniform();
        second = second.max(next.min(first));
        first = first.max(next);
    }
    second
}
