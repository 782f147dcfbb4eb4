//! A finite feature map made of public things alone. What is computed is *defined* in its space, so that
//! bounds hold for what the program computes.

use faer::{Mat, MatRef};

use super::algebra::{self, Singular};
use super::{Kernel, Points, blocks};

/// phi(w) = L^-1 k(P, w) for public points P with k(P, P) = L L' (Nystroem): phi(w)' phi(w') is the best
/// approximation of k(w, w') in the span of P, and equal to it if w or w' is in P.
#[derive(Clone, Debug)]
pub struct FeatureMap {
    kernel: Kernel,
    points: Points,
    /// L'^-1, so that a row of features is a row of kernels times this.
    transform: Mat<f64>,
    residual: f64,
}

impl FeatureMap {
    /// Chooses up to `rank` of the candidates by pivoted Cholesky: always the one that is explained worst by
    /// those before, until none has more than `tolerance` of its variance left.
    pub fn pivoted(kernel: &Kernel, candidates: &Points, rank: usize, tolerance: f64) -> FeatureMap {
        let count = candidates.len();
        let mut left = vec![1.0_f64; count];
        let mut columns = Mat::<f64>::zeros(count, rank.min(count));
        let mut pivots = Vec::new();
        for step in 0..rank.min(count) {
            let (pivot, most) = largest(&left);
            if most <= tolerance {
                break;
            }
            let mut column = kernel.between(candidates, &candidates.select(&[pivot]));
            let (before, row) = (columns.get(.., ..step), columns.get(pivot, ..step).transpose().to_owned());
            let explained = algebra::times(before, row.as_mat());
            let root = most.sqrt();
            for i in 0..count {
                column[(i, 0)] = (column[(i, 0)] - explained[(i, 0)]) / root;
                left[i] = (left[i] - column[(i, 0)] * column[(i, 0)]).max(0.0);
            }
            left[pivot] = 0.0;
            columns.col_mut(step).copy_from(column.col(0));
            pivots.push(pivot);
        }
        let size = pivots.len();
        let lower = Mat::from_fn(size, size, |i, j| if j <= i { columns[(pivots[i], j)] } else { 0.0 });
        FeatureMap::of_factor(kernel, candidates.select(&pivots), lower.as_ref(), largest(&left).1)
    }

    /// The map of given points, as saved before. Points that others explain within rounding are an error.
    pub fn of_points(kernel: &Kernel, points: Points) -> Result<FeatureMap, Singular> {
        let lower = algebra::cholesky(kernel.between(&points, &points).as_ref())?;
        Ok(FeatureMap::of_factor(kernel, points, lower.as_ref(), f64::NAN))
    }

    fn of_factor(kernel: &Kernel, points: Points, lower: MatRef<'_, f64>, residual: f64) -> FeatureMap {
        let transform = algebra::invert_lower(lower).transpose().to_owned();
        FeatureMap { kernel: kernel.clone(), points, transform, residual }
    }

    /// How many features there are.
    pub fn rank(&self) -> usize {
        self.points.len()
    }

    /// The public points.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The largest share of variance that no feature explains, among the candidates.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// The features of each point, a row each.
    pub fn rows(&self, points: &Points) -> Mat<f64> {
        self.mapped(points, self.transform.as_ref())
    }

    /// The kernels of each point with P, times M.
    pub fn mapped(&self, points: &Points, matrix: MatRef<'_, f64>) -> Mat<f64> {
        algebra::times(self.kernel.between(points, &self.points).as_ref(), matrix)
    }

    /// L'^-1 M: what makes [`FeatureMap::mapped`] give phi(w)' M.
    pub fn then(&self, matrix: MatRef<'_, f64>) -> Mat<f64> {
        algebra::times(self.transform.as_ref(), matrix)
    }

    /// The sum of phi phi' over `len` points, which `block` makes by their numbers. Memory does not grow with `len`.
    pub fn gram(
        &self,
        len: usize,
        threads: usize,
        block: impl Fn(std::ops::Range<usize>) -> Points + Sync,
    ) -> Mat<f64> {
        let rank = self.rank();
        let start = || Mat::<f64>::zeros(rank, rank);
        let parts = blocks::fold(len, threads, start, |sum, numbers| {
            algebra::add_gram(sum.as_mut(), self.rows(&block(numbers)).as_ref());
        });
        let mut sum = parts.into_iter().reduce(|a, b| a + b).unwrap_or_else(start);
        algebra::mirror(sum.as_mut());
        sum
    }
}

/// The first largest entry, with its place.
fn largest(values: &[f64]) -> (usize, f64) {
    values
        .iter()
        .copied()
        .enumerate()
        .fold((0, f64::NEG_INFINITY), |best, one| if one.1 > best.1 { one } else { best })
}
