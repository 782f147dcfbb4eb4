//! Contexts have the density that is said.

use super::*;

/// Probabilities of equal parts, from the density at the midpoints of `finer` parts of each.
fn probabilities(side: usize, dims: usize, finer: usize, density: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let mut sums = vec![0.0; side.pow(dims as u32)];
    let points = side * finer;
    for context in midpoints(points, dims) {
        sums[part(&context, side)] += density(&context) / points.pow(dims as u32) as f64;
    }
    sums
}

fn counts(side: usize, dims: usize, draws: usize, mut draw: impl FnMut(&mut [f64])) -> Vec<u64> {
    let mut counts = vec![0; side.pow(dims as u32)];
    let mut context = vec![0.0; dims];
    for _ in 0..draws {
        draw(&mut context);
        assert!(context.iter().all(|x| (0.0..=1.0).contains(x)), "{context:?}");
        counts[part(&context, side)] += 1;
    }
    counts
}

/// Parts along a coordinate, in which densities are smooth or constant.
const SIDE: usize = 40;

#[test]
fn draws_follow_densities_that_integrate_to_one() {
    for (number, market) in markets().into_iter().enumerate() {
        let (dims, mut rng) = (market.dims(), rng(number as u64));
        for target in [false, true] {
            let density = |context: &[f64]| {
                if target { market.target_density(context) } else { market.source_density(context) }
            };
            let law = probabilities(SIDE, dims, 20 / dims, density);
            let total: f64 = law.iter().sum();
            assert!((total - 1.0).abs() < 2e-4, "{market:?} {target} {total}");
            let seen = counts(SIDE, dims, 200_000, |context| {
                if target {
                    market.draw_target(&mut rng, context);
                } else {
                    let _ = market.draw(&mut rng, context);
                }
            });
            let (seen, law) = merged(&seen, &law, total);
            let p = chi_square_p(&seen, &law);
            assert!(p > LEVEL, "{market:?} {target} {p}");
        }
    }
}

/// Neighbouring parts put together until each is expected at least 30 times; what cannot occur stays alone.
fn merged(seen: &[u64], law: &[f64], total: f64) -> (Vec<u64>, Vec<f64>) {
    let draws = seen.iter().sum::<u64>() as f64;
    let (mut counts, mut probabilities) = (vec![0], vec![0.0]);
    for (&count, &p) in seen.iter().zip(law) {
        if p == 0.0 {
            assert_eq!(count, 0);
            continue;
        }
        if probabilities[probabilities.len() - 1] * draws > 30.0 {
            counts.push(0);
            probabilities.push(0.0);
        }
        let last = counts.len() - 1;
        counts[last] += count;
        probabilities[last] += p / total;
    }
    let last = counts.len() - 1;
    if last > 0 && probabilities[last] * draws < 30.0 {
        counts[last - 1] += counts.pop().unwrap();
        probabilities[last - 1] += probabilities.pop().unwrap();
    }
    (counts, probabilities)
}

#[test]
fn the_test_finds_a_wrong_exponent() {
    let of =
        |alpha| curve(CurveSpec { dims: 2, source: Source::Vanishing { alpha }, ..CurveSpec::default() });
    let (right, wrong, mut rng) = (of(1.5), of(1.8), rng(50));
    let law = probabilities(SIDE, 2, 10, |context| right.source_density(context));
    let seen = counts(SIDE, 2, 200_000, |context| {
        wrong.draw(&mut rng, context);
    });
    let (seen, law) = merged(&seen, &law, law.iter().sum());
    assert!(chi_square_p(&seen, &law) < LEVEL);
}
