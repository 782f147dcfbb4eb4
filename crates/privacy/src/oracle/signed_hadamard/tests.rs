use super::*;
use crate::Stream;
use crate::oracle::{FrequencyOracle, Oracle};
use crate::testing::{LEVEL, chi_square_p, seed};

fn oracle(symbols: u32, epsilon: f64) -> SignedHadamard {
    SignedHadamard::new(Domain::new(symbols).unwrap(), Epsilon::new(epsilon).unwrap())
}

fn drawn(oracle: &SignedHadamard, symbol: u32, plus: bool, reports: u64) -> Vec<u64> {
    let mut rng = seed().stream(u64::from(symbol), Stream::Noise);
    let mut counts = vec![0; oracle.shape().cells()];
    for _ in 0..reports {
        let report = oracle.randomise(oracle.domain.symbol(symbol).unwrap(), plus, &mut rng);
        oracle.shape().count(&report, &mut counts).unwrap();
    }
    counts
}

#[test]
fn reports_have_the_exact_law_and_the_test_has_power() {
    let oracle = oracle(5, 1.0);
    let law = |plus| {
        let law = oracle.law(oracle.domain.symbol(3).unwrap(), plus);
        let total: BigUint = law.iter().map(|(_, weight)| weight).sum();
        let part = |weight: &BigUint| (weight << 40_u32) / &total;
        law.iter()
            .map(|(_, w)| u64::try_from(part(w)).unwrap() as f64 / (1_u64 << 40) as f64)
            .collect::<Vec<_>>()
    };
    let counts = drawn(&oracle, 3, true, 200_000);
    assert!(chi_square_p(&counts, &law(true)) > LEVEL);
    assert!(chi_square_p(&counts, &law(false)) < LEVEL);
}

#[test]
fn no_output_is_more_than_e_to_the_epsilon_times_as_likely() {
    for epsilon in [0.1, 1.0, 3.0] {
        let oracle = oracle(6, epsilon);
        let laws: Vec<_> = (0..6)
            .flat_map(|x| [false, true].map(|plus| oracle.law(oracle.domain.symbol(x).unwrap(), plus)))
            .collect();
        let mut largest: f64 = 0.0;
        for a in &laws {
            for b in &laws {
                for ((_, p), (_, q)) in a.iter().zip(b) {
                    let [p, q] = [p, q].map(|w| u128::try_from(w).unwrap() as f64);
                    largest = largest.max(libm::log(p / q));
                }
            }
        }
        assert!(largest <= epsilon + 1e-12 && largest > epsilon - 1e-6, "{largest}");
    }
}

#[test]
fn estimates_are_unbiased_with_the_stated_variance() {
    const REPORTS: u64 = 400_000;
    let oracle = oracle(9, 1.0);
    let mut counts = drawn(&oracle, 4, true, 3 * REPORTS / 4);
    for (sum, more) in counts.iter_mut().zip(drawn(&oracle, 7, false, REPORTS / 4)) {
        *sum += more;
    }
    let deviation = (oracle.variance() / REPORTS as f64).sqrt();
    for (symbol, estimate) in oracle.estimate(&counts).into_iter().enumerate() {
        let truth =
            [(4, 0.75), (7, -0.25)].iter().find(|(s, _)| *s == symbol).map_or(0.0, |(_, share)| *share);
        // Nine estimates, each beyond 6 deviations with probability 2e-9.
        assert!((estimate - truth).abs() < 6.0 * deviation, "{symbol}: {estimate}");
    }
    assert_eq!(oracle.estimate(&[0; 32]), vec![0.0; 9]);
}

/// The crossover that guarantee.md states.
#[test]
fn below_epsilon_1_76_it_beats_two_frequencies() {
    for (epsilon, better) in [(0.5, true), (1.0, true), (1.6, true), (2.0, false), (4.0, false)] {
        let signed = oracle(32, epsilon);
        let two = FrequencyOracle::best(Domain::new(64).unwrap(), signed.epsilon());
        assert_eq!(signed.variance() < 2.0 * two.variance(0.0, 1), better, "{epsilon}");
    }
}
