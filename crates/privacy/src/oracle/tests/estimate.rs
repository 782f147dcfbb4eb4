//! Estimates are unbiased, and vary as much as they say.

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

use super::*;
use crate::testing::LEVEL;

const TRIALS: u64 = 1_500;

/// Estimates of symbol 0 in each trial, from people who hold it `own` times and each other symbol `each` times.
fn estimates(oracle: &FrequencyOracle, own: u32, each: u32) -> Vec<f64> {
    let estimate = |trial| {
        let mut source = rng(100 + trial);
        let mut aggregate = Aggregate::new(oracle);
        for symbol in oracle.domain().symbols() {
            for _ in 0..if symbol.index() == 0 { own } else { each } {
                aggregate.add(oracle, &oracle.randomise(symbol, &mut source)).unwrap();
            }
        }
        oracle.estimate(&aggregate).unwrap()[0]
    };
    (0..TRIALS).map(estimate).collect()
}

fn two_sided(below: f64) -> f64 {
    2.0 * below.min(1.0 - below)
}

/// The p-value of the mean: a mean of so many reports is normal far beyond the precision needed.
fn mean_p(sample: &[f64], mean: f64, variance: f64) -> f64 {
    let trials = sample.len() as f64;
    let z = (sample.iter().sum::<f64>() / trials - mean) / (variance / trials).sqrt();
    two_sided(Normal::new(0.0, 1.0).unwrap().cdf(z))
}

/// The p-value of the spread around the known mean: chi-square, as each estimate is a mean of many reports.
fn variance_p(sample: &[f64], mean: f64, variance: f64) -> f64 {
    let statistic: f64 = sample.iter().map(|x| (x - mean).powi(2) / variance).sum();
    two_sided(ChiSquared::new(sample.len() as f64).unwrap().cdf(statistic))
}

#[test]
fn unbiased_with_the_stated_variance_and_the_test_has_power() {
    for (size, loss, own, each) in
        [(2, 0.5, 0, 300), (7, 1.0, 200, 50), (20, 1.0, 20, 20), (20, 3.0, 190, 10)]
    {
        for oracle in oracles(size, loss) {
            let people = own + (size - 1) * each;
            let frequency = f64::from(own) / f64::from(people);
            let variance = oracle.variance(frequency, u64::from(people));
            let sample = estimates(&oracle, own, each);
            let what = format!("{} of {size} at {loss}", oracle.kind());
            assert!(mean_p(&sample, frequency, variance) > LEVEL, "{what}: biased");
            assert!(variance_p(&sample, frequency, variance) > LEVEL, "{what}: variance");
            // Power: a bias of a third of one deviation and a variance off by a third must be seen.
            assert!(mean_p(&sample, frequency + variance.sqrt() / 3.0, variance) < LEVEL, "{what}");
            assert!(variance_p(&sample, frequency, variance * 4.0 / 3.0) < LEVEL, "{what}");
            assert!(variance_p(&sample, frequency, variance * 3.0 / 4.0) < LEVEL, "{what}");
        }
    }
}

/// Exactly, from the law: expected counts as the counts give the frequencies of the population back.
#[test]
fn expected_counts_give_the_frequencies() {
    for (size, loss) in [(2, 1.0), (5, 0.3), (13, 2.0), (16, 1.0)] {
        for oracle in oracles(size, loss) {
            for symbol in oracle.domain().symbols().step_by(3) {
                let law = oracle.law(symbol).unwrap();
                let total: BigUint = law.iter().map(|(_, weight)| weight).sum();
                let mut counts = vec![0; oracle.cells()];
                let (mut shares, mut reports) = (vec![0; oracle.cells()], 0);
                for (report, weight) in law {
                    // 2^48 people, each report's share of them rounded down: a relative error of 2^-30 at most.
                    let share = u64::try_from((weight << 48_u32) / &total).unwrap();
                    counts.fill(0);
                    oracle.count(&report, &mut counts).unwrap();
                    shares.iter_mut().zip(&counts).for_each(|(sum, count)| *sum += share * count);
                    reports += share;
                }
                let frequencies = oracle.frequencies(&shares, reports);
                for (index, frequency) in (0..).zip(frequencies) {
                    let expected = f64::from(u8::from(index == symbol.index()));
                    assert!((frequency - expected).abs() < 1e-6, "{} of {size}: {frequency}", oracle.kind());
                }
            }
        }
    }
}
