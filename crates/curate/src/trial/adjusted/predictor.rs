//! A linear predictor of the outcome, from noisy moments. It may be a poor one: an effect on what it leaves is the
//! effect on outcomes all the same.

use faer::{Mat, MatRef};
use reticent_privacy::VectorSum;

use super::super::TrialSpec;
use super::{Noises, length};
use crate::kernel::algebra::{cholesky, solve_lower, solve_upper};
use crate::trial::whole::Form;

/// Parts of a person's squared length: products of covariates, covariates, their products with the outcome, and the
/// outcome.
const PARTS: [f64; 4] = [0.25, 0.125, 0.5, 0.125];

/// How many numbers the first sum has.
pub(super) fn moments(covariates: usize) -> usize {
    covariates * (covariates + 1) / 2 + 2 * covariates + 1
}

/// How much of each number a person's vector has, by part.
fn shares(covariates: usize) -> [f64; 4] {
    let many = covariates as f64;
    let numbers = [many * (many + 1.0) / 2.0, many, many, 1.0];
    [0, 1, 2, 3].map(|part| (PARTS[part] / numbers[part]).sqrt())
}

/// What a person adds: products of covariates, covariates, their products with twice the outcome, and that. Covariates
/// and twice the outcome are at most one, so that the length is too.
pub(super) fn vector(covariates: &[f64], outcome: Option<f64>) -> Vec<f64> {
    let [square, alone, product, own] = shares(covariates.len());
    let outcome = 2.0 * outcome.unwrap_or(0.0);
    let mut all = Vec::with_capacity(moments(covariates.len()));
    for (place, one) in covariates.iter().enumerate() {
        all.extend(covariates[..=place].iter().map(|other| square * one * other));
    }
    all.extend(covariates.iter().map(|one| alone * one));
    all.extend(covariates.iter().map(|one| product * one * outcome));
    all.push(own * outcome);
    all
}

/// A bounded function of covariates.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::trial) struct Predictor {
    means: Vec<f64>,
    slopes: Vec<f64>,
    /// The farthest that a prediction is from its mean.
    most: f64,
}

/// A prediction stays within so many of its deviations.
const DEVIATIONS: f64 = 2.5;
/// How much of the slopes is tried.
const PARTS_OF_SLOPES: [f64; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];

/// Means and covariances per person, as the noisy sum tells them.
struct Covariances {
    means: Vec<f64>,
    squares: Mat<f64>,
    products: Mat<f64>,
    /// The deviation of the noise in a square and in a product.
    noise: [f64; 2],
}

impl Covariances {
    fn new(moments: &[i64], covariates: usize, people: f64, sigma: f64) -> Covariances {
        let [square, alone, product, own] = shares(covariates);
        let of =
            |place: usize, share: f64| moments[place] as f64 / f64::from(VectorSum::RADIUS) / share / people;
        let squares = covariates * (covariates + 1) / 2;
        let means: Vec<f64> = (0..covariates).map(|one| of(squares + one, alone).clamp(-1.0, 1.0)).collect();
        let outcome = of(squares + 2 * covariates, own).clamp(-1.0, 1.0) / 2.0;
        let at = |one: usize, other: usize| {
            let (large, small) = (one.max(other), one.min(other));
            of(large * (large + 1) / 2 + small, square) - means[one] * means[other]
        };
        let with = |one: usize| of(squares + covariates + one, product) / 2.0 - means[one] * outcome;
        Covariances {
            squares: Mat::from_fn(covariates, covariates, at),
            products: Mat::from_fn(covariates, 1, |one, _| with(one)),
            noise: [sigma / square / people, sigma / product / people / 2.0],
            means,
        }
    }

    /// Slopes by ridge regression, and how much of their fit is that of the noise. The ridge is the size of the
    /// squares' noise, and more until there is an answer.
    fn slopes(&self) -> (Mat<f64>, f64) {
        let covariates = self.means.len();
        let mut ridge = (2.0 * self.noise[0] * (covariates as f64).sqrt()).max(1e-6);
        loop {
            let raised = |one: usize, other: usize| {
                self.squares[(one, other)] + if one == other { ridge } else { 0.0 }
            };
            if let Ok(lower) = cholesky(Mat::from_fn(covariates, covariates, raised).as_ref()) {
                let mut slopes = self.products.clone();
                solve_lower(lower.as_ref(), slopes.as_mut());
                solve_upper(lower.as_ref(), slopes.as_mut());
                return (slopes, self.noise[1] * self.noise[1] * inverse_trace(lower.as_ref()));
            }
            ridge *= 2.0;
        }
    }
}

/// The trace of the inverse of L L'.
fn inverse_trace(lower: MatRef<'_, f64>) -> f64 {
    let mut inverse = Mat::<f64>::identity(lower.nrows(), lower.nrows());
    solve_lower(lower, inverse.as_mut());
    (0..inverse.ncols())
        .map(|column| (0..inverse.nrows()).map(|row| inverse[(row, column)].powi(2)).sum::<f64>())
        .sum()
}

impl Predictor {
    /// From the noisy moments, which are all that it sees.
    pub(in crate::trial) fn new(spec: &TrialSpec, moments: &[i64]) -> Predictor {
        let covariates = spec.draft().adjust.as_ref().map_or(0, |adjust| adjust.covariates.len());
        let people = spec.draft().people as f64;
        let Some(noises) = Noises::of(spec).filter(|_| moments.len() == self::moments(covariates)) else {
            return Predictor { means: Vec::new(), slopes: Vec::new(), most: 0.0 };
        };
        let known = Covariances::new(moments, covariates, people, noises.predictor.sigma());
        let (slopes, fit_of_noise) = known.slopes();
        let quadratic = |one: usize| {
            (0..covariates).map(|other| known.squares[(one, other)] * slopes[(other, 0)]).sum::<f64>()
        };
        let varies: f64 = (0..covariates).map(|one| slopes[(one, 0)] * quadratic(one)).sum::<f64>().max(0.0);
        let fits: f64 = (0..covariates).map(|one| slopes[(one, 0)] * known.products[(one, 0)]).sum();
        let farthest: f64 =
            (0..covariates).map(|one| slopes[(one, 0)].abs() * (1.0 + known.means[one].abs())).sum();
        let most = farthest.min(DEVIATIONS * varies.sqrt()).min(0.5);
        let cost = |part: f64| {
            let explained = 2.0 * part * (fits - fit_of_noise) - part * part * varies;
            let noise = noises.residuals.sigma() * length(&Form::adjusted(spec)) * (0.5 + part * most);
            noise * noise / people - explained
        };
        let part = PARTS_OF_SLOPES
            .into_iter()
            .fold(0.0, |best, one| if cost(one) < cost(best) { one } else { best });
        Predictor {
            slopes: (0..covariates).map(|one| part * slopes[(one, 0)]).collect(),
            means: known.means,
            most: part * most,
        }
    }

    /// The farthest that a residual can be from zero: of an outcome about the middle.
    pub(in crate::trial) fn reach(&self) -> f64 {
        0.5 + self.most
    }

    /// Whether it predicts anything.
    pub(in crate::trial) fn is_used(&self) -> bool {
        self.most > 0.0
    }

    fn at(&self, covariates: &[f64]) -> f64 {
        let parts = covariates.iter().zip(&self.means).zip(&self.slopes);
        let sum: f64 = parts.map(|((value, mean), slope)| slope * (value - mean)).sum();
        sum.clamp(-self.most, self.most)
    }

    /// What it leaves of an outcome from -1/2 to 1/2, in parts of the farthest: from -1 to 1.
    pub(super) fn residual(&self, outcome: f64, covariates: &[f64]) -> f64 {
        ((outcome - self.at(covariates)) / self.reach()).clamp(-1.0, 1.0)
    }
}
