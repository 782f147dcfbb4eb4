//! How much of the target market a log covers: Assumption 3.

use statrs::distribution::{Binomial, DiscreteCDF};

use super::*;

/// The mean of a density over the ball of radius h around x, by midpoints; the ball's part inside the cube is a box.
fn mean_over_ball(density: impl Fn(&[f64]) -> f64, x: &[f64], h: f64, fine: usize) -> f64 {
    let within = |unit: &[f64]| -> Vec<f64> {
        let side = |(&u, &x): (&f64, &f64)| {
            let (low, high) = ((x - h).max(0.0), (x + h).min(1.0));
            low + u * (high - low)
        };
        unit.iter().zip(x).map(side).collect()
    };
    let points = fine.pow(x.len() as u32) as f64;
    midpoints(fine, x.len()).map(|unit| density(&within(&unit))).sum::<f64>() / points
}

#[test]
fn the_exponent_at_the_corner_is_alpha() {
    const DRAWS: u64 = 200_000;
    for (number, (dims, alpha)) in [(1, 0.5), (1, 2.0), (2, 1.0), (3, 1.5)].into_iter().enumerate() {
        let source = Source::Vanishing { alpha };
        let market = curve(CurveSpec { dims, source, ..CurveSpec::default() });
        let (mut context, mut rng) = (vec![0.0; dims], rng(500 + number as u64));
        let radii = [0.7, 0.5, 0.3];
        let mut near = [0_u64; 3];
        for _ in 0..DRAWS {
            market.draw(&mut rng, &mut context);
            for (count, h) in near.iter_mut().zip(radii) {
                *count += u64::from(context.iter().all(|x| 1.0 - x <= h));
            }
        }
        for (count, h) in near.into_iter().zip(radii) {
            // Q(ball) is h^d and P(ball) h^alpha times that.
            let p = |alpha: f64| {
                let law = Binomial::new(libm::pow(h, dims as f64 + alpha), DRAWS).unwrap();
                2.0 * law.cdf(count).min(1.0 - law.cdf(count.saturating_sub(1)))
            };
            assert!(p(alpha) > LEVEL, "{dims} {alpha} {h} {}", p(alpha));
            assert!(p(alpha + 0.2) < LEVEL, "another exponent would not be found: {dims} {alpha} {h}");
        }
    }
}

#[test]
fn no_ball_has_less_than_the_one_at_the_corner() {
    let mut rng = rng(510);
    for alpha in [0.5, 1.0, 3.0] {
        let market =
            curve(CurveSpec { dims: 2, source: Source::Vanishing { alpha }, ..CurveSpec::default() });
        let ratio =
            |x: &[f64], h: f64| mean_over_ball(|y| market.source_density(y), x, h, 60) / libm::pow(h, alpha);
        assert!((ratio(&[1.0, 1.0], 0.2) - 1.0).abs() < 2e-3);
        for _ in 0..200 {
            // Half of them near the corner.
            let wide = if rng.uniform() < 0.5 { 1.0 } else { 0.05 };
            let x = [1.0 - wide * rng.uniform(), 1.0 - wide * rng.uniform()];
            let h = rng.uniform_positive();
            assert!(ratio(&x, h) > 1.0 - 2e-3, "{x:?} {h}");
        }
    }
}

/// Point 3 of what is changed in the lower bound: the constant is `C_alpha` up to h = r, and 4^-d of it for
/// larger balls.
#[test]
fn the_lower_bound_transfers() {
    let mut rng = rng(520);
    for (dims, fine) in [(1, 2000), (2, 120)] {
        for (alpha, transfer) in [(0.0, 1.0), (0.1, 1.0), (1.0, 1.0), (3.0, 0.5)] {
            let market = hard(LowerBoundSpec { dims, alpha, transfer, ..LowerBoundSpec::default() });
            let mut x = vec![0.0; dims];
            for _ in 0..60 {
                market.draw_target(&mut rng, &mut x);
                let h =
                    if rng.uniform() < 0.5 { 0.1 * rng.uniform_positive() } else { rng.uniform_positive() };
                let source = mean_over_ball(|y| market.source_density(y), &x, h, fine);
                let target = mean_over_ball(|y| market.target_density(y), &x, h, fine);
                let constant = if h <= 0.1 { transfer } else { transfer / 4.0_f64.powi(dims as i32) };
                assert!(source >= constant * libm::pow(h, alpha) * target * 0.99, "{dims} {alpha} {x:?} {h}");
            }
        }
    }
}
