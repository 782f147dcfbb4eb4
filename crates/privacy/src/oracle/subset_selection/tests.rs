//! Sets have the size of the smallest variance, and are listed once each.

use super::*;
use crate::oracle::tests::{domain, epsilon};

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
