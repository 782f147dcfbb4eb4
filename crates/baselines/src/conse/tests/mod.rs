//! Shared by the tests.

mod law;
mod machine;

use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{Conse, Design};

/// A correct sampler fails a test on a fresh seed with this probability.
const LEVEL: f64 = 1e-6;

fn stream(trial: u64) -> SimRng {
    SimSeed(20_261_115).stream(trial, Stream::Noise)
}

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

/// The p-value of Pearson's chi-square; cells with fewer than 20 expected are a mistake of the test.
fn chi_square_p(counts: &[u64], probabilities: &[f64]) -> f64 {
    let total = counts.iter().sum::<u64>() as f64;
    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9, "probabilities do not sum to one");
    let term = |(&count, &p): (&u64, &f64)| {
        assert!(total * p >= 20.0, "an expected count is too small");
        (count as f64 - total * p).powi(2) / (total * p)
    };
    let statistic: f64 = counts.iter().zip(probabilities).map(term).sum();
    1.0 - ChiSquared::new(counts.len() as f64 - 1.0).unwrap().cdf(statistic)
}

/// A whole trial: people come in turn of their features, and arm a of feature j pays a coin of bias `means[j][a]`.
fn run(mut trial: Conse, means: &[[f64; 2]], number: u64) -> Conse {
    let (mut noise, mut world) = (stream(number), SimSeed(1).stream(number, Stream::Environment));
    for t in 0..trial.design().people {
        let feature = t as usize % means.len();
        let arm = trial.choose(feature, &mut noise).unwrap();
        let reward = f64::from(u8::from(world.uniform() < means[feature][arm as usize]));
        trial.record(reward, &mut noise).unwrap();
    }
    trial
}

fn design(people: u64, features: usize, alpha: f64) -> Design {
    Design { people, features, alpha }
}
