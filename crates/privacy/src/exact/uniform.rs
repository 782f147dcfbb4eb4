//! Uniform integers without bias.

use std::num::NonZeroU64;

use crate::Generator;

/// A uniform integer in `0..bound`, exactly (Lemire 2019: multiply, and reject the few products that would be biased).
#[inline]
pub fn uniform_below<G: Generator>(bound: NonZeroU64, rng: &mut G) -> u64 {
    let bound = bound.get();
    let mut product = u128::from(rng.next_u64()) * u128::from(bound);
    if (product as u64) < bound {
        // 2^64 mod bound: so many low halves occur once too often.
        let surplus = bound.wrapping_neg() % bound;
        while (product as u64) < surplus {
            product = u128::from(rng.next_u64()) * u128::from(bound);
        }
    }
    (product >> 64) as u64
}
