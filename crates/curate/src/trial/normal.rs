//! The normal distribution, and the chance of each of several normals to be the largest.

use std::f64::consts::{PI, SQRT_2};

/// P(Z <= z).
pub(super) fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The z with P(|Z| <= z) = confidence, by bisection.
pub(super) fn two_sided(confidence: f64) -> f64 {
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if libm::erf(middle / SQRT_2) < confidence { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// How far and how finely the largest of normals is integrated.
const REACH: i32 = 40;
const STEP: f64 = 0.1;

/// For each arm the chance that its mean is the largest: Thompson's probabilities.
pub(super) fn chances_of_being_best(means: &[f64], variances: &[f64]) -> Vec<f64> {
    let deviations: Vec<f64> = variances.iter().map(|variance| variance.max(1e-12).sqrt()).collect();
    let chance = |arm: usize| -> f64 {
        (-REACH..=REACH)
            .map(|step| {
                let z = f64::from(step) * STEP;
                let value = means[arm] + z * deviations[arm];
                let others = (0..means.len()).filter(|&other| other != arm);
                let below: f64 =
                    others.map(|other| cdf((value - means[other]) / deviations[other])).product();
                STEP * libm::exp(-z * z / 2.0) / (2.0 * PI).sqrt() * below
            })
            .sum()
    };
    let chances: Vec<f64> = (0..means.len()).map(chance).collect();
    let sum: f64 = chances.iter().sum();
    chances.iter().map(|chance| chance / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_in_the_tables() {
        assert!((two_sided(0.95) - 1.959_963_984_54).abs() < 1e-9);
        assert!((cdf(1.0) - 0.841_344_746).abs() < 1e-8);
    }

    #[test]
    fn two_arms_have_the_chance_of_a_difference() {
        let chances = chances_of_being_best(&[0.2, 0.5], &[0.04, 0.09]);
        assert!((chances[1] - cdf(0.3 / libm::sqrt(0.13))).abs() < 1e-4, "{chances:?}");
        let three = chances_of_being_best(&[0.0, 0.0, 0.0], &[1.0, 1.0, 1.0]);
        assert!(three.iter().all(|chance| (chance - 1.0 / 3.0).abs() < 1e-9));
    }
}
