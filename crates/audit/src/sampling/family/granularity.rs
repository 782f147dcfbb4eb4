//! How fine a float is: which floats noise can reach depends on the value under it (Mironov 2012).

use super::screen::Screen;
use super::{Family, Score};
use crate::sampling::sample::Both;

pub(super) struct Granularity;

struct LowestBit(usize);

impl Family for Granularity {
    fn fit(&self, _: Both<'_>, screen: &Screen) -> Vec<Box<dyn Score>> {
        screen.coordinates.iter().map(|&index| Box::new(LowestBit(index)) as Box<dyn Score>).collect()
    }
}

impl Score for LowestBit {
    fn score(&self, seen: &[f64]) -> f64 {
        seen.get(self.0).map_or(f64::NEG_INFINITY, |&value| f64::from(lowest_bit(value)))
    }

    fn name(&self) -> String {
        format!("exponent of the lowest set bit of coordinate {}", self.0)
    }
}

/// Zero is a multiple of everything, and what is no number is coarser still.
const OF_ZERO: i32 = 2000;
const OF_NO_NUMBER: i32 = 3000;

/// The largest k such that `value` is a multiple of 2^k.
fn lowest_bit(value: f64) -> i32 {
    if !value.is_finite() {
        return OF_NO_NUMBER;
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    // Subnormal numbers have no hidden bit and the exponent of the smallest normal ones.
    let significand = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    if significand == 0 { OF_ZERO } else { exponent.max(1) - 1075 + significand.trailing_zeros() as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_and_their_multiples() {
        for (value, k) in [(1.0, 0), (-6.0, 1), (0.375, -3), (1024.0, 10), (1.0 + f64::EPSILON, -52)] {
            assert_eq!(lowest_bit(value), k, "{value}");
        }
        assert_eq!(lowest_bit(f64::from_bits(1)), -1074);
        assert_eq!(lowest_bit(f64::MIN_POSITIVE), -1022);
        assert_eq!((lowest_bit(0.0), lowest_bit(f64::NAN)), (OF_ZERO, OF_NO_NUMBER));
    }
}
