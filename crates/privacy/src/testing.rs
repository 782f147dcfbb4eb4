//! Shared by the statistical tests: p-values that are true p-values.

use crate::SimSeed;
use statrs::distribution::{Binomial, ChiSquared, ContinuousCDF, DiscreteCDF};

/// A correct sampler fails a test on a fresh seed with this probability.
pub(crate) const LEVEL: f64 = 1e-6;

/// The seed of the statistical tests: fixed, so that a run can be repeated; `make nightly` compiles in a fresh one.
pub(crate) fn seed() -> SimSeed {
    SimSeed(option_env!("RETICENT_TEST_SEED").and_then(|text| text.parse().ok()).unwrap_or(20_261_115))
}

/// The p-value of Pearson's chi-square. Cells must be large enough for it to be one: an expected count below 20 is a
/// mistake of the test, and is refused.
pub(crate) fn chi_square_p(counts: &[u64], probabilities: &[f64]) -> f64 {
    assert_eq!(counts.len(), probabilities.len());
    let total: f64 = counts.iter().sum::<u64>() as f64;
    let mass: f64 = probabilities.iter().sum();
    assert!((mass - 1.0).abs() < 1e-9, "probabilities sum to {mass}");
    let statistic: f64 = counts
        .iter()
        .zip(probabilities)
        .map(|(&count, &p)| {
            let expected = total * p;
            assert!(expected >= 20.0, "expected count {expected} is too small for a chi-square test");
            (count as f64 - expected).powi(2) / expected
        })
        .sum();
    1.0 - ChiSquared::new(counts.len() as f64 - 1.0).unwrap().cdf(statistic)
}

/// The two-sided exact binomial p-value (twice the smaller tail).
pub(crate) fn exact_binomial_p(hits: u64, draws: u64, probability: f64) -> f64 {
    let law = Binomial::new(probability, draws).unwrap();
    let below = law.cdf(hits);
    let above = if hits == 0 { 1.0 } else { 1.0 - law.cdf(hits - 1) };
    (2.0 * below.min(above)).min(1.0)
}
