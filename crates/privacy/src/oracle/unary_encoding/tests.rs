//! The variance is the paper's.

use super::*;
use crate::oracle::tests::{domain, epsilon};

#[test]
fn the_variance_is_the_known_formula() {
    for (size, loss) in [(2, 1.0), (10, 0.5), (1000, 3.0)] {
        let oracle = UnaryEncoding::new(domain(size), epsilon(loss));
        let e = libm::exp(loss);
        // Wang et al. (2017), (8), and (1) at frequency 1, where the own bit is a fair coin.
        let known = 4.0 * e / ((e - 1.0) * (e - 1.0));
        assert!((oracle.variance(0.0, 1) / known - 1.0).abs() < 1e-12, "{size} at {loss}");
        let own = (e + 1.0) * (e + 1.0) / ((e - 1.0) * (e - 1.0));
        assert!((oracle.variance(1.0, 1) / own - 1.0).abs() < 1e-12, "{size} at {loss}");
    }
    assert_eq!(UnaryEncoding::new(domain(1024), epsilon(1.0)).report_bytes(), 128);
}
