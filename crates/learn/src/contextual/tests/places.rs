//! Where people are, learned from their reports.

use super::super::mass::masses;
use super::*;

const PEOPLE: u64 = 12_000;

/// The masses after many reports of people with these masses.
fn learned(truth: &Truth, epsilon: f64, trial: u64) -> Vec<f64> {
    let mut agent = agent(spec(&[4, 4], 2, epsilon, vec![]), None, trial);
    serve(&mut agent, truth, PEOPLE, &mut rng(trial));
    masses(&agent.kernel, &agent.target, 16)
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    0.5 * a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum::<f64>()
}

fn uneven() -> Truth {
    let raw: Vec<f64> = (0..16).map(|cell| libm::exp(-0.7 * f64::from(cell / 4 + cell % 4))).collect();
    let whole: f64 = raw.iter().sum();
    let masses = raw.iter().map(|mass| mass / whole).collect();
    Truth { masses, good: vec![vec![0.3; 16], vec![0.7; 16]] }
}

/// The total variation that reports of variance v allow for 16 cells is at most 16 / 2 times 6 deviations of a cell's share
/// (3e-8 in all); smoothing may add 0.05. At epsilon 8 v is below 1/16, hence 48 / 4 / sqrt(12,000) = 0.11.
#[test]
fn an_uneven_density_is_found_and_an_even_one_stays_even() {
    let even = Truth::even(vec![vec![0.3; 16], vec![0.7; 16]]);
    let (far, bound) = (distance(&uneven().masses, &even.masses), 0.16);
    assert!(far > 2.0 * bound, "{far}");
    for (trial, epsilon) in [(0, 8.0), (1, 4.0)] {
        let found = learned(&uneven(), epsilon, trial);
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let off = distance(&found, &uneven().masses);
        assert!(off < bound, "epsilon {epsilon}: {off}");
        let off = distance(&learned(&even, epsilon, trial), &even.masses);
        assert!(off < bound / 4.0, "epsilon {epsilon}, even: {off}");
    }
}

#[test]
fn signed_reports_find_it_too() {
    let found = learned(&uneven(), 1.5, 2);
    let even = [1.0 / 16.0; 16];
    assert!(distance(&found, &uneven().masses) < 0.5 * distance(&even, &uneven().masses));
}

#[test]
fn nobody_is_evenly_spread() {
    let agent = agent(spec(&[4, 4], 2, 1.0, vec![]), None, 0);
    assert_eq!(masses(&agent.kernel, &agent.target, 16), [1.0 / 16.0; 16]);
}
