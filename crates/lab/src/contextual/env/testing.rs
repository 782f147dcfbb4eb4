//! Shared by the statistical tests of worlds.

use reticent_privacy::{SimRng, SimSeed, Stream};
use statrs::distribution::{Binomial, ChiSquared, ContinuousCDF, DiscreteCDF};

use super::{World, WorldOptions};

/// A correct sampler fails a test on a fresh seed with this probability.
pub(super) const LEVEL: f64 = 1e-6;

/// Fixed, so that a run can be repeated; `make nightly` compiles in a fresh one.
pub(super) fn rng(trial: u64) -> SimRng {
    let seed = option_env!("RETICENT_TEST_SEED").and_then(|text| text.parse().ok()).unwrap_or(12);
    SimSeed(seed).stream(trial, Stream::Environment)
}

pub(super) fn open(name: &str) -> World {
    World::open(name, &WorldOptions::default()).unwrap()
}

/// The p-value of Pearson's chi-square that numbers in [0, 1] are uniform: 50 cells.
pub(super) fn uniform_p(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut counts = [0_u64; 50];
    for x in numbers {
        assert!((0.0..=1.0).contains(&x), "{x}");
        counts[((x * 50.0) as usize).min(49)] += 1;
    }
    chi_square_p(&counts, &[0.02; 50])
}

pub(super) fn chi_square_p(counts: &[u64], probabilities: &[f64]) -> f64 {
    let total = counts.iter().sum::<u64>() as f64;
    let cells = counts.iter().zip(probabilities);
    let statistic: f64 = cells
        .map(|(&count, p)| {
            let expected = total * p;
            assert!(expected >= 20.0, "expected count {expected} is too small for a chi-square test");
            (count as f64 - expected).powi(2) / expected
        })
        .sum();
    1.0 - ChiSquared::new(counts.len() as f64 - 1.0).unwrap().cdf(statistic)
}

/// The two-sided exact binomial p-value (twice the smaller tail).
pub(super) fn binomial_p(hits: u64, draws: u64, probability: f64) -> f64 {
    let law = Binomial::new(probability, draws).unwrap();
    let above = if hits == 0 { 1.0 } else { law.sf(hits - 1) };
    (2.0 * law.cdf(hits).min(above)).min(1.0)
}
