//! The laws of the selection mechanisms, rounded outward: what an exact audit reads.

use num_bigint::BigUint;

use super::{ExponentialMechanism, PermuteAndFlip, Unit};
use crate::exact::exp::{self, exp_lower, exp_upper};
use crate::mechanism::Finite;
use crate::mechanism::Weight;
use crate::{Epsilon, Scores};

/// Probabilities are in units of 2^-2048, so that even e^-1200 has 300 bits left.
const FRACTION_BITS: u32 = 2048;
/// A larger gap weighs something between nothing and e^-1200.
const LARGEST_NANO: u128 = 1_200_000_000_000;

fn one() -> BigUint {
    BigUint::from(1_u32) << FRACTION_BITS
}

/// exp(-epsilon gap / (2 sensitivity)) for each candidate, in units of 2^-2048.
fn weights(epsilon: Epsilon, scores: &Scores) -> Vec<Weight> {
    let unit = Unit::new(epsilon, scores);
    // Gaps in whole nanos of the exponent: numerator over 2 sensitivity.
    let divisor = unit.denominator.get() / 1_000_000_000;
    let weight = |gap: u64| {
        let numerator = unit.of(gap);
        let (least, most) = (numerator / divisor, numerator.div_ceil(divisor));
        let inverse = |exponential: BigUint| (one() << exp::FRACTION_BITS) / exponential;
        if least > LARGEST_NANO {
            return Weight::between(0_u32, inverse(exp_lower(LARGEST_NANO as u64)) + 1_u32);
        }
        Weight::between(inverse(exp_upper(most as u64)), inverse(exp_lower(least as u64)) + 1_u32)
    };
    scores.gaps().into_iter().map(weight).collect()
}

fn sum<'a>(parts: impl Iterator<Item = &'a BigUint>) -> BigUint {
    parts.sum()
}

impl Finite for ExponentialMechanism {
    /// weight / (sum of weights).
    fn law(&self, scores: &Scores) -> Vec<Weight> {
        let weights = weights(self.epsilon(), scores);
        let least = sum(weights.iter().map(|weight| &weight.low));
        let most = sum(weights.iter().map(|weight| &weight.high));
        let share = |weight: &Weight| {
            // The other weights are at their other end: own low over the largest total that has it, and the reverse.
            let low_total = &most - &weight.high + &weight.low;
            let high_total = &least - &weight.low + &weight.high;
            let low = (&weight.low << FRACTION_BITS) / low_total;
            Weight::between(low, ((&weight.high << FRACTION_BITS) / high_total) + 1_u32)
        };
        weights.iter().map(share).collect()
    }
}

impl Finite for PermuteAndFlip {
    /// A candidate at a uniform time t is chosen if its coin shows heads and no earlier one did: its weight
    /// times the integral of the product over the others of (1 - t) + t (1 - weight). Multiplied out, that is
    /// the sum over k of s / (n C(n-1, k)) with s the k-th elementary symmetric polynomial of the others' 1 -
    /// weight: positive terms alone, so that rounding outward is term by term.
    fn law(&self, scores: &Scores) -> Vec<Weight> {
        let weights = weights(self.epsilon(), scores);
        let chosen = |candidate: usize| {
            let others = |end: fn(&Weight) -> BigUint| -> Vec<BigUint> {
                let all = weights.iter().enumerate().filter(|(other, _)| *other != candidate);
                all.map(|(_, weight)| end(weight)).collect()
            };
            let fail_low = others(|weight| one() - one().min(weight.high.clone()));
            let fail_high = others(|weight| one() - &weight.low);
            let own = &weights[candidate];
            Weight::between(mean(&own.low, &fail_low, false), mean(&own.high, &fail_high, true))
        };
        (0..weights.len()).map(chosen).collect()
    }
}

/// `own` times the sum over k of the k-th symmetric polynomial of `fails` over n C(n-1, k), rounded down or up.
fn mean(own: &BigUint, fails: &[BigUint], up: bool) -> BigUint {
    let round = |value: BigUint| (value >> FRACTION_BITS) + u32::from(up);
    let mut symmetric = vec![one()];
    for fail in fails {
        symmetric.push(BigUint::default());
        for k in (1..symmetric.len()).rev() {
            let with = round(&symmetric[k - 1] * fail);
            symmetric[k] += with;
        }
    }
    let candidates = fails.len() + 1;
    let mut binomial = BigUint::from(1_u32);
    let mut total = BigUint::default();
    for (k, polynomial) in symmetric.into_iter().enumerate() {
        total += polynomial / (&binomial * candidates) + u32::from(up);
        // C(n-1, k+1) = C(n-1, k) (n-1-k) / (k+1).
        binomial = binomial * (candidates - 1 - k.min(candidates - 1)) / (k + 1);
        if binomial == BigUint::default() {
            break;
        }
    }
    round(total * own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(law: &[Weight]) -> Vec<(f64, f64)> {
        let float = |x: &BigUint| {
            (x >> (FRACTION_BITS - 100)).to_string().parse::<f64>().unwrap() / libm::exp2(100.0)
        };
        law.iter().map(|weight| (float(&weight.low), float(&weight.high))).collect()
    }

    #[test]
    fn the_laws_enclose_the_formulas() {
        let scores = Scores::declared(vec![3, 7, 0, 5], 2).unwrap();
        let epsilon = Epsilon::new(2.0).unwrap();
        let w: Vec<f64> = [4.0, 0.0, 7.0, 2.0].iter().map(|gap| libm::exp(-gap / 2.0)).collect();
        let exponential: Vec<f64> = w.iter().map(|x| x / w.iter().sum::<f64>()).collect();
        // Simpson's rule is exact enough for a cubic: the integral of a polynomial of degree 3.
        let flipped: Vec<f64> = (0..4)
            .map(|i| {
                let at = |t: f64| (0..4).filter(|&j| j != i).map(|j| 1.0 - t * w[j]).product::<f64>();
                w[i] * (at(0.0) + 4.0 * at(0.5) + at(1.0)) / 6.0
            })
            .collect();
        let laws = [
            (ExponentialMechanism::new(epsilon).law(&scores), exponential),
            (PermuteAndFlip::new(epsilon).law(&scores), flipped),
        ];
        for (law, expected) in laws {
            for ((low, high), p) in floats(&law).into_iter().zip(expected) {
                assert!(
                    (low - p).abs() < 1e-14 && (high - p).abs() < 1e-14 && low <= high,
                    "{low} {high} {p}"
                );
            }
            let total: f64 = floats(&law).iter().map(|(low, _)| low).sum();
            assert!((total - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn huge_gaps_are_enclosed_too() {
        let scores = Scores::declared(vec![i64::MIN, i64::MAX], 1).unwrap();
        for law in [
            ExponentialMechanism::new(Epsilon::MAX).law(&scores),
            PermuteAndFlip::new(Epsilon::MAX).law(&scores),
        ] {
            assert_eq!(law[0].low, BigUint::default());
            assert!(law[0].high > BigUint::default() && law[1].low > one() / 2_u32);
        }
    }
}
