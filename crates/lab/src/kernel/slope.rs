//! How fast an error falls: the exponent of a power law.

/// The slope of a least-squares line through logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// The exponent.
    pub value: f64,
    /// Its standard error by the residuals; `None` for two points, which have none.
    pub standard_error: Option<f64>,
}

/// Fits y = c x^slope to points of which both are positive; `None` with fewer than two different x.
pub fn slope(points: &[(f64, f64)]) -> Option<Slope> {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .filter(|(x, y)| *x > 0.0 && *y > 0.0 && x.is_finite() && y.is_finite())
        .map(|&(x, y)| (libm::log(x), libm::log(y)))
        .collect();
    let n = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|log| log.0), mean(|log| log.1));
    let spread: f64 = logs.iter().map(|log| (log.0 - x) * (log.0 - x)).sum();
    if logs.len() < 2 || spread == 0.0 {
        return None;
    }
    let value = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum::<f64>() / spread;
    let residual = |log: &(f64, f64)| log.1 - y - value * (log.0 - x);
    let left: f64 = logs.iter().map(|log| residual(log) * residual(log)).sum();
    let standard_error = (logs.len() > 2).then(|| (left / (n - 2.0) / spread).sqrt());
    Some(Slope { value, standard_error })
}
