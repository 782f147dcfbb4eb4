//! Where people are, learned from their reports.

use super::super::mass::masses;
use super::super::regrid::Regrid;
use super::*;

const PEOPLE: u64 = 12_000;

/// The masses after many reports of people with these masses.
fn learned(truth: &Truth, epsilon: f64, trial: u64) -> Vec<f64> {
    let mut agent = agent(spec(&[4, 4], 2, epsilon, vec![]), None, trial);
    serve(&mut agent, truth, PEOPLE, &mut rng(trial));
    let own = masses(&agent.kernel, &agent.target, &agent.belief.even());
    Regrid::new(&agent.grid, &own, agent.spec.grid()).masses().to_vec()
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

/// Within 6 deviations (3e-8 for all cells) shares are off by 6 sqrt(m / n) for who came, which adds up to 6
/// sqrt(16 / n) at most, and by 6 sqrt(v / n) for noise, where v = 8 e / (e - 1)^2 with e = e^epsilon is no
/// less than the chosen oracle's for good and bad. The total variation is half of it; smoothing may add 0.05.
fn bound(epsilon: f64) -> f64 {
    let (e, n) = (libm::exp(epsilon), PEOPLE as f64);
    let noise = 8.0 * e / ((e - 1.0) * (e - 1.0));
    3.0 * ((16.0 / n).sqrt() + 16.0 * (noise / n).sqrt()) + 0.05
}

#[test]
fn an_uneven_density_is_found_and_an_even_one_stays_even() {
    let even = Truth { masses: vec![1.0 / 16.0; 16], ..uneven() };
    let (truth, bound) = (uneven(), bound(8.0));
    let found = learned(&truth, 8.0, 0);
    assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let off = distance(&found, &truth.masses);
    assert!(off < bound, "{off}");
    // Power: the even density is beyond the bound.
    assert!(distance(&even.masses, &truth.masses) > bound);
    let off = distance(&learned(&even, 8.0, 1), &even.masses);
    assert!(off < bound / 4.0, "even: {off}");
}

#[test]
fn noisier_and_signed_reports_get_half_of_the_way() {
    for (trial, epsilon) in [(2, 4.0), (3, 1.5)] {
        let off = distance(&learned(&uneven(), epsilon, trial), &uneven().masses);
        let even = distance(&[1.0 / 16.0; 16], &uneven().masses);
        assert!(off < 0.5 * even, "epsilon {epsilon}: {off} of {even}");
    }
}

#[test]
fn nobody_is_evenly_spread() {
    let agent = agent(spec(&[4, 4], 2, 1.0, vec![]), None, 0);
    assert_eq!(masses(&agent.kernel, &agent.target, &[1.0 / 16.0; 16]), [1.0 / 16.0; 16]);
}
