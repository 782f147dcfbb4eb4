//! The bandwidth for those who name none.

/// The bandwidth of Theorem 2's rate, (zeta n)^(-1 / (2 beta + alpha + d + 1)), where n is the number of
/// records, d that of dimensions, beta in (0, 1] the Hölder exponent, alpha >= 0 the transfer exponent
/// (Assumption 3) and zeta in (0, 1] how much near-optimal prices were explored (Assumption 4). None where a
/// number is outside its range. It is at most 1.
///
/// ```
/// use reticent_baselines::nw_lcb::theorem_bandwidth;
/// let h = theorem_bandwidth(1_000_000, 2, 1.0, 0.0, 1.0).ok_or("range")?;
/// assert!((h - 0.0631).abs() < 1e-4);
/// assert_eq!(theorem_bandwidth(100, 2, 1.5, 0.0, 1.0), None);
/// # Ok::<(), &str>(())
/// ```
pub fn theorem_bandwidth(records: u64, dims: u32, beta: f64, alpha: f64, zeta: f64) -> Option<f64> {
    let ranges = beta > 0.0 && beta <= 1.0 && alpha >= 0.0 && alpha.is_finite() && zeta > 0.0 && zeta <= 1.0;
    if !ranges || records == 0 || dims == 0 {
        return None;
    }
    let exponent = -1.0 / (2.0 * beta + alpha + f64::from(dims) + 1.0);
    Some(libm::pow(zeta * records as f64, exponent).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // 2 * 0.5 + 1 + 1 + 1 = 4; (0.5 * 20_000)^(-1/4) = 1/10.
        assert!((theorem_bandwidth(20_000, 1, 0.5, 1.0, 0.5).unwrap() - 0.1).abs() < 1e-15);
        assert_eq!(theorem_bandwidth(2, 1, 1.0, 0.0, 0.25), Some(1.0), "never more than the whole cube");
        let bad =
            [(0, 1, 1.0, 0.0, 1.0), (9, 0, 1.0, 0.0, 1.0), (9, 1, 0.0, 0.0, 1.0), (9, 1, 1.0, -1.0, 1.0)];
        for (n, d, beta, alpha, zeta) in
            bad.into_iter().chain([(9, 1, 1.0, 0.0, 0.0), (9, 1, f64::NAN, 0.0, 1.0)])
        {
            assert_eq!(theorem_bandwidth(n, d, beta, alpha, zeta), None);
        }
    }
}
