//! Best prices against all others.

use super::*;

/// Prices to compare with.
const PRICES: usize = 20_000;

#[test]
fn no_price_earns_more_than_the_best_one() {
    for (number, market) in markets().into_iter().enumerate() {
        let (mut context, mut rng) = (vec![0.0; market.dims()], rng(300 + number as u64));
        for trial in 0..40 {
            if trial % 2 == 0 {
                market.draw_target(&mut rng, &mut context);
            } else {
                context.fill_with(|| rng.uniform());
            }
            let best = market.best(&context);
            assert!(
                (market.revenue(&context, best.price) - best.revenue).abs() < 1e-9,
                "{market:?} {context:?}"
            );
            assert!((0.0..1.0).contains(&best.price) && best.revenue < 1.0);
            let mut most = 0.0_f64;
            for price in (0..=PRICES).map(|i| i as f64 / PRICES as f64) {
                let revenue = market.revenue(&context, price);
                assert!(revenue <= best.revenue + 1e-9, "{market:?} {context:?} {price}");
                assert!(
                    price > best.price - 1e-6 || revenue < best.revenue,
                    "{price} is a smaller best price"
                );
                most = most.max(revenue);
            }
            // Revenue is 8-Lipschitz in the price where it is best, or flat there.
            assert!(most > best.revenue - 8.0 / PRICES as f64, "{market:?} {context:?} {most}");
        }
    }
}

#[test]
fn a_best_price_is_exact() {
    for score in [0.0, 0.13, 0.5, 0.77, 1.0] {
        for demand in Curve::ALL {
            let best = demand.best(score);
            let around = |step: f64| demand.revenue(score, best.price + step);
            assert!((around(0.0) - best.revenue).abs() < 1e-14);
            assert!(around(1e-6) < best.revenue && around(-1e-6) < best.revenue, "{demand} {score}");
        }
        // The derivative changes sign within 1e-9 of the price; revenue is too flat there to show it.
        let best = Curve::Logit.best(score).price;
        let rises = |t: f64| 1.0 - (8.0 * t - 1.0) * libm::exp(8.0 * (t - 0.35 - 0.4 * score));
        assert!(rises(best - 1e-9) > 0.0 && rises(best + 1e-9) < 0.0, "{score} {best}");
    }
}

#[test]
fn the_best_of_given_prices_is_the_first_of_them() {
    let market = curve(CurveSpec { demand: Curve::Linear, ..CurveSpec::default() });
    // 0.3 and 0.5 are as far from 0.4, the best price of someone with score 0.
    let found = market.best_of(&[0.0], &[0.9, 0.25, 0.5, 0.3]).unwrap();
    assert_eq!(found.price, 0.5);
    assert_eq!(found.revenue, market.revenue(&[0.0], 0.5));
    assert_eq!(market.best_of(&[0.0], &[]), None);
}

#[test]
fn demand_falls_from_one_side_to_the_other() {
    for demand in Curve::ALL {
        for score in [0.0, 0.4, 1.0] {
            let chances: Vec<f64> = (0..=1000).map(|i| demand.sale(score, f64::from(i) / 1000.0)).collect();
            assert!(chances.windows(2).all(|pair| pair[1] <= pair[0] && pair[0] - pair[1] < 0.0031));
            assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)));
        }
        // The best price moves with the score.
        assert!(demand.best(1.0).price - demand.best(0.0).price > 0.25);
    }
}
