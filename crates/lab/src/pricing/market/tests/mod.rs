//! Shared by the tests of markets.

mod contexts;
mod exam;
mod logging;
mod lower_bound;
mod names;
mod optimum;
mod transfer;

use reticent_privacy::{SimRng, SimSeed, Stream};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::*;

/// A correct sampler fails a test on a fresh seed with this probability.
const LEVEL: f64 = 1e-6;

/// Fixed, so that a run can be repeated; `make nightly` compiles in a fresh one.
fn rng(trial: u64) -> SimRng {
    let seed = option_env!("RETICENT_TEST_SEED").and_then(|text| text.parse().ok()).unwrap_or(12);
    SimSeed(seed).stream(trial, Stream::Environment)
}

fn curve(spec: CurveSpec) -> Market {
    Market::new(spec).unwrap()
}

fn hard(spec: LowerBoundSpec) -> Market {
    Market::new(spec).unwrap()
}

/// Every kind of contexts, prices and outcomes with 1 and 2 coordinates. The parts of the lower bound have
/// corners at multiples of 0.025.
fn markets() -> Vec<Market> {
    let mut all = Vec::new();
    for dims in [1, 2] {
        for demand in Curve::ALL {
            let plain = CurveSpec { demand, dims, ..CurveSpec::default() };
            all.push(curve(plain));
            let (source, logging) = (Source::Vanishing { alpha: 1.5 }, Logging::Exploring { zeta: 0.3 });
            all.push(curve(CurveSpec {
                target: Target::Beta,
                source,
                logging,
                outcome: OutcomeKind::Sale,
                ..plain
            }));
        }
        let plain = LowerBoundSpec { dims, alpha: 0.5, zeta: 0.4, ..LowerBoundSpec::default() };
        all.push(hard(plain));
        all.push(hard(LowerBoundSpec { beta: 0.2, transfer: 0.5, seed: 3, ..plain }));
    }
    all
}

/// The p-value of Pearson's chi-square. What has probability 0 must not occur.
fn chi_square_p(counts: &[u64], probabilities: &[f64]) -> f64 {
    let total = counts.iter().sum::<u64>() as f64;
    let (mut statistic, mut cells) = (0.0, 0);
    for (&count, p) in counts.iter().zip(probabilities) {
        let expected = total * p;
        if *p == 0.0 {
            assert_eq!(count, 0);
            continue;
        }
        assert!(expected >= 20.0, "expected count {expected} is too small for a chi-square test");
        statistic += (count as f64 - expected).powi(2) / expected;
        cells += 1;
    }
    1.0 - ChiSquared::new(f64::from(cells) - 1.0).unwrap().cdf(statistic)
}

/// The midpoints of `side` equal parts along each coordinate.
fn midpoints(side: usize, dims: usize) -> impl Iterator<Item = Vec<f64>> {
    (0..side.pow(dims as u32)).map(move |number| {
        let digit = |place: usize| number / side.pow(place as u32) % side;
        (0..dims).map(|place| (digit(place) as f64 + 0.5) / side as f64).collect()
    })
}

/// Which of those parts a context is in.
fn part(context: &[f64], side: usize) -> usize {
    let digit = |&x: &f64| ((x * side as f64) as usize).min(side - 1);
    context.iter().rev().fold(0, |number, x| number * side + digit(x))
}

/// A bound on how far the mean of n numbers in an interval of length 1 is from its expectation (Hoeffding
/// 1963), at the level.
fn hoeffding(n: usize) -> f64 {
    (libm::log(2.0 / LEVEL) / (2.0 * n as f64)).sqrt()
}
