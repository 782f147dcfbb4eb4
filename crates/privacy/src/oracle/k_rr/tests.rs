//! The variance is the paper's.

use super::*;
use crate::oracle::tests::{domain, epsilon};

#[test]
fn the_variance_is_the_known_formula() {
    for (size, loss) in [(2, 1.0), (10, 0.5), (1000, 3.0)] {
        let oracle = KaryResponse::new(domain(size), epsilon(loss));
        let (e, d) = (libm::exp(loss), f64::from(size));
        // Wang et al. (2017), direct encoding: (D - 2 + e^epsilon)/(e^epsilon - 1)^2 at frequency 0.
        let known = (d - 2.0 + e) / ((e - 1.0) * (e - 1.0));
        assert!((oracle.variance(0.0, 1) / known - 1.0).abs() < 1e-12, "{size} at {loss}");
        assert!((oracle.variance(0.0, 100) / known * 100.0 - 1.0).abs() < 1e-12);
    }
    assert_eq!(KaryResponse::new(domain(1024), epsilon(1.0)).report_bytes(), 2);
}
