//! The three mechanisms against their laws, computed by other means.

use super::*;
use crate::mechanism::Mechanism;
use crate::testing::{LEVEL, chi_square_p, seed};
use crate::{SimRng, Stream};

const DRAWS: usize = 300_000;

fn scores() -> Scores {
    Scores::declared(vec![3, 7, 0, 5], 2).unwrap()
}

/// exp(-epsilon gap / (2 sensitivity)).
fn weights(epsilon: f64) -> Vec<f64> {
    scores().gaps().into_iter().map(|gap| libm::exp(-epsilon * gap as f64 / 4.0)).collect()
}

fn normalised(weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.iter().map(|w| w / total).collect()
}

/// Permute-and-flip by enumeration of all permutations.
fn permute_and_flip_law(weights: &[f64]) -> Vec<f64> {
    fn visit(weights: &[f64], visited: &mut Vec<usize>, reach: f64, law: &mut [f64]) {
        let left = weights.len() - visited.len();
        for next in (0..weights.len()).filter(|i| !visited.contains(i)).collect::<Vec<_>>() {
            let chosen = reach / left as f64;
            law[next] += chosen * weights[next];
            visited.push(next);
            visit(weights, visited, chosen * (1.0 - weights[next]), law);
            visited.pop();
        }
    }
    let mut law = vec![0.0; weights.len()];
    visit(weights, &mut Vec::new(), 1.0, &mut law);
    law
}

fn counts(mut choose: impl FnMut(Scores, &mut SimRng) -> usize, stream: u64) -> Vec<u64> {
    let mut rng = seed().stream(stream, Stream::Noise);
    let mut counts = vec![0; 4];
    for _ in 0..DRAWS {
        counts[choose(scores(), &mut rng)] += 1;
    }
    counts
}

#[test]
fn each_has_its_law_and_the_tests_have_power() {
    for (trial, epsilon) in [0.5, 2.0].into_iter().enumerate() {
        let loss = Epsilon::new(epsilon).unwrap();
        let stream = 620 + 3 * trial as u64;
        let exponential = counts(|s, rng| ExponentialMechanism::new(loss).release_with(s, rng), stream);
        let flipped = counts(|s, rng| PermuteAndFlip::new(loss).release_with(s, rng), stream + 1);
        let noisy = counts(|s, rng| ReportNoisyMax::new(loss).release_with(s, rng), stream + 2);
        let law = normalised(&weights(epsilon));
        let better = permute_and_flip_law(&weights(epsilon));
        assert!(chi_square_p(&exponential, &law) > LEVEL);
        assert!(chi_square_p(&flipped, &better) > LEVEL);
        assert!(chi_square_p(&noisy, &better) > LEVEL);
        // Power: the one's law is not the other's, nor that of an epsilon five per cent larger.
        assert!(chi_square_p(&exponential, &better) < LEVEL);
        assert!(chi_square_p(&flipped, &law) < LEVEL);
        assert!(chi_square_p(&noisy, &permute_and_flip_law(&weights(1.1 * epsilon))) < LEVEL);
        // And permute-and-flip is better: more mass on the best.
        assert!(better[1] > law[1]);
    }
}

#[test]
fn edges() {
    let mut rng = seed().stream(630, Stream::Noise);
    for epsilon in [Epsilon::MIN, Epsilon::new(50.0).unwrap(), Epsilon::MAX] {
        for values in [vec![0], vec![i64::MIN, i64::MAX], vec![5; 100]] {
            for sensitivity in [1, u64::MAX] {
                let scores = Scores::declared(values.clone(), sensitivity).unwrap();
                for chosen in [
                    ExponentialMechanism::new(epsilon).release_with(scores.clone(), &mut rng),
                    PermuteAndFlip::new(epsilon).release_with(scores.clone(), &mut rng),
                    ReportNoisyMax::new(epsilon).release_with(scores.clone(), &mut rng),
                ] {
                    assert!(chosen < values.len());
                }
            }
        }
    }
    let sure = Scores::declared(vec![0, 1_000_000, 0], 1).unwrap();
    assert_eq!(PermuteAndFlip::new(Epsilon::new(1.0).unwrap()).release_with(sure, &mut rng), 1);
}
