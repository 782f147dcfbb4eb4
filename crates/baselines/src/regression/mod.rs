//! Two strong predictors of an outcome from raw records, as an analyst without any privacy would take them: a
//! logistic regression and gradient boosting. Not private: for comparison alone.

mod boosting;
mod logistic;
#[cfg(test)]
mod tests;

pub use boosting::Boosting;
pub use logistic::Logistic;

/// Raw records: `width` features each in [0, 1], row after row, and outcomes in [0, 1].
#[derive(Debug, Clone, Copy)]
pub struct Records<'a> {
    /// Features of a record.
    pub width: usize,
    /// All features.
    pub features: &'a [f64],
    /// An outcome for each record.
    pub outcomes: &'a [f64],
}

/// Predicts the mean outcome.
pub trait Predictor {
    /// The mean outcome for these features.
    fn mean(&self, features: &[f64]) -> f64;
}
