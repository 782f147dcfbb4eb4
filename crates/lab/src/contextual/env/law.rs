//! The mean rewards of the made-up worlds.

use super::gap::Gap;
use super::{Identity, MAX_ARMS, WorldError};
use reticent_privacy::SimRng;
use reticent_schema::Field;

/// A law of rewards given the context: yes or no, with a known mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Law {
    /// `f_k(x) = 2e / (1 + e)` with `e = exp(-2 K^2 (x_1 - c_k)^2)` and centres `c_k = k/K` for k from 1 to K
    /// (Section 4.1 of the paper).
    Exponential { arms: u32 },
    /// The same with centres k/(K + 1), as the authors' code has it.
    ExponentialCode { arms: u32 },
    /// Two arms, `f = 1/2 -+ s m / 2`, plus for arm 1, where s is the sign of the product of all `x_i - 1/2` and
    /// `m = 1 - 4 max_i |(2 x_i mod 1)/2 - 1/4|` is a pyramid over each orthant: 1 at its middle, 0 on its border. The
    /// authors' code has d = 2; for other d the product and the maximum go over all coordinates.
    Symmetric,
    /// One arm better by a fixed amount.
    Gap(Gap),
}

/// The made-up worlds.
pub(super) const NAMES: [&str; 10] = [
    "exponential",
    "exponential-code",
    "symmetric",
    Gap::Clusters.name(),
    Gap::Categories.name(),
    Gap::OneBetter.name(),
    Gap::FiveAxes.name(),
    Gap::Halves.name(),
    Gap::EvenHalves.name(),
    Gap::Quarters.name(),
];

impl Law {
    pub(super) fn named(name: &str, arms: Option<u32>) -> Result<Law, WorldError> {
        let several = || match arms.unwrap_or(3) {
            arms if (2..=MAX_ARMS).contains(&arms) => Ok(arms),
            arms => Err(WorldError::Arms(arms)),
        };
        match name {
            "exponential" => Ok(Law::Exponential { arms: several()? }),
            "exponential-code" => Ok(Law::ExponentialCode { arms: several()? }),
            "symmetric" => match arms.unwrap_or(2) {
                2 => Ok(Law::Symmetric),
                arms => Err(WorldError::TwoArms(arms)),
            },
            _ => match (Gap::named(name), arms) {
                (Some(gap), None) => Ok(Law::Gap(gap)),
                (Some(_), Some(_)) => Err(WorldError::FixedWorld(name.to_string())),
                (None, _) => Err(WorldError::Unknown(name.to_string())),
            },
        }
    }

    /// The coordinates of a world that has no other.
    pub(super) fn own_dims(self) -> Option<usize> {
        if let Law::Gap(gap) = self { Some(gap.dims()) } else { None }
    }

    /// Draws a context.
    #[inline]
    pub(super) fn draw(self, context: &mut [f64], rng: &mut SimRng) {
        match self {
            Law::Gap(gap) => gap.draw(context, rng),
            _ => context.iter_mut().for_each(|coordinate| *coordinate = rng.uniform()),
        }
    }

    /// What the coordinates are.
    pub(super) fn fields(self, dims: usize) -> Vec<Field> {
        match self {
            Law::Gap(gap) => gap.fields(),
            _ => (1..=dims).map(|i| Field::Numeric { name: format!("x{i}"), low: 0.0, high: 1.0 }).collect(),
        }
    }

    pub(super) fn identity(self, dims: usize) -> Identity {
        match self {
            Law::Exponential { arms } => Identity::Exponential { dims, arms },
            Law::ExponentialCode { arms } => Identity::ExponentialCode { dims, arms },
            Law::Symmetric => Identity::Symmetric { dims },
            Law::Gap(gap) => Identity::Gap { name: gap.name().to_string() },
        }
    }

    #[inline]
    pub(super) fn arms(self) -> u32 {
        match self {
            Law::Exponential { arms } | Law::ExponentialCode { arms } => arms,
            Law::Symmetric => 2,
            Law::Gap(gap) => gap.arms(),
        }
    }

    /// The mean reward of one arm.
    #[inline]
    pub(super) fn mean(self, arm: u32, x: &[f64]) -> f64 {
        match self {
            Law::Exponential { arms } => bump(arms, f64::from(arms), arm, x[0]),
            Law::ExponentialCode { arms } => bump(arms, f64::from(arms + 1), arm, x[0]),
            Law::Symmetric => {
                let (plus, height) = pyramid(x);
                if (arm == 1) == plus { 0.5 + 0.5 * height } else { 0.5 - 0.5 * height }
            }
            Law::Gap(gap) => gap.mean(arm, x),
        }
    }

    /// How much worse than the best arm one arm is.
    #[inline]
    pub(super) fn regret(self, arm: u32, x: &[f64]) -> f64 {
        match self {
            Law::Exponential { arms } => bump_regret(arms, f64::from(arms), arm, x[0]),
            Law::ExponentialCode { arms } => bump_regret(arms, f64::from(arms + 1), arm, x[0]),
            Law::Symmetric => {
                let (plus, height) = pyramid(x);
                if (arm == 1) == plus { 0.0 } else { height }
            }
            Law::Gap(gap) => gap.regret(arm, x),
        }
    }
}

/// The exponential reward of the arm with centre (arm + 1) / parts.
#[inline]
fn bump(arms: u32, parts: f64, arm: u32, x: f64) -> f64 {
    let distance = f64::from(arms) * (x - f64::from(arm + 1) / parts);
    let e = libm::exp(-2.0 * distance * distance);
    2.0 * e / (1.0 + e)
}

/// The reward falls with the distance from the centre, so the nearest centre's arm is the best: no need to
/// try them all.
#[inline]
fn bump_regret(arms: u32, parts: f64, arm: u32, x: f64) -> f64 {
    let nearest = (x * parts).round().clamp(1.0, f64::from(arms)) as u32 - 1;
    if nearest == arm {
        return 0.0;
    }
    // Half-way between two centres rounding may make the difference negative.
    (bump(arms, parts, nearest, x) - bump(arms, parts, arm, x)).max(0.0)
}

/// Whether the product of all `x_i - 1/2` is positive, and the pyramid's height m.
#[inline]
fn pyramid(x: &[f64]) -> (bool, f64) {
    let (mut plus, mut height) = (true, 1.0_f64);
    for &xi in x {
        plus ^= xi < 0.5;
        // The fraction of 2 x_i, at its distance from 1/2: 2 |(2 x_i mod 1)/2 - 1/4| = |(2 x_i mod 1) - 1/2|.
        let doubled = 2.0 * xi;
        let fraction = if doubled < 1.0 { doubled } else { doubled - 1.0 };
        height = height.min(1.0 - 2.0 * (fraction - 0.5).abs());
    }
    (plus, height)
}
