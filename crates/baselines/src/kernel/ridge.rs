//! Least squares in a feature space, from sums over records.

use faer::{Mat, MatRef};

use reticent_curate::kernel::algebra::{self, Singular};

/// Phi' Phi (its lower triangle) and Phi' y.
#[derive(Clone)]
pub(super) struct Sums {
    pub(super) gram: Mat<f64>,
    pub(super) moment: Mat<f64>,
}

impl Sums {
    /// Of no records.
    pub(super) fn new(rank: usize) -> Sums {
        Sums { gram: Mat::zeros(rank, rank), moment: Mat::zeros(rank, 1) }
    }

    /// Adds records by their rows of features and their rewards.
    pub(super) fn add(&mut self, rows: MatRef<'_, f64>, rewards: &[f64]) {
        algebra::add_gram(self.gram.as_mut(), rows);
        let rewards = Mat::from_fn(rewards.len(), 1, |i, _| rewards[i]);
        self.moment += algebra::times(rows.transpose(), rewards.as_ref());
    }

    /// The sums over both's records.
    pub(super) fn plus(mut self, other: &Sums) -> Sums {
        self.gram += &other.gram;
        self.moment += &other.moment;
        self
    }
}

/// theta = A^-1 u with A = G + shift I, and A's factor.
pub(super) struct Ridge {
    /// L with L L' = A.
    pub(super) factor: Mat<f64>,
    /// A column.
    pub(super) theta: Mat<f64>,
}

impl Ridge {
    /// Solves for these sums.
    pub(super) fn new(sums: &Sums, shift: f64) -> Result<Ridge, Singular> {
        let mut matrix = sums.gram.clone();
        for i in 0..matrix.nrows() {
            matrix[(i, i)] += shift;
        }
        let factor = algebra::cholesky(matrix.as_ref())?;
        let mut theta = sums.moment.clone();
        algebra::solve_lower(factor.as_ref(), theta.as_mut());
        algebra::solve_upper(factor.as_ref(), theta.as_mut());
        Ok(Ridge { factor, theta })
    }

    /// phi' theta for each row.
    pub(super) fn values(&self, rows: MatRef<'_, f64>) -> Vec<f64> {
        algebra::times(rows, self.theta.as_ref()).col(0).iter().copied().collect()
    }

    /// phi' A^-1 phi for each row.
    pub(super) fn spreads(&self, rows: MatRef<'_, f64>) -> Vec<f64> {
        let mut columns = rows.transpose().to_owned();
        algebra::solve_lower(self.factor.as_ref(), columns.as_mut());
        columns.col_iter().map(|column| column.squared_norm_l2()).collect()
    }
}
