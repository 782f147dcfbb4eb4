//! How probable it is that each arm is the best, under a prior that learns how far apart the arms lie.
//!
//! A prior that takes each mean for anywhere in the range, whatever the others are, holds arms that lie far apart for
//! likely, and where they lie close it says too much. Here means are normal around a common one, with a common spread.
//! Neither is known: the spread may be any of [`SPREADS`] values, even on a logarithmic scale, and both are weighed by
//! how well they explain the reports. It is for what is told, not for play. `docs/mab.md` has how often it is right.

use crate::best::probabilities_of_best;

/// Values of the spread, and the least and largest, in units of the rewards' range.
const SPREADS: usize = 10;
const LEAST: f64 = 0.005;
const LARGEST: f64 = 0.5;
/// The common mean's prior: the middle of the range, give or take half of it.
const MIDDLE: f64 = 0.5;
const PRECISION: f64 = 4.0;
/// Three points and weights that integrate over a normal value, in deviations.
const POINTS: [(f64, f64); 3] = [(-1.732_050_8, 1.0 / 6.0), (0.0, 2.0 / 3.0), (1.732_050_8, 1.0 / 6.0)];
/// What weighs less than this share of the heaviest is left out.
const LIGHT: f64 = 0.01;

/// What the reports of one arm say by themselves, in units of the rewards' range.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    pub(super) mean: f64,
    /// One over the variance; zero before the first report.
    pub(super) precision: f64,
}

/// A spread, and what the reports say of it and of the common mean.
struct Common {
    spread: f64,
    log_weight: f64,
    mean: f64,
    deviation: f64,
}

/// The probability of each arm of being the best.
pub(super) fn of_best(arms: &[Measured]) -> Vec<f64> {
    let step = libm::log(LARGEST / LEAST) / (SPREADS - 1) as f64;
    let commons: Vec<Common> =
        (0..SPREADS).map(|at| common(arms, LEAST * libm::exp(step * at as f64))).collect();
    let heaviest = commons.iter().map(|one| one.log_weight).fold(f64::NEG_INFINITY, f64::max);
    let weighed: Vec<(f64, &Common)> = commons
        .iter()
        .map(|one| (libm::exp(one.log_weight - heaviest), one))
        .filter(|(weight, _)| *weight > LIGHT)
        .collect();
    let total: f64 = weighed.iter().map(|(weight, _)| weight).sum();
    let mut all = vec![0.0; arms.len()];
    for (weight, one) in weighed {
        for (at, share) in POINTS {
            let weight = weight / total * share;
            let values = believed(arms, one.mean + at * one.deviation, one.spread);
            let best = probabilities_of_best(&values, weight);
            all.iter_mut().zip(best).for_each(|(sum, one)| *sum += weight * one);
        }
    }
    all
}

/// How well a spread explains the reports, whatever the common mean, and where that lies.
fn common(arms: &[Measured], spread: f64) -> Common {
    // Of a measured mean around the common one.
    let precisions = arms.iter().map(|arm| arm.precision / (1.0 + arm.precision * spread * spread));
    let tried = || arms.iter().zip(precisions.clone()).filter(|(_, precision)| *precision > 0.0);
    let precision = PRECISION + tried().map(|(_, precision)| precision).sum::<f64>();
    let mean =
        (PRECISION * MIDDLE + tried().map(|(arm, precision)| precision * arm.mean).sum::<f64>()) / precision;
    let off = |value: f64, precision: f64| precision * (value - mean) * (value - mean);
    let fit: f64 = tried().map(|(arm, precision)| libm::log(precision) - off(arm.mean, precision)).sum();
    let log_weight = 0.5 * (fit - off(MIDDLE, PRECISION) - libm::log(precision));
    Common { spread, log_weight, mean, deviation: 1.0 / precision.sqrt() }
}

/// Mean and deviation of each arm, given the common mean and the spread.
fn believed(arms: &[Measured], mean: f64, spread: f64) -> Vec<(f64, f64)> {
    let around = 1.0 / (spread * spread);
    let one = |arm: &Measured| {
        let precision = arm.precision + around;
        ((arm.precision * arm.mean + around * mean) / precision, 1.0 / precision.sqrt())
    };
    arms.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{SimSeed, Stream};

    const WORLDS: u32 = 400;

    /// Of so many worlds of so many arms in a range, measured with a deviation: how often the favourite is the best, less
    /// how often it was said to be, in deviations of what is said.
    fn excess(
        arms: usize,
        [low, high]: [f64; 2],
        deviation: f64,
        of_best: impl Fn(&[Measured]) -> Vec<f64>,
    ) -> f64 {
        let mut rng = SimSeed(8).stream(arms as u64, Stream::Environment);
        let (mut off, mut variance) = (0.0, 0.0);
        for _ in 0..WORLDS {
            let means: Vec<f64> = (0..arms).map(|_| low + (high - low) * rng.uniform()).collect();
            let measured: Vec<Measured> = means
                .iter()
                .map(|mean| Measured {
                    mean: mean + deviation * rng.normal(),
                    precision: 1.0 / (deviation * deviation),
                })
                .collect();
            let said = of_best(&measured);
            let arg_max = |values: &[f64]| (0..arms).max_by(|&a, &b| values[a].total_cmp(&values[b]));
            let favourite = arg_max(&said).unwrap();
            let is = f64::from(u8::from(arg_max(&means) == Some(favourite)));
            off += is - said[favourite];
            variance += said[favourite] * (1.0 - said[favourite]);
        }
        off / variance.sqrt()
    }

    /// Where arms lie far apart and where they lie close, few and many: the favourite is the best as often as is said,
    /// within 5 deviations. With a prior that learns nothing it is not, where they lie close.
    #[test]
    fn the_favourite_is_the_best_as_often_as_is_said() {
        let flat = |arms: &[Measured]| {
            let values: Vec<(f64, f64)> =
                arms.iter().map(|arm| (arm.mean, 1.0 / arm.precision.sqrt())).collect();
            probabilities_of_best(&values, 1.0)
        };
        for (arms, range) in [(5, [0.0, 1.0]), (5, [0.45, 0.55]), (10, [0.2, 0.5])] {
            let found = excess(arms, range, 0.1, of_best);
            assert!(found.abs() < 5.0, "{arms} arms in {range:?}: {found}");
        }
        let found = excess(5, [0.45, 0.55], 0.1, flat);
        assert!(found < -7.0, "the test has no power: {found}");
    }

    #[test]
    fn nobody_is_the_best_before_the_first_report_and_few_reports_say_little() {
        let nothing = Measured { mean: 0.5, precision: 0.0 };
        let said = of_best(&[nothing; 4]);
        assert!(said.iter().all(|one| (one - 0.25).abs() < 1e-9), "{said:?}");
        let measured =
            |mean: f64, deviation: f64| Measured { mean, precision: 1.0 / (deviation * deviation) };
        let known = of_best(&[measured(0.4, 0.01), measured(0.6, 0.01), nothing]);
        assert!(known[0] < 1e-6 && known[1] > 0.5 && known[2] > 0.05, "{known:?}");
        assert!((known.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
