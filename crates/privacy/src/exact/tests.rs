//! Goodness of fit with a true p-value, and a power check: the same test must reject a sampler that is off by one.
//!
//! Seeds are fixed, so a run is reproducible; a correct sampler would fail a fresh seed with probability `LEVEL`.

use std::num::{NonZeroU64, NonZeroU128};

use rand_core::Rng;

use super::*;
use crate::testing::{LEVEL, chi_square_p, exact_binomial_p, seed};
use crate::{SimRng, SimSeed, Stream};

fn rng(trial: u64) -> SimRng {
    seed().stream(trial, Stream::Noise)
}

fn wide(value: u128) -> NonZeroU128 {
    NonZeroU128::new(value).unwrap()
}

fn n(value: u64) -> NonZeroU64 {
    NonZeroU64::new(value).unwrap()
}

#[test]
fn uniform_fits_and_the_test_has_power() {
    const DRAWS: usize = 700_000;
    let expected = [1.0 / 7.0; 7];
    let mut counts = [0_u64; 7];
    let mut source = rng(0);
    for _ in 0..DRAWS {
        counts[uniform_below(n(7), &mut source) as usize] += 1;
    }
    assert!(chi_square_p(&counts, &expected) > LEVEL);

    // Off by one: a bound of 8 whose last value is folded onto the first, as `word % 7` does with a short word.
    let mut biased = [0_u64; 7];
    for _ in 0..DRAWS {
        biased[(uniform_below(n(64), &mut source) % 7) as usize] += 1;
    }
    assert!(chi_square_p(&biased, &expected) < LEVEL);
}

#[test]
fn uniform_is_unbiased_for_a_bound_where_rejection_matters() {
    // 3 * 2^62: without rejection the lowest third would come twice as often.
    let bound = 3 << 62;
    let mut counts = [0_u64; 3];
    let mut source = rng(1);
    for _ in 0..300_000 {
        counts[(uniform_below(n(bound), &mut source) >> 62) as usize] += 1;
    }
    assert!(chi_square_p(&counts, &[1.0 / 3.0; 3]) > LEVEL);

    let mut biased = [0_u64; 3];
    for _ in 0..300_000 {
        biased[((source.next_u64() % bound) >> 62) as usize] += 1;
    }
    assert!(chi_square_p(&biased, &[1.0 / 3.0; 3]) < LEVEL);
}

#[test]
fn bernoulli_exp_fits_and_the_test_has_power() {
    const DRAWS: u64 = 400_000;
    for (trial, (a, b)) in [(0, 1), (1, 4), (1, 1), (7, 4), (3, 1)].into_iter().enumerate() {
        let mut source = rng(20 + trial as u64);
        let hits = (0..DRAWS).filter(|_| bernoulli_exp(a, wide(b), &mut source)).count() as u64;
        assert!(exact_binomial_p(hits, DRAWS, libm::exp(-(a as f64) / b as f64)) > LEVEL, "exp(-{a}/{b})");
    }
    // A numerator off by one, 26/101 for 25/101.
    let mut source = rng(29);
    let hits = (0..DRAWS).filter(|_| bernoulli_exp(26, wide(101), &mut source)).count() as u64;
    assert!(exact_binomial_p(hits, DRAWS, libm::exp(-25.0 / 101.0)) < LEVEL);
}

/// Probabilities of -reach..=reach, with the tails in the two outer cells.
fn laplace_cells(scale: f64, reach: i128) -> Vec<f64> {
    let theta = libm::exp(-1.0 / scale);
    let zero = (1.0 - theta) / (1.0 + theta);
    (-reach..=reach)
        .map(|x| {
            let point = zero * libm::pow(theta, x.unsigned_abs() as f64);
            if x.abs() == reach { point / (1.0 - theta) } else { point }
        })
        .collect()
}

fn laplace_counts(draws: usize, reach: i128, mut sample: impl FnMut() -> i128) -> Vec<u64> {
    let mut counts = vec![0; 2 * reach as usize + 1];
    for _ in 0..draws {
        counts[(sample().clamp(-reach, reach) + reach) as usize] += 1;
    }
    counts
}

#[test]
fn discrete_laplace_fits_and_the_test_has_power() {
    const DRAWS: usize = 400_000;
    for (trial, (t, s, reach)) in [(1, 1, 8), (5, 2, 12), (20, 1, 80), (1, 3, 2)].into_iter().enumerate() {
        let expected = laplace_cells(t as f64 / s as f64, reach);
        let noise = DiscreteLaplace::new(n(t), n(s));
        let mut source = rng(30 + trial as u64);
        let counts = laplace_counts(DRAWS, reach, || noise.sample(&mut source));
        assert!(chi_square_p(&counts, &expected) > LEVEL, "{t}/{s}");
    }

    let expected = laplace_cells(20.0, 80);
    // Off by one in the scale, and the sign of zero counted twice.
    let wrong_scale = DiscreteLaplace::new(n(21), n(1));
    let mut source = rng(38);
    assert!(chi_square_p(&laplace_counts(DRAWS, 80, || wrong_scale.sample(&mut source)), &expected) < LEVEL);
    let right = DiscreteLaplace::new(n(20), n(1));
    let mut double_zero = || match right.sample(&mut source) {
        1 if source.next_u32() & 1 == 1 => 0,
        x => x,
    };
    assert!(chi_square_p(&laplace_counts(DRAWS, 80, &mut double_zero), &expected) < LEVEL);
}

#[test]
fn huge_scales_do_not_overflow() {
    let noise = DiscreteLaplace::new(n(u64::MAX), n(1));
    let mut source = rng(40);
    let draws: Vec<i128> = (0..1000).map(|_| noise.sample(&mut source)).collect();
    assert!(draws.iter().any(|x| x.unsigned_abs() > 1 << 64), "1/e of the mass is beyond the scale");
}

/// Golden draws on every run: the sampler's use of its bits is part of what a seed reproduces.
#[test]
fn golden_draws() {
    let noise = DiscreteLaplace::new(n(20), n(1));
    let mut source = SimSeed(20_261_115).stream(50, Stream::Noise);
    let draws: Vec<i128> = (0..12).map(|_| noise.sample(&mut source)).collect();
    assert_eq!(draws, GOLDEN);
}
const GOLDEN: [i128; 12] = [4, 2, -5, -16, -1, -76, 2, -20, -10, 4, 45, 15];
