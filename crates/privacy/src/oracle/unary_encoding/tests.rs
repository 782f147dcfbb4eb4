//! The variance is the paper's.

use super::*;
use crate::oracle::tests::{bit_counts, domain, epsilon};
use crate::testing::{LEVEL, exact_binomial_p};

#[test]
fn the_variance_is_the_known_formula() {
    for (size, loss) in [(2, 1.0), (10, 0.5), (1000, 3.0)] {
        let oracle = UnaryEncoding::new(domain(size), epsilon(loss));
        let e = libm::exp(loss);
        // Wang et al. (2017), OUE; and at frequency 1, where the own bit is a fair coin.
        let known = 4.0 * e / ((e - 1.0) * (e - 1.0));
        assert!((oracle.variance(0.0, 1) / known - 1.0).abs() < 1e-12, "{size} at {loss}");
        let own = (e + 1.0) * (e + 1.0) / ((e - 1.0) * (e - 1.0));
        assert!((oracle.variance(1.0, 1) / own - 1.0).abs() < 1e-12, "{size} at {loss}");
    }
    assert_eq!(UnaryEncoding::new(domain(1024), epsilon(1.0)).report_bytes(), 128);
}

/// Sets of several words, which the exact law does not list.
#[test]
fn each_bit_of_a_long_set_has_its_probability() {
    const DRAWS: u64 = 20_000;
    let oracle = UnaryEncoding::new(domain(130), epsilon(1.0));
    let q = oracle.channel.outside_probability();
    for own in [0, 63, 64, 127, 129] {
        let counts = bit_counts(&oracle, own, DRAWS);
        for (symbol, &count) in (0..).zip(&counts) {
            let (p, off) = if symbol == own { (0.5, q) } else { (q, 0.5) };
            assert!(
                exact_binomial_p(count, DRAWS, p) > LEVEL / 130.0,
                "symbol {symbol} of a person with {own}"
            );
            // Power: own and other symbols differ.
            assert!(exact_binomial_p(count, DRAWS, off) < LEVEL, "symbol {symbol} of a person with {own}");
        }
    }
}
