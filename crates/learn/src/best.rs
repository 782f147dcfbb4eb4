//! How probable it is that each of several unknown values is the largest.

use reticent_privacy::{SimSeed, Stream};

/// Points of the integral over one value, and its range in deviations.
const POINTS: usize = 33;
const RANGE: f64 = 4.0;
/// Beyond so many deviations a value is not in the race.
const FAR: f64 = 6.0;
/// More values than this in the race are drawn instead: the integral grows with their square.
const MANY: usize = 64;
const DRAWS: f64 = 4_000.0;

/// The probability that each of several independent normal values (mean, deviation) is the largest. Where that is drawn
/// `share` says how exactly: for a part of a mixture its weight.
pub(crate) fn probabilities_of_best(values: &[(f64, f64)], share: f64) -> Vec<f64> {
    let floor =
        values.iter().map(|(mean, deviation)| mean - FAR * deviation).fold(f64::NEG_INFINITY, f64::max);
    let racing: Vec<usize> =
        (0..values.len()).filter(|&i| values[i].0 + FAR * values[i].1 >= floor).collect();
    let near: Vec<(f64, f64)> = racing.iter().map(|&i| values[i]).collect();
    let found = if near.len() > MANY {
        drawn(&near, (DRAWS * share) as u32 + 1)
    } else {
        (0..near.len()).map(|i| probability_of_best(&near, i)).collect()
    };
    let mut all = vec![0.0; values.len()];
    let sum: f64 = found.iter().sum();
    for (i, probability) in racing.into_iter().zip(found) {
        all[i] = probability / sum;
    }
    all
}

/// An integral over the value's own range.
pub(crate) fn probability_of_best(values: &[(f64, f64)], one: usize) -> f64 {
    let (mean, deviation) = values[one];
    let step = 2.0 * RANGE / (POINTS - 1) as f64;
    let (mut sum, mut total) = (0.0, 0.0);
    for point in 0..POINTS {
        let z = -RANGE + step * point as f64;
        let density = libm::exp(-0.5 * z * z);
        let value = mean + deviation * z;
        let others = values.iter().enumerate().filter(|(other, _)| *other != one);
        let below: f64 = others
            .map(|(_, (m, d))| 0.5 * libm::erfc(-(value - m) / (d * std::f64::consts::SQRT_2)))
            .product();
        sum += density * below;
        total += density;
    }
    sum / total
}

fn drawn(values: &[(f64, f64)], draws: u32) -> Vec<f64> {
    // Always the same draws: what is shown must not flicker.
    let mut rng = SimSeed(0).stream(0, Stream::Agent);
    let mut wins = vec![0.0; values.len()];
    for _ in 0..draws {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, (mean, deviation)) in values.iter().enumerate() {
            let value = mean + deviation * rng.normal();
            if value > best.1 {
                best = (i, value);
            }
        }
        wins[best.0] += 1.0;
    }
    wins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_and_follow_the_values() {
        let two = probabilities_of_best(&[(0.0, 1.0), (1.0, 1.0)], 1.0);
        // Phi(1 / sqrt 2) = 0.7602.
        assert!((two[1] - 0.7602).abs() < 0.002 && (two[0] + two[1] - 1.0).abs() < 1e-12, "{two:?}");
        let far = probabilities_of_best(&[(0.0, 0.01), (1.0, 0.01), (0.99, 0.01)], 1.0);
        assert_eq!(far[0], 0.0);
        let many = probabilities_of_best(&vec![(0.5, 0.1); 500], 1.0);
        // 4,000 draws: 8 for each, and none has 40 with a probability above 1e-12.
        assert!((many.iter().sum::<f64>() - 1.0).abs() < 1e-9 && many.iter().all(|&p| p < 0.01));
    }
}
