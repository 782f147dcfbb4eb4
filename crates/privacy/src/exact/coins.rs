//! Sixty-four biased coins at once.

use crate::Generator;

/// Sixty-four independent bits, each 1 with probability exactly `threshold` / 2^64.
///
/// Lane by lane this is `next_u64() < threshold`, with the digits of all lanes' numbers drawn together from
/// the top: one word gives each lane its next digit, and most lanes are decided after a few. About eight
/// words make 64 coins.
#[inline]
pub fn coins64<G: Generator>(threshold: u64, rng: &mut G) -> u64 {
    let mut ones = 0;
    let mut undecided = u64::MAX;
    let mut rest = threshold;
    // A lane that is equal to the threshold as far as its last 1 is not below it.
    while rest != 0 && undecided != 0 {
        let digits = rng.next_u64();
        // All ones where the threshold's digit is 1.
        let above = ((rest as i64) >> 63) as u64;
        ones |= undecided & above & !digits;
        undecided &= !(digits ^ above);
        rest <<= 1;
    }
    ones
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{LEVEL, chi_square_p, exact_binomial_p, seed};
    use crate::{SimSeed, Stream};
    use statrs::distribution::{Binomial, Discrete};

    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

    fn threshold(p: f64) -> u64 {
        (p * TWO_TO_64) as u64
    }

    #[test]
    fn each_lane_fits_and_the_test_has_power() {
        const WORDS: u64 = 200_000;
        for (trial, p) in [0.5, 0.268_941_421, 0.001, 0.999, 1.0 / 3.0].into_iter().enumerate() {
            let mut rng = seed().stream(70 + trial as u64, Stream::Noise);
            let mut hits = [0_u64; 64];
            for _ in 0..WORDS {
                let word = coins64(threshold(p), &mut rng);
                for (lane, hit) in hits.iter_mut().enumerate() {
                    *hit += word >> lane & 1;
                }
            }
            for (lane, &hit) in hits.iter().enumerate() {
                // 64 lanes share the level.
                assert!(exact_binomial_p(hit, WORDS, p) > LEVEL / 64.0, "lane {lane} at {p}");
            }
            let all = hits.iter().sum();
            assert!(exact_binomial_p(all, 64 * WORDS, p) > LEVEL, "{p}");
            // Power: a probability that is off by a hundredth of a standard deviation of one coin must be seen.
            let off = p + 0.01 * (p * (1.0 - p)).sqrt();
            assert!(exact_binomial_p(all, 64 * WORDS, off) < LEVEL, "{p}");
        }
    }

    #[test]
    fn lanes_are_independent_and_the_test_has_power() {
        // The number of ones in a word is binomial only if its lanes are independent.
        const WORDS: u64 = 200_000;
        let law = Binomial::new(0.3, 64).unwrap();
        // Numbers of ones from 9 to 30 have cells of their own; the tails join the outer two.
        let cell = |ones: u64| ones.clamp(9, 30) as usize - 9;
        let mut expected = vec![0.0; 22];
        (0..=64).for_each(|ones| expected[cell(ones)] += law.pmf(ones));
        let mut rng = seed().stream(80, Stream::Noise);
        let (mut counts, mut tied) = (vec![0; 22], vec![0; 22]);
        for _ in 0..WORDS {
            let word = coins64(threshold(0.3), &mut rng);
            counts[cell(u64::from(word.count_ones()))] += 1;
            // Three of the lanes always agree.
            let copied = (word & !7) | (7 * (word & 1));
            tied[cell(u64::from(copied.count_ones()))] += 1;
        }
        assert!(chi_square_p(&counts, &expected) > LEVEL);
        assert!(chi_square_p(&tied, &expected) < LEVEL);
    }

    #[test]
    fn the_ends() {
        let mut rng = seed().stream(81, Stream::Noise);
        assert_eq!(coins64(0, &mut rng), 0);
        assert_eq!((0..1000).map(|_| coins64(u64::MAX, &mut rng)).fold(u64::MAX, |a, b| a & b), u64::MAX);
        assert_eq!((0..1000).map(|_| coins64(1, &mut rng)).fold(0, |a, b| a | b), 0);
    }

    #[test]
    fn golden_coins() {
        let mut rng = SimSeed(20_261_115).stream(82, Stream::Noise);
        let draws: Vec<u64> = (0..4).map(|_| coins64(threshold(0.3), &mut rng)).collect();
        assert_eq!(draws, GOLDEN);
    }
    const GOLDEN: [u64; 4] = [
        7_396_336_058_059_309_249,
        6_881_527_744_323_266_574,
        9_948_457_074_993_728_265,
        1_358_134_670_508_169_348,
    ];
}
