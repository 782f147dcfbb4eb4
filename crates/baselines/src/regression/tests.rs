use super::*;
use reticent_privacy::{SimSeed, Stream};

/// Records of a context and a price, with a chance of a sale that is logistic in both.
fn records(count: usize) -> (Vec<f64>, Vec<f64>) {
    let mut rng = SimSeed(4).stream(0, Stream::Environment);
    let features: Vec<f64> = (0..2 * count).map(|_| rng.uniform()).collect();
    let outcomes = features.chunks_exact(2).map(|x| f64::from(u8::from(rng.uniform() < chance(x))));
    let outcomes = outcomes.collect();
    (features, outcomes)
}

fn chance(features: &[f64]) -> f64 {
    1.0 / (1.0 + libm::exp(8.0 * (features[1] - 0.35 - 0.4 * features[0])))
}

/// The root mean squared error over a grid.
fn error(model: &impl Predictor) -> f64 {
    let grid = (0..400).map(|i| [f64::from(i % 20) / 19.0, f64::from(i / 20) / 19.0]);
    (grid.map(|x| (model.mean(&x) - chance(&x)).powi(2)).sum::<f64>() / 400.0).sqrt()
}

#[test]
fn both_learn_a_logistic_demand_and_the_regression_that_is_right_learns_it_best() {
    let (features, outcomes) = records(20_000);
    let records = Records { width: 2, features: &features, outcomes: &outcomes };
    let (logistic, boosting) = (error(&Logistic::fit(&records)), error(&Boosting::fit(&records)));
    assert!(logistic < 0.01 && boosting < 0.04 && logistic < boosting, "{logistic} {boosting}");
}

#[test]
fn a_constant_outcome_is_learned_as_one() {
    let features = vec![0.5; 100];
    let outcomes = vec![0.25; 50];
    let records = Records { width: 2, features: &features, outcomes: &outcomes };
    assert!((Logistic::fit(&records).mean(&[0.5, 0.5]) - 0.25).abs() < 1e-3);
    assert!((Boosting::fit(&records).mean(&[0.1, 0.9]) - 0.25).abs() < 1e-12);
}
