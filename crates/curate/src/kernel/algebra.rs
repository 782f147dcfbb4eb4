//! What is done with matrices here, by `faer`. Each call runs on the thread that makes it; work is shared out
//! block by block, so that a result does not depend on the number of threads.

use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::linalg::{matmul::matmul, triangular_inverse::invert_lower_triangular};
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};

/// A matrix that should be positive definite is not, even after rounding is allowed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a covariance matrix is singular beyond what rounding explains; use a longer length scale, fewer features or a larger tau"
)]
pub struct Singular;

/// a b.
pub fn times(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    let mut out = Mat::zeros(a.nrows(), b.ncols());
    times_into(out.as_mut(), a, b);
    out
}

/// a b, into `out`.
pub fn times_into(out: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    matmul(out, Accum::Replace, a, b, 1.0, Par::Seq);
}

/// Adds a b to `sum`.
pub fn add_product(sum: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    matmul(sum, Accum::Add, a, b, 1.0, Par::Seq);
}

/// Adds a' a to the lower triangle of `sum`.
pub fn add_gram(sum: MatMut<'_, f64>, a: MatRef<'_, f64>) {
    triangular::matmul(
        sum,
        BlockStructure::TriangularLower,
        Accum::Add,
        a.transpose(),
        BlockStructure::Rectangular,
        a,
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
}

/// Copies the lower triangle to the upper one.
pub fn mirror(mut square: MatMut<'_, f64>) {
    for column in 0..square.ncols() {
        for row in 0..column {
            square[(row, column)] = square[(column, row)];
        }
    }
}

/// The lower factor of a symmetric matrix of which the lower triangle is read.
pub fn cholesky(matrix: MatRef<'_, f64>) -> Result<Mat<f64>, Singular> {
    Ok(matrix.llt(Side::Lower).map_err(|_| Singular)?.L().to_owned())
}

/// The inverse of a lower triangular matrix.
pub fn invert_lower(lower: MatRef<'_, f64>) -> Mat<f64> {
    let mut out = Mat::zeros(lower.nrows(), lower.ncols());
    invert_lower_triangular(out.as_mut(), lower, Par::Seq);
    out
}

/// L^-1 b, in place.
pub fn solve_lower(lower: MatRef<'_, f64>, b: MatMut<'_, f64>) {
    solve_lower_triangular_in_place(lower, b, Par::Seq);
}

/// L'^-1 b, in place.
pub fn solve_upper(lower: MatRef<'_, f64>, b: MatMut<'_, f64>) {
    solve_upper_triangular_in_place(lower.transpose(), b, Par::Seq);
}

/// The same without directions of negative variance, which rounding and approximations leave in a covariance.
pub fn without_negative(matrix: MatRef<'_, f64>) -> Result<Mat<f64>, Singular> {
    let (values, vectors) = eigen(matrix)?;
    let size = values.len();
    let rooted = Mat::from_fn(size, size, |i, j| vectors[(j, i)] * values[i].sqrt());
    let mut out = Mat::zeros(size, size);
    add_gram(out.as_mut(), rooted.as_ref());
    mirror(out.as_mut());
    Ok(out)
}

/// Eigenvalues in rising order, none below zero, and the eigenvectors as columns.
pub fn eigen(matrix: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>), Singular> {
    let parts = matrix.self_adjoint_eigen(Side::Lower).map_err(|_| Singular)?;
    Ok((parts.S().column_vector().iter().map(|value| value.max(0.0)).collect(), parts.U().to_owned()))
}
