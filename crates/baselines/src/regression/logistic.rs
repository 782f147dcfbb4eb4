//! Logistic regression of the outcome on the features, the square of the last one (the price), and its
//! products with the others; by Newton's method with a little ridge.

use super::{Predictor, Records};

/// Keeps coefficients finite where the records say nothing, or everything.
const RIDGE: f64 = 1e-3;
const STEPS: usize = 12;
/// No step changes a coefficient by more.
const FARTHEST: f64 = 5.0;

/// A fitted regression.
#[derive(Debug, Clone)]
pub struct Logistic {
    weights: Vec<f64>,
}

impl Logistic {
    /// Fits the records. Outcomes between 0 and 1 count as shares.
    pub fn fit(records: &Records<'_>) -> Logistic {
        let size = terms(&vec![0.0; records.width]).len();
        let mut model = Logistic { weights: vec![0.0; size] };
        for _ in 0..STEPS {
            let (gradient, curvature) = model.slopes(records);
            let step = solve(size, curvature, gradient);
            let far = step.iter().fold(0.0_f64, |most, change| most.max(change.abs()));
            let damping = if far > FARTHEST { FARTHEST / far } else { 1.0 };
            for (weight, change) in model.weights.iter_mut().zip(step) {
                *weight += damping * change;
            }
            if far < 1e-8 {
                break;
            }
        }
        model
    }

    /// The gradient of the log-likelihood, and minus its second derivatives.
    fn slopes(&self, records: &Records<'_>) -> (Vec<f64>, Vec<f64>) {
        let size = self.weights.len();
        let mut gradient: Vec<f64> = self.weights.iter().map(|weight| -RIDGE * weight).collect();
        let mut curvature = vec![0.0; size * size];
        for (features, outcome) in records.features.chunks_exact(records.width).zip(records.outcomes) {
            let terms = terms(features);
            let mean = self.of_terms(&terms);
            let weight = (mean * (1.0 - mean)).max(1e-9);
            for (i, &a) in terms.iter().enumerate() {
                gradient[i] += (outcome - mean) * a;
                for (entry, &b) in curvature[i * size..=i * size + i].iter_mut().zip(&terms) {
                    *entry += weight * a * b;
                }
            }
        }
        for i in 0..size {
            curvature[i * size + i] += RIDGE;
        }
        (gradient, curvature)
    }

    fn of_terms(&self, terms: &[f64]) -> f64 {
        let sum: f64 = terms.iter().zip(&self.weights).map(|(term, weight)| term * weight).sum();
        1.0 / (1.0 + libm::exp(-sum))
    }
}

impl Predictor for Logistic {
    fn mean(&self, features: &[f64]) -> f64 {
        self.of_terms(&terms(features))
    }
}

/// One, the features, the price's square, and its products with the others.
fn terms(features: &[f64]) -> Vec<f64> {
    let Some((&price, others)) = features.split_last() else { return vec![1.0] };
    let mut terms = vec![1.0, price, price * price];
    terms.extend(others.iter().flat_map(|&x| [x, x * price]));
    terms
}

/// Solves a symmetric positive system given by its lower triangle, by Cholesky's method.
fn solve(n: usize, mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            let rest = a[i * n + j] - sum;
            a[i * n + j] = if i == j { rest.max(1e-12).sqrt() } else { rest / a[j * n + j] };
        }
        let sum: f64 = (0..i).map(|k| a[i * n + k] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| a[k * n + i] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    b
}
