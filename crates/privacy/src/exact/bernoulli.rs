//! A coin with bias exp(-x) for rational x.

use std::num::NonZeroU128;

use num_bigint::BigUint;

use super::exponential::Exponential;
use crate::Generator;

/// True with probability exactly exp(-`numerator` / `denominator`): that an exponential number exceeds it.
#[inline]
pub fn bernoulli_exp<G: Generator>(numerator: u128, denominator: NonZeroU128, rng: &mut G) -> bool {
    // Two conversions and a division, each correctly rounded: the quotient is within 2^-51 of the truth, relative.
    let about = numerator as f64 / denominator.get() as f64;
    exceeds(about, || (BigUint::from(numerator), BigUint::from(denominator.get())), rng)
}

/// Whether a fresh exponential number exceeds x, given x to within 2^-48 (relative) and, for the one time in
/// 2^46 that this does not decide, x as an exact ratio.
#[inline]
pub(crate) fn exceeds<G: Generator>(
    about: f64,
    exactly: impl FnOnce() -> (BigUint, BigUint),
    rng: &mut G,
) -> bool {
    let mut draw = Exponential::draw(rng);
    let (x, margin) = (draw.approximate(), MARGIN * (1.0 + about));
    if (x - about).abs() > margin {
        return x > about;
    }
    exceeds_exactly(&mut draw, &exactly(), rng)
}

/// Larger than all rounding errors of a comparison of floats, by a factor of four.
const MARGIN: f64 = 1.0 / (1_u64 << 46) as f64;

#[cold]
fn exceeds_exactly<G: Generator>(
    draw: &mut Exponential,
    (numerator, denominator): &(BigUint, BigUint),
    rng: &mut G,
) -> bool {
    loop {
        let (digits, bits) = draw.digits();
        let x = numerator << bits;
        if &digits * denominator >= x {
            return true;
        }
        if (digits + 1_u32) * denominator <= x {
            return false;
        }
        draw.refine(rng);
    }
}
