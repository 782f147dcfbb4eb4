//! Report-noisy-max with exponential noise.

use num_bigint::{BigInt, BigUint};

use super::Unit;
use crate::exact::Exponential;
use crate::mechanism::Mechanism;
use crate::{Epsilon, Generator, Guarantee, Scores};

/// Adds an exponential number to each score, in units of 2 sensitivity / epsilon, and reports the largest.
///
/// The same law as [`PermuteAndFlip`](super::PermuteAndFlip) (Ding et al. 2021); it draws one number for each
/// candidate whoever wins, which makes its time tell less about the scores. The noise is a real number,
/// compared digit by digit: integer noise would have ties, and a rule for ties leaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportNoisyMax {
    epsilon: Epsilon,
}

impl ReportNoisyMax {
    /// The mechanism at loss `epsilon`.
    pub fn new(epsilon: Epsilon) -> ReportNoisyMax {
        ReportNoisyMax { epsilon }
    }
}

/// A noisy score: noise minus the candidate's gap.
struct Noisy {
    noise: Exponential,
    gap: u128,
}

impl Mechanism for ReportNoisyMax {
    type Input = Scores;
    /// The chosen candidate's number.
    type Output = usize;

    fn guarantee(&self) -> Guarantee {
        super::guarantee(self.epsilon)
    }

    fn release_with<G: Generator>(&self, scores: Scores, rng: &mut G) -> usize {
        let unit = Unit::new(self.epsilon, &scores);
        let draw = |gap: u64, rng: &mut G| Noisy { noise: Exponential::draw(rng), gap: unit.of(gap) };
        let mut noisy: Vec<Noisy> = scores.gaps().into_iter().map(|gap| draw(gap, rng)).collect();
        let mut best = 0;
        for challenger in 1..noisy.len() {
            let (before, after) = noisy.split_at_mut(challenger);
            if exceeds(&mut after[0], &mut before[best], unit, rng) {
                best = challenger;
            }
        }
        best
    }
}

/// Whether `a` is larger than `b`: by floats where they can prove it, by integers and further digits otherwise.
fn exceeds<G: Generator>(a: &mut Noisy, b: &mut Noisy, unit: Unit, rng: &mut G) -> bool {
    let scale = unit.denominator.get() as f64;
    let about = |noisy: &Noisy| noisy.noise.approximate() - noisy.gap as f64 / scale;
    let (x, y) = (about(a), about(b));
    // Each is within 2^-49 of the truth, relative to its parts.
    if (x - y).abs() > (2.0 + x.abs() + y.abs() + a.noise.approximate() + b.noise.approximate()) / TWO_TO_46 {
        return x > y;
    }
    exceeds_exactly(a, b, unit, rng)
}

const TWO_TO_46: f64 = (1_u64 << 46) as f64;

#[cold]
fn exceeds_exactly<G: Generator>(a: &mut Noisy, b: &mut Noisy, unit: Unit, rng: &mut G) -> bool {
    let denominator = BigUint::from(unit.denominator.get());
    // gap difference (b's minus a's), to be beaten by the difference of the noises.
    let lead = BigInt::from(b.gap) - BigInt::from(a.gap);
    loop {
        let ((mine, my_bits), (theirs, their_bits)) = (a.noise.digits(), b.noise.digits());
        let bits = my_bits.max(their_bits);
        let unit_of = |drawn: u32| BigUint::from(1_u32) << (bits - drawn);
        let low = |digits: &BigUint, drawn: u32| BigInt::from(digits * unit_of(drawn));
        let high = |digits: &BigUint, drawn: u32| BigInt::from((digits + 1_u32) * unit_of(drawn));
        let beaten = &lead << bits;
        let scaled = |difference: BigInt| difference * BigInt::from(denominator.clone()) + &beaten;
        if scaled(low(&mine, my_bits) - high(&theirs, their_bits)) >= BigInt::ZERO {
            return true;
        }
        if scaled(high(&mine, my_bits) - low(&theirs, their_bits)) <= BigInt::ZERO {
            return false;
        }
        a.noise.refine(rng);
        b.noise.refine(rng);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use crate::testing::seed;

    /// The exact comparison agrees with the float one wherever that decides.
    #[test]
    fn the_filter_agrees_with_the_integers() {
        let scores = Scores::declared(vec![0, 3], 7).unwrap();
        let unit = Unit::new(Epsilon::new(0.3).unwrap(), &scores);
        let mut rng = seed().stream(640, Stream::Noise);
        for i in 0..20_000_u64 {
            let mut pair = || {
                let draw =
                    |gap, rng: &mut crate::SimRng| Noisy { noise: Exponential::draw(rng), gap: unit.of(gap) };
                [draw(i % 11, &mut rng), draw(i % 7, &mut rng)]
            };
            let [mut a, mut b] = pair();
            let fast = exceeds(&mut a, &mut b, unit, &mut rng);
            assert_eq!(fast, exceeds_exactly(&mut a, &mut b, unit, &mut rng));
            assert_ne!(fast, exceeds_exactly(&mut b, &mut a, unit, &mut rng));
        }
    }
}
