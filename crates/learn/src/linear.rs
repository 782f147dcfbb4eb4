//! Dense linear algebra in a fixed order of operations: the same bits on each machine, which no tuned library promises.

/// The sum of products, in eight interleaved partial sums so that a compiler can use vectors without
/// reordering anything.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let tail: f64 = a8.remainder().iter().zip(b8.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a8.zip(b8) {
        for i in 0..8 {
            sums[i] += x[i] * y[i];
        }
    }
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + tail
}

/// Adds `factor` times `from` to `to`.
#[inline]
pub(crate) fn add_scaled(to: &mut [f64], factor: f64, from: &[f64]) {
    for (t, f) in to.iter_mut().zip(from) {
        *t += factor * f;
    }
}

/// A lower triangular matrix, row by row in a square.
#[derive(Debug, Clone)]
pub(crate) struct Lower {
    n: usize,
    rows: Vec<f64>,
}

impl Lower {
    /// The Cholesky factor of a symmetric matrix whose eigenvalues are at least 1, given by its lower triangle.
    pub(crate) fn factor(n: usize, mut a: Vec<f64>) -> Lower {
        for i in 0..n {
            let (above, row) = a.split_at_mut(i * n);
            for j in 0..i {
                let other = &above[j * n..=j * n + j];
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            // At least 1 in exact arithmetic; the floor keeps rounding from making it a NaN.
            row[i] = (row[i] - dot(&row[..i], &row[..i])).max(0.5).sqrt();
        }
        Lower { n, rows: a }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.n..=i * self.n + i]
    }

    /// The logarithm of the determinant of the matrix that was factored.
    pub(crate) fn log_det(&self) -> f64 {
        (0..self.n).map(|i| 2.0 * libm::log(self.row(i)[i])).sum()
    }

    /// Solves L x = b in place.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        for i in 0..self.n {
            let row = self.row(i);
            b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
        }
    }

    /// Solves L X = B in place, B row by row with this many columns.
    pub(crate) fn solve_rows(&self, columns: usize, b: &mut [f64]) {
        for i in 0..self.n {
            let (above, rest) = b.split_at_mut(i * columns);
            let (row, to) = (self.row(i), &mut rest[..columns]);
            for (other, &factor) in above.chunks_exact(columns).zip(row) {
                add_scaled(to, -factor, other);
            }
            for value in to {
                *value /= row[i];
            }
        }
    }

    /// Solves L' x = b in place.
    pub(crate) fn solve_transposed(&self, b: &mut [f64]) {
        for i in (0..self.n).rev() {
            let row = self.row(i);
            b[i] /= row[i];
            let x = b[i];
            add_scaled(&mut b[..i], -x, &row[..i]);
        }
    }
}

/// Eigenvalues and eigenvectors (as columns of a square) of a symmetric matrix, by Jacobi's rotations.
pub(crate) fn eigen(n: usize, mut a: Vec<f64>) -> (Vec<f64>, Vec<f64>) {
    let mut vectors = vec![0.0; n * n];
    for i in 0..n {
        vectors[i * n + i] = 1.0;
    }
    let size: f64 = a.iter().map(|x| x * x).sum();
    for _ in 0..MAX_SWEEPS {
        let off: f64 = (0..n * n).filter(|i| i / n != i % n).map(|i| a[i] * a[i]).sum();
        if off <= 1e-24 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(n, &mut a, &mut vectors, p, q);
            }
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), vectors)
}

const MAX_SWEEPS: usize = 60;

/// One rotation that makes entry (p, q) zero.
fn rotate(n: usize, a: &mut [f64], vectors: &mut [f64], p: usize, q: usize) {
    let apq = a[p * n + q];
    if apq.abs() < f64::MIN_POSITIVE {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    let t = if theta < 0.0 { -1.0 } else { 1.0 } / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
        let (x, y) = (vectors[k * n + p], vectors[k * n + q]);
        (vectors[k * n + p], vectors[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{SimSeed, Stream};

    /// A random symmetric matrix with eigenvalues of 1 and more.
    fn matrix(n: usize) -> Vec<f64> {
        let mut rng = SimSeed(1).stream(n as u64, Stream::Environment);
        let b: Vec<f64> = (0..n * n).map(|_| rng.normal()).collect();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] =
                    dot(&b[i * n..(i + 1) * n], &b[j * n..(j + 1) * n]) + f64::from(u8::from(i == j));
            }
        }
        a
    }

    fn times(n: usize, a: &[f64], x: &[f64]) -> Vec<f64> {
        (0..n).map(|i| dot(&a[i * n..(i + 1) * n], x)).collect()
    }

    #[test]
    fn solving_undoes_multiplying_and_the_determinant_is_the_product_of_eigenvalues() {
        for n in [1, 2, 7, 8, 9, 33] {
            let a = matrix(n);
            let x: Vec<f64> = (0..n).map(|i| libm::sin(i as f64)).collect();
            let mut b = times(n, &a, &x);
            let factor = Lower::factor(n, a.clone());
            factor.solve(&mut b);
            factor.solve_transposed(&mut b);
            assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-9), "{n}");
            let (values, vectors) = eigen(n, a.clone());
            let log_det: f64 = values.iter().map(|&v| libm::log(v)).sum();
            assert!((factor.log_det() - log_det).abs() < 1e-9, "{n}");
            for k in 0..n {
                let column: Vec<f64> = (0..n).map(|i| vectors[i * n + k]).collect();
                let image = times(n, &a, &column);
                assert!(image.iter().zip(&column).all(|(y, v)| (y - values[k] * v).abs() < 1e-9), "{n} {k}");
            }
        }
    }
}
