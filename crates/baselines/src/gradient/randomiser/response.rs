//! The mechanism behind a channel: from a clipped gradient to what may be sent. Proof:
//! crates/baselines/src/gradient/agent/guarantee.md.

use std::num::NonZeroU64;

use crate::gradient::{Channel, Draw, GRID_BITS, Response};
use reticent_privacy::exact::{DiscreteLaplace, uniform_below};
use reticent_privacy::mechanism::{BernoulliResponse, Mechanism};
use reticent_privacy::{Epsilon, Generator, UnitGrid};

use super::model::clip;

/// One source's mechanism with its constants computed once.
#[derive(Debug)]
pub(super) struct Responder {
    arms: u32,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Signs {
        mechanism: BernoulliResponse,
        coordinates: usize,
        /// Some permutation of the coordinates: shuffling its front again makes a fresh uniform choice.
        order: Vec<u32>,
    },
    Laplace(DiscreteLaplace),
}

const NANO: u64 = 1_000_000_000;
/// What the stochastic rounding has below a grid step: a value is first put on the fine grid of 2^-30.
const FINE_BITS: u32 = UnitGrid::BITS - GRID_BITS;

impl Responder {
    pub(super) fn new(channel: Channel, arms: u32, parameters: u32) -> Responder {
        let kind = match channel {
            Channel::Signs { coordinates, each } => Kind::Signs {
                mechanism: BernoulliResponse::new(each),
                coordinates: coordinates as usize,
                order: (0..parameters).collect(),
            },
            Channel::Laplace { epsilon } => Kind::Laplace(laplace(epsilon, parameters)),
        };
        Responder { arms, kind }
    }

    /// One response: the only way from a gradient to noise in this module.
    #[inline]
    pub(super) fn respond<G: Generator>(&mut self, arm: u32, gradient: &[f64], noise: &mut G) -> Response {
        match &mut self.kind {
            Kind::Signs { mechanism, coordinates, order } => {
                choose(order, *coordinates, noise);
                let draw = |&coordinate: &u32| {
                    let value = gradient[coordinate as usize];
                    Draw { coordinate, signs: signs(mechanism, self.arms, arm, value, noise) }
                };
                Response::Signs(order[..*coordinates].iter().map(draw).collect())
            }
            Kind::Laplace(law) => {
                let parameters = gradient.len();
                let own = arm as usize * parameters;
                let mut steps = vec![0; self.arms as usize * parameters];
                for (step, &value) in steps[own..own + parameters].iter_mut().zip(gradient) {
                    *step = round(value, noise);
                }
                for step in &mut steps {
                    let noisy = i128::from(*step) + law.sample(noise);
                    *step = noisy.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                }
                Response::Steps(steps)
            }
        }
    }
}

/// Noise of scale 2 p / epsilon in grid steps: two gradients, of the same arm or of different ones, differ by
/// at most 2 p in the l1 norm.
fn laplace(epsilon: Epsilon, parameters: u32) -> DiscreteLaplace {
    // At most 2 * 4225 * 2^20 * 10^9, below 2^63.
    let sensitivity = (2 * u64::from(parameters)) << GRID_BITS;
    let numerator = NonZeroU64::new(sensitivity * NANO).unwrap_or(NonZeroU64::MAX);
    DiscreteLaplace::new(numerator, epsilon.nano_nonzero())
}

/// Makes the first `count` of `order` a uniform choice, in increasing order, independent of all that was
/// before (Fisher and Yates).
#[inline]
fn choose<G: Generator>(order: &mut [u32], count: usize, noise: &mut G) {
    for place in 0..count {
        let left = NonZeroU64::new((order.len() - place) as u64).unwrap_or(NonZeroU64::MIN);
        order.swap(place, place + uniform_below(left, noise) as usize);
    }
    order[..count].sort_unstable();
}

/// Fair coins for all arms, then the randomised sign of the value in the place of its own arm.
#[inline]
fn signs<G: Generator>(mechanism: &BernoulliResponse, arms: u32, arm: u32, value: f64, noise: &mut G) -> u64 {
    let coins = noise.next_u64() & (u64::MAX >> (u64::BITS - arms));
    // Plus with probability (1 + value) / 2 on the grid, exactly, before it is randomised.
    let positive = UnitGrid::clip(0.5 + 0.5 * clip(value)).map(|at| mechanism.release_with(at, noise));
    // Clipped values are finite: there is no error.
    let own = u64::from(positive.unwrap_or_default());
    (coins & !(1 << arm)) | own << arm
}

/// A grid step next to the value, with the value as its mean.
#[inline]
fn round<G: Generator>(value: f64, noise: &mut G) -> i64 {
    let fine = (clip(value) * f64::from(UnitGrid::STEPS)) as i64;
    let rest = fine & ((1 << FINE_BITS) - 1);
    let up = i64::from(noise.next_u32() & ((1 << FINE_BITS) - 1)) < rest;
    (fine >> FINE_BITS) + i64::from(up)
}

#[cfg(test)]
mod tests;
