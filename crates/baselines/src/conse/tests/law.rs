//! Lap+ against its law, and the law against itself.

use super::*;
use crate::conse::LapPlus;

const DRAWS: u64 = 200_000;

/// Lengths from 0 to `cells - 2` have cells of their own; all larger ones share the last.
fn law(lengths: LapPlus, m: f64, cells: usize) -> Vec<f64> {
    let mut law: Vec<f64> = (0..cells as u64 - 1).map(|k| lengths.probability(m, k)).collect();
    law.push(1.0 - law.iter().sum::<f64>());
    law
}

fn counts(lengths: LapPlus, m: f64, cells: usize, number: u64) -> Vec<u64> {
    let mut rng = stream(number);
    let mut counts = vec![0; cells];
    for _ in 0..DRAWS {
        counts[(lengths.sample(m, &mut rng) as usize).min(cells - 1)] += 1;
    }
    counts
}

#[test]
fn probabilities_sum_to_one_with_the_sign_mended() {
    for (loss, m) in [(0.3, 0.0), (0.3, 4.4), (1.0, 12.0), (2.0, 1.0)] {
        let lengths = LapPlus::new(epsilon(loss));
        let sum: f64 = (0..2000).map(|k| lengths.probability(m, k)).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{loss} {m}: {sum}");
    }
}

#[test]
fn draws_fit_the_law_and_the_test_has_power() {
    // [4.4] = 4; the second centre is where the cut matters most.
    for (number, (loss, m)) in [(0.8, 4.4), (0.8, 0.0), (2.0, 7.6)].into_iter().enumerate() {
        let lengths = LapPlus::new(epsilon(loss));
        let seen = counts(lengths, m, 12, number as u64);
        assert!(chi_square_p(&seen, &law(lengths, m, 12)) > LEVEL, "{loss} {m}: {seen:?}");
        let other = LapPlus::new(epsilon(loss * 1.05));
        assert!(chi_square_p(&seen, &law(other, m, 12)) < LEVEL, "{loss} {m}: another loss must be seen");
    }
}

/// `guarantee.md`, point 1: the worst ratio of neighbours is more than e^(eps/2), by the ratio of the normalisers.
#[test]
fn the_worst_ratio_is_the_one_in_the_proof() {
    for (loss, m) in [(0.5, 0_u32), (0.5, 7), (1.386, 0), (2.0, 3)] {
        let lengths = LapPlus::new(epsilon(loss));
        let (m, above) = (f64::from(m), f64::from(m + 1));
        let ratio = |k| libm::log(lengths.probability(m, k) / lengths.probability(above, k)).abs();
        let worst = (0..200).map(ratio).fold(0.0, f64::max);
        let x = libm::exp(-loss / 2.0);
        let tail = libm::pow(x, m + 1.0);
        let proved = loss / 2.0 + libm::log1p(tail * (1.0 - x) / (1.0 + x - tail));
        assert!((worst - proved).abs() < 1e-9, "{loss} {m}: {worst} {proved}");
        assert!(worst > loss / 2.0 + 1e-4, "{loss} {m}: {worst}");
    }
}
