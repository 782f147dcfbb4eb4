//! The law of what is sent, with p-values and power checks, and that it is unbiased.

use super::*;
use reticent_privacy::{SimRng, SimSeed, Stream};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// A correct responder fails a fresh seed with this probability.
const LEVEL: f64 = 1e-6;
const DRAWS: usize = 400_000;

/// Fixed, so that a run can be repeated; `make nightly` compiles in a fresh one.
fn noise(trial: u64) -> SimRng {
    let seed = option_env!("RETICENT_TEST_SEED").and_then(|text| text.parse().ok()).unwrap_or(7);
    SimSeed(seed).stream(trial, Stream::Noise)
}

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn chi_square_p(counts: &[u64], probabilities: &[f64]) -> f64 {
    let total = counts.iter().sum::<u64>() as f64;
    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let cell = |(&count, &p): (&u64, &f64)| {
        assert!(total * p >= 20.0, "a cell is too small");
        (count as f64 - total * p).powi(2) / (total * p)
    };
    let statistic: f64 = counts.iter().zip(probabilities).map(cell).sum();
    1.0 - ChiSquared::new(counts.len() as f64 - 1.0).unwrap().cdf(statistic)
}

/// Counts of (coordinate, signs) for 3 arms and 2 parameters.
fn sign_counts(gradient: [f64; 2], arm: u32, trial: u64) -> Vec<u64> {
    let channel = Channel::Signs { coordinates: 1, each: epsilon(1.0) };
    let (mut responder, mut rng) = (Responder::new(channel, 3, 2), noise(trial));
    let mut counts = vec![0; 16];
    for _ in 0..DRAWS {
        let Response::Signs(draws) = responder.respond(arm, &gradient, &mut rng) else { panic!() };
        assert_eq!(draws.len(), 1);
        counts[(draws[0].coordinate * 8) as usize + draws[0].signs as usize] += 1;
    }
    counts
}

fn sign_law(gradient: [f64; 2], arm: u32) -> Vec<f64> {
    let keep = 1.0 / (1.0 + libm::exp(-1.0));
    let of = |cell: u32| {
        let value = gradient[(cell / 8) as usize];
        let plus = (1.0 - keep) + (0.5 + 0.5 * value) * (2.0 * keep - 1.0);
        let own = if cell >> arm & 1 == 1 { plus } else { 1.0 - plus };
        0.5 * 0.25 * own
    };
    (0..16).map(of).collect()
}

#[test]
fn signs_have_the_law_of_the_proof_and_the_test_has_power() {
    for (trial, arm) in [(0, 0), (1, 2)] {
        let gradient = [0.4, -1.0];
        let counts = sign_counts(gradient, arm, trial);
        assert!(chi_square_p(&counts, &sign_law(gradient, arm)) > LEVEL);
        // Power: a coordinate off by an eighth, and another arm, must be seen.
        assert!(chi_square_p(&counts, &sign_law([0.4 - 0.125, -1.0], arm)) < LEVEL);
        assert!(chi_square_p(&counts, &sign_law(gradient, 1)) < LEVEL);
    }
}

/// The law itself, not draws of it: no output is more than e^epsilon times as likely for one person as for another.
#[test]
fn the_law_of_the_signs_keeps_the_bound() {
    let people = [([1.0, 1.0], 0), ([-1.0, 1.0], 0), ([1.0, -1.0], 2), ([0.0, 0.3], 1)];
    let mut worst: f64 = 0.0;
    for (one, other) in people.iter().flat_map(|a| people.iter().map(move |b| (a, b))) {
        for (p, q) in sign_law(one.0, one.1).iter().zip(sign_law(other.0, other.1)) {
            worst = worst.max(libm::log(p / q));
        }
    }
    assert!((1.0 - 1e-9..=1.0 + 1e-9).contains(&worst), "the loss is {worst}");
}

fn step_counts(scale: u32, trial: u64) -> Vec<u64> {
    // Cells of half a scale, so that the grid's 2^20 steps do not matter.
    let mut responder = Responder::new(Channel::Laplace { epsilon: epsilon(4.0) }, 2, 2);
    let mut rng = noise(trial);
    let mut counts = vec![0; 20];
    for _ in 0..DRAWS {
        let Response::Steps(steps) = responder.respond(1, &[0.25, -1.0], &mut rng) else { panic!() };
        assert_eq!(steps.len(), 4);
        let centred = [steps[0], steps[1], steps[2] - (1 << 18), steps[3] + (1 << 20)];
        let cell = (centred[trial as usize % 4] as f64 / (f64::from(scale) / 2.0)).floor().clamp(-10.0, 9.0);
        counts[(cell + 10.0) as usize] += 1;
    }
    counts
}

fn step_law() -> Vec<f64> {
    let tail = |x: f64| 0.5 * libm::exp(-x / 2.0);
    let half: Vec<f64> =
        (0..10).map(|i| tail(f64::from(i)) - if i == 9 { 0.0 } else { tail(f64::from(i) + 1.0) }).collect();
    half.iter().rev().chain(&half).copied().collect()
}

#[test]
fn every_coordinate_of_every_arm_has_laplace_noise_of_the_stated_scale() {
    // 2 p / epsilon = 1 with p = 2 and epsilon = 4.
    for trial in 0..4 {
        assert!(chi_square_p(&step_counts(1 << GRID_BITS, trial), &step_law()) > LEVEL, "place {trial}");
        let wrong = (1 << GRID_BITS) - (1 << (GRID_BITS - 5));
        assert!(chi_square_p(&step_counts(wrong, trial), &step_law()) < LEVEL, "no power at {trial}");
    }
}

/// The mean of the estimate at each place is the gradient, within six standard errors.
#[test]
fn both_channels_are_unbiased() {
    let gradient = [0.7, -0.3, 0.05];
    let signs = Channel::Signs { coordinates: 2, each: epsilon(1.0) };
    for (trial, channel) in [(10, signs), (11, Channel::Laplace { epsilon: epsilon(8.0) })] {
        let (mut responder, mut rng) = (Responder::new(channel, 2, 3), noise(trial));
        let mut sums = [0.0; 6];
        for _ in 0..DRAWS {
            match responder.respond(1, &gradient, &mut rng) {
                Response::Signs(draws) => draws.iter().for_each(|draw| {
                    for (arm, block) in sums.chunks_exact_mut(3).enumerate() {
                        block[draw.coordinate as usize] +=
                            f64::from((draw.signs >> arm & 1) as u32 * 2) - 1.0;
                    }
                }),
                Response::Steps(steps) => {
                    sums.iter_mut().zip(steps).for_each(|(sum, step)| *sum += step as f64);
                }
            }
        }
        // Six standard errors: two-sided 2e-9 for each of six places.
        let error = 6.0 * (channel.variance(3) / DRAWS as f64).sqrt();
        for (sum, truth) in sums.iter().zip([0.0, 0.0, 0.0, 0.7, -0.3, 0.05]) {
            let mean = sum * channel.worth(3) / DRAWS as f64;
            assert!((mean - truth).abs() < error, "{mean} for {truth}");
            assert!(error < 0.05, "no power: {error}");
        }
    }
}

#[test]
fn rounding_is_unbiased_and_stays_within_the_grid() {
    let mut rng = noise(20);
    for value in [-1.0, 1.0, 0.0] {
        assert_eq!(round(value, &mut rng), value as i64 * (1 << GRID_BITS));
    }
    // A quarter of a step.
    let value = 1.25 / f64::from(1 << GRID_BITS);
    let ups = (0..DRAWS).filter(|_| round(value, &mut rng) == 2).count() as f64;
    let deviation = (ups - 0.25 * DRAWS as f64) / (DRAWS as f64 * 0.1875).sqrt();
    assert!(deviation.abs() < 5.0, "{deviation} standard deviations");
    assert!(
        (ups - 0.26 * DRAWS as f64).abs() > 5.0 * (DRAWS as f64 * 0.1875).sqrt(),
        "power: a hundredth is seen"
    );
}

#[test]
fn coordinates_are_distinct_sorted_and_uniform() {
    let (mut order, mut rng) = ((0..5).collect::<Vec<u32>>(), noise(21));
    let mut counts = [0; 5];
    for _ in 0..DRAWS {
        choose(&mut order, 2, &mut rng);
        assert!(order[0] < order[1]);
        for &coordinate in &order[..2] {
            counts[coordinate as usize] += 1;
        }
    }
    // Each coordinate is in with probability 2/5: five standard deviations of a binomial.
    for count in counts {
        let deviation = (f64::from(count) - 0.4 * DRAWS as f64) / (DRAWS as f64 * 0.24).sqrt();
        assert!(deviation.abs() < 5.5, "{deviation}");
    }
}
