//! Prices and outcomes of a log.

use super::*;

#[test]
fn outcomes_have_the_mean_that_is_said() {
    const DRAWS: usize = 100_000;
    for (number, market) in markets().into_iter().enumerate() {
        let (mut context, mut rng) = (vec![0.0; market.dims()], rng(100 + number as u64));
        let mut apart = 0.0;
        for _ in 0..DRAWS {
            let Logged { price, outcome } = market.draw(&mut rng, &mut context);
            assert!((0.0..=1.0).contains(&price) && (outcome == 0.0 || outcome == 1.0));
            let mean = match market.outcome() {
                OutcomeKind::Reward => market.revenue(&context, price),
                OutcomeKind::Sale => market.demand(&context, price).unwrap(),
            };
            // Weighted by the price, so that a wrong price would be seen.
            apart += (outcome - mean) * (0.5 + 0.5 * price) / DRAWS as f64;
        }
        // Given context and price, a summand is within an interval of length 1 and has mean 0.
        assert!(apart.abs() < hoeffding(DRAWS), "{market:?} {apart}");
    }
    // A mean that is wrong by 0.02 would be seen, at prices of 1/2 on average.
    assert!(2.0 * hoeffding(DRAWS) < 0.02);
}

/// How many prices are before one if the rare ones come first, from the definition: uniform for a price of
/// that density.
fn share_before(market: &Market, context: &[f64], price: f64) -> f64 {
    let (low, high) = match market.spec() {
        MarketSpec::Curve(spec) if spec.logging == Logging::Uniform => (0.0, 0.0),
        MarketSpec::Curve(_) => {
            let best = market.best(context).price;
            ((best - 0.15).max(0.0), (best + 0.15).min(1.0))
        }
        MarketSpec::LowerBound(spec) => {
            let place = bump_price(market);
            (place - spec.radius / 2.0, place + spec.radius / 2.0)
        }
    };
    let (width, rare) = (high - low, market.logging_density(context, f64::midpoint(low, high)));
    let usual = (1.0 - rare * width) / (1.0 - width);
    match price {
        price if price < low => rare * width + usual * price,
        price if price > high => rare * width + usual * (price - width),
        price => rare * (price - low),
    }
}

/// Where the bumps of a lower bound are: its density of prices is smallest there.
fn bump_price(market: &Market) -> f64 {
    let rare = (0..10_000).map(|i| (f64::from(i) + 0.5) / 10_000.0);
    let context = vec![0.5; market.dims()];
    let rare: Vec<f64> = rare.filter(|&price| market.logging_density(&context, price) < 1.0).collect();
    f64::midpoint(rare[0], rare[rare.len() - 1])
}

#[test]
fn prices_follow_their_density() {
    const CELLS: usize = 50;
    for (number, market) in markets().into_iter().enumerate() {
        let (mut context, mut rng) = (vec![0.0; market.dims()], rng(200 + number as u64));
        let mut counts = [0; CELLS];
        for _ in 0..20_000 {
            let price = market.draw(&mut rng, &mut context).price;
            let before = share_before(&market, &context, price);
            counts[((before * CELLS as f64) as usize).min(CELLS - 1)] += 1;
        }
        let p = chi_square_p(&counts, &[1.0 / CELLS as f64; CELLS]);
        assert!(p > LEVEL, "{market:?} {p}");
    }
}

#[test]
fn the_test_finds_a_wrong_coefficient() {
    const CELLS: usize = 50;
    let of = |zeta| curve(CurveSpec { logging: Logging::Exploring { zeta }, ..CurveSpec::default() });
    let (right, wrong) = (of(0.3), of(0.4));
    let (mut context, mut rng, mut counts) = ([0.0], rng(250), [0; CELLS]);
    for _ in 0..20_000 {
        let price = wrong.draw(&mut rng, &mut context).price;
        let before = share_before(&right, &context, price);
        counts[((before * CELLS as f64) as usize).min(CELLS - 1)] += 1;
    }
    assert!(chi_square_p(&counts, &[1.0 / CELLS as f64; CELLS]) < LEVEL);
}

/// (5): how often the log has a price within h of the best one when its context is within h of one, over the
/// length of those prices.
#[test]
fn best_prices_are_explored() {
    const FINE: usize = 200;
    for market in markets().into_iter().filter(|market| market.dims() == 1) {
        let zeta = match market.spec() {
            MarketSpec::Curve(CurveSpec { logging: Logging::Exploring { zeta }, .. }) => zeta,
            MarketSpec::Curve(_) => 1.0,
            MarketSpec::LowerBound(spec) => spec.zeta,
        };
        let mut least = f64::INFINITY;
        for (x, h) in
            [0.05, 0.11, 0.3, 0.52, 0.7, 0.97].into_iter().flat_map(|x| [0.01, 0.1, 0.3, 0.5].map(|h| (x, h)))
        {
            let best = market.best(&[x]).price;
            let (low, high) = ((best - h).max(0.0), (best + h).min(1.0));
            let within =
                |a: f64, b: f64| (0..FINE).map(move |i| a + (b - a) * (i as f64 + 0.5) / FINE as f64);
            let (mut joint, mut alone) = (0.0, 0.0);
            for near in within((x - h).max(0.0), (x + h).min(1.0)) {
                let density = market.source_density(&[near]);
                let prices = within(low, high).map(|price| market.logging_density(&[near], price));
                joint += density * prices.sum::<f64>() / FINE as f64;
                alone += density;
            }
            if alone > 0.0 {
                let mean = joint / alone;
                assert!(mean >= zeta - 1e-9, "{market:?} {x} {h} {mean}");
                assert!(mean * (high - low) / (2.0 * h) >= zeta / 2.0 - 1e-9, "{market:?} {x} {h} {mean}");
                least = least.min(mean);
            }
        }
        // Zeta is not larger than it is said to be: the smallest balls have just that.
        assert!(
            least < zeta + 1e-9 || matches!(market.spec(), MarketSpec::LowerBound(_)),
            "{market:?} {least}"
        );
    }
}
