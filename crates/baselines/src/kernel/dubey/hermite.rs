//! Gauss-Hermite quadrature: averages over a standard normal number.

/// Nodes in rising order and their weights, which sum to one: with `count` nodes, averages of polynomials up
/// to degree 2 count - 1 are exact.
pub(super) fn hermite(count: usize) -> Vec<(f64, f64)> {
    let mut roots: Vec<f64> = Vec::new();
    for degree in 1..=count {
        // The roots of one degree lie between those of the degree before (interlacing), and within sqrt(4 n + 2).
        let edge = (4.0 * degree as f64 + 2.0).sqrt();
        let walls: Vec<f64> =
            std::iter::once(-edge).chain(roots.iter().copied()).chain(std::iter::once(edge)).collect();
        roots = walls.windows(2).map(|pair| root(degree, pair[0], pair[1])).collect();
    }
    // Opposite nodes must be opposite to the last bit, so that one can stand for both.
    let half: Vec<f64> = (0..count).map(|i| 0.5 * (roots[i] - roots[count - 1 - i])).collect();
    half.into_iter().map(|node| (node, weight(count, node))).collect()
}

/// Hermite polynomials of degrees 0 to `degree` at x, orthonormal under the normal law: `sqrt(k+1) p_(k+1) =
/// x p_k - sqrt(k) p_(k-1)`.
fn polynomials(degree: usize, x: f64) -> impl Iterator<Item = f64> {
    let mut pair = (0.0, 1.0);
    (0..=degree).map(move |k| {
        let (before, here) = pair;
        let k = k as f64;
        pair = (here, (x * here - k.sqrt() * before) / (k + 1.0).sqrt());
        here
    })
}

/// Bisection, to the last bit.
fn root(degree: usize, mut low: f64, mut high: f64) -> f64 {
    let at = |x: f64| polynomials(degree, x).last().unwrap_or(1.0);
    let below = at(low) < 0.0;
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if (at(middle) < 0.0) == below { low = middle } else { high = middle }
    }
}

/// Christoffel's formula: one over the sum of squares of the polynomials below the degree.
fn weight(count: usize, node: f64) -> f64 {
    1.0 / polynomials(count - 1, node).map(|p| p * p).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_the_normal_law_are_exact() {
        for count in [1, 2, 3, 8, 21, 64] {
            let nodes = hermite(count);
            let mut moment = 1.0;
            for power in 0..count.min(12) as i32 {
                // E x^(2p) = (2p - 1)!!, and odd moments vanish.
                if power > 0 {
                    moment *= f64::from(2 * power - 1);
                }
                let even: f64 = nodes.iter().map(|(x, w)| w * x.powi(2 * power)).sum();
                let odd: f64 = nodes.iter().map(|(x, w)| w * x.powi(2 * power + 1)).sum();
                assert!((even / moment - 1.0).abs() < 1e-11, "{count} {power} {even}");
                assert!(odd.abs() < 1e-11 * moment.max(1.0) * 10.0, "{count} {power} {odd}");
            }
        }
        let next: f64 = hermite(3).iter().map(|(x, w)| w * x.powi(6)).sum();
        assert!((next - 15.0).abs() > 1.0, "degree 2 count is the first that is not exact");
    }
}
