//! Sets have the size of the smallest variance, and are listed once each.

use super::*;
use crate::oracle::tests::{bit_counts, domain, epsilon};
use crate::testing::{LEVEL, exact_binomial_p};

#[test]
fn no_other_size_has_a_smaller_variance() {
    for size in [2, 3, 10, 41, 200] {
        for loss in [1e-6, 0.5, 1.0, 3.0, 50.0] {
            let chosen = SubsetSelection::new(domain(size), epsilon(loss));
            for members in 1..size {
                let other = SubsetSelection::of_size(domain(size), epsilon(loss), members);
                let ratio = chosen.variance(0.0, 1) / other.variance(0.0, 1);
                assert!(ratio < 1.0 + 1e-12, "{size} at {loss}: {} or {members}", chosen.members());
            }
        }
    }
    let oracle = SubsetSelection::new(domain(1024), epsilon(1.0));
    assert_eq!((oracle.members(), oracle.report_bytes()), (275, 128));
}

#[test]
fn sets_are_listed_once_each() {
    for (symbols, members) in [(2, 1), (5, 2), (9, 4), (63, 2), (16, 15)] {
        let sets: Vec<u64> = sets_of(symbols, members).collect();
        assert!(sets.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(sets.iter().all(|set| set.count_ones() == members && set >> symbols == 0));
        assert_eq!(BigUint::from(sets.len()), binomial(symbols, members));
    }
}

/// Sets of several words, which the exact law does not list.
#[test]
fn each_bit_of_a_long_set_has_its_probability() {
    const DRAWS: u64 = 20_000;
    let oracle = SubsetSelection::new(domain(130), epsilon(1.0));
    let own_p = oracle.channel.inside_probability();
    let other_p = (f64::from(oracle.members()) - own_p) / 129.0;
    for own in [0, 63, 64, 127, 129] {
        let counts = bit_counts(&oracle, own, DRAWS);
        for (symbol, &count) in (0..).zip(&counts) {
            let (p, off) = if symbol == own { (own_p, other_p) } else { (other_p, own_p) };
            assert!(
                exact_binomial_p(count, DRAWS, p) > LEVEL / 130.0,
                "symbol {symbol} of a person with {own}"
            );
            // Power: own and other symbols differ.
            assert!(exact_binomial_p(count, DRAWS, off) < LEVEL, "symbol {symbol} of a person with {own}");
        }
    }
}
